// Pool: aim, strength and spin of the cue ball. The line ahead is the straight way to the first ball in it, and where
// that ball goes.

import type { Session } from '../player/session';
import type { Theme } from '../view/palette';
import type { Stage } from '../view/stage';
import type { Annotations } from './annotations';
import { button, figures, h } from './dom';
import type { Hands } from './hands';

/** The fastest stroke, m/s: about that of a strong break. */
const FASTEST = 10;

export class Pool {
  readonly root = h('div', { class: 'pool', attributes: { hidden: true, role: 'group', 'aria-label': 'Cue' } });
  private cue: number | null = null;
  private angle = 0;
  private speed = 2;
  private top = 0;
  private side = 0;
  private aiming = false;
  private readonly angleInput: HTMLInputElement;
  private readonly speedText = h('output');
  private readonly spot: HTMLElement;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    annotations: Annotations,
    private readonly hands: Hands,
    theme: () => Theme,
  ) {
    this.angleInput = h('input', {
      attributes: { type: 'range', min: -180, max: 180, step: 0.1, value: 0, id: 'cue-angle', 'aria-label': 'Direction of the stroke, degrees' },
      on: { input: () => this.aim((Number(this.angleInput.value) * Math.PI) / 180) },
    });
    const strength = h('input', {
      attributes: { type: 'range', min: 0.1, max: FASTEST, step: 0.1, value: this.speed, id: 'cue-speed', 'aria-label': 'Speed of the cue ball, m/s' },
      on: { input: () => ((this.speed = Number(strength.value)), this.update()) },
    });
    this.spot = h('span', { class: 'cue-spot' });
    const face = h('div', { class: 'cue-ball', attributes: { role: 'img', 'aria-label': 'Where the cue strikes the ball' }, on: { pointerdown: (event) => this.strikeAt(event), pointermove: (event) => event.buttons && this.strikeAt(event) } }, this.spot);
    const spin = (label: string, id: string, set: (value: number) => void) => {
      const input = h('input', { attributes: { type: 'range', min: -0.5, max: 0.5, step: 0.05, value: 0, id, 'aria-label': label }, on: { input: () => (set(Number(input.value)), this.update()) } });
      return input;
    };
    this.root.append(
      face,
      h('label', {}, 'aim', this.angleInput),
      h('label', {}, 'speed', strength, this.speedText),
      h('label', {}, 'top', spin('Top or back spin', 'cue-top', (value) => (this.top = value))),
      h('label', {}, 'side', spin('Side spin', 'cue-side', (value) => (this.side = value))),
      button({ label: 'Shoot', class: 'primary', press: () => void this.shoot() }),
    );
    annotations.extra.push((pen) => {
      const place = this.cue === null ? null : stage.position(this.cue);
      if (!place || this.root.hidden || session.playing) return;
      const reach = 3 * stage.size();
      const ahead = [Math.cos(this.angle), Math.sin(this.angle)];
      const end = this.path.length > 1 ? this.path : [place, place.map((x, i) => x + reach * (ahead[i] ?? 0))];
      pen.path(end, theme().after, 1.5, [6, 5]);
      pen.arrow(place, [...ahead, 0].slice(0, place.length), 30 + 6 * this.speed, theme().impulse);
    });
    session.on('playing', () => this.toggle());
    session.on('collision', () => this.toggle());
    session.on('time', () => !session.playing && this.toggle());
    this.update();
  }

  private path: number[][] = [];

  /** Whether the scene is a table with a cue ball. */
  opened(): void {
    const cue = this.session.bodies.find((body) => body.motion === 'free' && /\bcue\b/i.test(body.name) && body.radius);
    this.cue = cue?.id ?? null;
    this.path = [];
    this.hands.taken = this.cue === null ? null : (event, phase, at) => this.pointer(event, phase, at);
    if (cue) {
      // A table is looked at from above: there one sees where to aim.
      if (this.stage.camera.dimension === 3) {
        this.stage.camera.fromAbove();
        this.stage.refit();
      }
      const velocity = this.stage.velocity(cue.id);
      if (velocity && Math.hypot(...velocity) > 0) this.angle = Math.atan2(velocity[1]!, velocity[0]!);
    }
    this.toggle();
  }

  private toggle(): void {
    this.root.hidden = this.cue === null || this.session.playing || this.session.collision !== null;
    if (!this.root.hidden) this.update();
  }

  private aim(angle: number): void {
    this.angle = angle;
    this.update();
  }

  private update(): void {
    this.angleInput.value = String((this.angle * 180) / Math.PI);
    this.speedText.textContent = `${figures(this.speed, 3)} m/s`;
    this.spot.style.transform = `translate(${this.side * 44}px, ${-this.top * 44}px)`;
    this.stage.touch();
    void this.foresee();
  }

  private strikeAt(event: PointerEvent): void {
    const box = (event.currentTarget as HTMLElement).getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width - 0.5) * 2;
    const y = (0.5 - (event.clientY - box.top) / box.height) * 2;
    const far = Math.max(1, Math.hypot(x, y) / 0.5);
    this.side = x / far;
    this.top = y / far;
    (this.root.querySelector('#cue-top') as HTMLInputElement).value = String(this.top);
    (this.root.querySelector('#cue-side') as HTMLInputElement).value = String(this.side);
    this.update();
  }

  /** Velocity and angular velocity after a stroke off centre: r × J over the inertia. */
  private stroke(): { velocity: number[]; angular_velocity: number[] } {
    const ball = this.session.body(this.cue!);
    const [radius, mass] = [ball?.radius ?? 0.028, ball?.mass ?? 1];
    const flat = this.session.facts?.dimension !== 3;
    const velocity = [this.speed * Math.cos(this.angle), this.speed * Math.sin(this.angle)];
    const inertia = ball?.inertia ?? 0.4 * mass * radius ** 2;
    const spin = (mass * this.speed * radius) / inertia;
    if (flat) return { velocity, angular_velocity: [-spin * this.side] };
    const across = [-Math.sin(this.angle), Math.cos(this.angle)];
    return { velocity: [...velocity, 0], angular_velocity: [spin * this.top * across[0]!, spin * this.top * across[1]!, -spin * this.side] };
  }

  private async shoot(): Promise<void> {
    if (this.cue === null) return;
    const done = await this.session.change({ kind: 'velocity', body: this.cue, ...this.stroke() });
    if (done) this.session.play();
  }

  private asked = 0;

  /** The straight way of the cue ball to the first ball in it, and the line of centres from there. */
  private async foresee(): Promise<void> {
    const place = this.cue === null ? null : this.stage.position(this.cue);
    if (!place || this.root.hidden) return;
    const asked = ++this.asked;
    const stroke = [Math.cos(this.angle), Math.sin(this.angle)];
    const radius = this.session.body(this.cue!)?.radius ?? 0;
    const others = this.stage.bodies.filter((body) => body.id !== this.cue && body.motion === 'free' && body.radius);
    let nearest: { along: number; at: number[]; to: number[] } | null = null;
    for (const body of others) {
      const its = this.stage.position(body.id);
      if (!its) continue;
      const away = [its[0]! - place[0]!, its[1]! - place[1]!];
      const along = away[0]! * stroke[0]! + away[1]! * stroke[1]!;
      const reach = radius + (body.radius ?? 0);
      const off = away[0]! ** 2 + away[1]! ** 2 - along ** 2;
      if (along <= 0 || off >= reach ** 2) continue;
      const distance = along - Math.sqrt(reach ** 2 - off);
      if (!nearest || distance < nearest.along) {
        const at = [place[0]! + distance * stroke[0]!, place[1]! + distance * stroke[1]!];
        const line = [its[0]! - at[0]!, its[1]! - at[1]!];
        const length = Math.hypot(...line) || 1;
        nearest = { along: distance, at, to: line.map((x, i) => its[i]! + (x / length) * 0.25 * this.stage.size()) };
      }
    }
    if (asked !== this.asked) return;
    const height = place.slice(2);
    this.path = nearest ? [place, [...nearest.at, ...height], [...nearest.to, ...height]] : [];
    this.stage.touch();
  }

  /** Dragging from the cue ball aims: the stroke goes to where the mouse is. */
  private pointer(event: PointerEvent, phase: 'down' | 'move' | 'up', at: [number, number]): boolean {
    const place = this.cue === null ? null : this.stage.position(this.cue);
    if (!place || this.root.hidden) return false;
    const screen = this.stage.camera.toScreen(place);
    if (phase === 'down') {
      const radius = (this.session.body(this.cue!)?.radius ?? 0) / this.stage.camera.pixel;
      this.aiming = event.button === 0 && !event.shiftKey && screen !== null && Math.hypot(at[0] - screen[0], at[1] - screen[1]) < Math.max(24, 2.5 * radius);
      return this.aiming;
    }
    if (!this.aiming) return false;
    if (phase === 'up') this.aiming = false;
    const to = this.stage.camera.toWorld(at[0], at[1], place);
    const way = [to[0]! - place[0]!, to[1]! - place[1]!];
    if (Math.hypot(...way) > 1e-9 && screen && Math.hypot(at[0] - screen[0], at[1] - screen[1]) > 8) this.aim(Math.atan2(way[1]!, way[0]!));
    return true;
  }
}
