// The mouse and fingers on the picture: moving and zooming it, choosing, dragging and flicking bodies.

import type { Session } from '../player/session';
import type { Theme } from '../view/palette';
import type { Stage } from '../view/stage';
import type { Annotations } from './annotations';
import { toast } from './dom';

type Grip =
  | { kind: 'view'; shift: boolean }
  | { kind: 'body'; id: number; offset: number[] }
  | { kind: 'velocity'; id: number }
  | { kind: 'flick'; id: number };

/** A finger or the mouse, from down to up. */
interface Press {
  start: [number, number];
  /** Where it is now. */
  at: [number, number];
  /** How far it has been from its start, pixels. */
  travelled: number;
  /** What it has hold of; `null` while that is being asked for. */
  grip: Grip | null;
  /** The body below it. */
  id: number | null;
  /** Done when it is known what it has hold of. */
  found: Promise<void>;
  wasPlaying: boolean;
}

/** What moves less, pixels, is a click. */
const CLICK = 4;
/** How near the tip of an arrow is taken, pixels: by the mouse, by a finger. */
const NEAR = { mouse: 12, touch: 24 };

export class Hands {
  private pointers = new Map<number, [number, number]>();
  private press: Press | null = null;
  private pinch = 0;
  /** Whether a drag flicks without shift: fingers have none. */
  flicking = false;
  /** Whether something else uses the mouse now (aiming). */
  taken: ((event: PointerEvent, phase: 'down' | 'move' | 'up', at: [number, number]) => boolean) | null = null;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly annotations: Annotations,
    theme: () => Theme,
  ) {
    const { host } = stage;
    host.addEventListener('pointerdown', (event) => this.down(event));
    host.addEventListener('pointermove', (event) => this.move(event));
    host.addEventListener('pointerup', (event) => void this.up(event));
    host.addEventListener('pointercancel', (event) => this.drop(event));
    host.addEventListener('dblclick', () => stage.refit());
    host.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const [x, y] = this.place(event);
        stage.camera.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), x, y);
        stage.touch();
      },
      { passive: false },
    );
    annotations.extra.push((pen) => {
      const { press } = this;
      const grip = press?.grip;
      if (!press || !grip || grip.kind === 'view' || press.travelled <= CLICK) return;
      const from = stage.position(grip.id);
      if (!from) return;
      const to = this.target(press, grip);
      const way = to.map((x, i) => x - from[i]!);
      if (grip.kind === 'body') pen.ring(to, stage.byId.get(grip.id)?.radius ?? 0, theme().select, 2);
      if (grip.kind === 'flick') pen.arrow(from, way, 1 / stage.camera.pixel, theme().impulse, 'flick');
      if (grip.kind === 'velocity') pen.arrow(from, way, 1 / stage.camera.pixel, theme().after, 'new v');
    });
  }

  private place(event: { clientX: number; clientY: number }): [number, number] {
    const box = this.stage.host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** The place of the world that is meant: of a body that is dragged, where its middle goes. */
  private target(press: Press, grip: Exclude<Grip, { kind: 'view' }>): number[] {
    const to = this.stage.camera.toWorld(press.at[0], press.at[1], this.stage.position(grip.id) ?? undefined);
    return grip.kind === 'body' ? to.map((x, i) => x - grip.offset[i]!) : to;
  }

  private down(event: PointerEvent): void {
    const at = this.place(event);
    this.stage.host.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    const press: Press = { start: at, at, travelled: 0, grip: null, id: null, found: Promise.resolve(), wasPlaying: this.session.playing };
    if (this.pointers.size > 1) {
      this.press = { ...press, grip: { kind: 'view', shift: false }, travelled: Infinity };
      this.pinch = this.spread();
      return;
    }
    this.press = null;
    if (this.taken?.(event, 'down', at)) return;
    this.press = press;
    if (event.button !== 0) {
      press.grip = { kind: 'view', shift: event.shiftKey };
      return;
    }
    const arrow = this.arrowAt(at, event.pointerType === 'touch' ? NEAR.touch : NEAR.mouse);
    if (arrow !== null) press.grip = { kind: 'velocity', id: (press.id = arrow) };
    else press.found = this.find(press, event.shiftKey);
  }

  /** Finds out what is below. However far the mouse has gone meanwhile, it has hold of what it was on. */
  private async find(press: Press, shift: boolean): Promise<void> {
    const [x, y] = press.start;
    const id = await this.pick(press.start);
    press.id = id;
    const from = id === null ? null : this.stage.position(id);
    if (id === null || !from || this.stage.byId.get(id)?.motion !== 'free') {
      press.grip = { kind: 'view', shift };
      if (this.press === press) this.moveView(press, press.at[0] - x, press.at[1] - y);
    } else if (shift || this.flicking) press.grip = { kind: 'flick', id };
    else {
      const held = this.stage.camera.toWorld(x, y, from);
      press.grip = { kind: 'body', id, offset: held.map((there, i) => there - from[i]!) };
    }
    if (this.press === press) this.hold(press);
  }

  private spread(): number {
    const [a, b] = [...this.pointers.values()];
    return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  }

  /** Whether the tip of the selected body's velocity is there. */
  private arrowAt([x, y]: [number, number], near: number): number | null {
    const id = this.session.selected;
    const tip = id === null || this.session.collision ? null : this.annotations.tip(id);
    const place = id === null ? null : this.stage.position(id);
    const body = place && this.stage.camera.toScreen(place);
    if (!tip || !body) return null;
    // A body at rest has its tip inside: there it is the body that is meant.
    const apart = Math.hypot(tip[0] - body[0], tip[1] - body[1]) > 14;
    return apart && Math.hypot(tip[0] - x, tip[1] - y) < near ? id : null;
  }

  private async pick([x, y]: [number, number]): Promise<number | null> {
    const { camera } = this.stage;
    try {
      if (camera.dimension === 2) return await this.session.client.pick(camera.toWorld(x, y), null, 8 * camera.pixel);
      const { point, direction } = camera.ray(x, y);
      return await this.session.client.pick(point, direction, 0);
    } catch {
      return null;
    }
  }

  private moveView(press: Press, dx: number, dy: number): void {
    if (press.travelled < CLICK) return;
    const shift = press.grip?.kind === 'view' && press.grip.shift;
    if (this.stage.camera.dimension === 3 && !shift) this.stage.camera.orbit(dx, dy);
    else this.stage.camera.pan(dx, dy);
    this.stage.touch();
  }

  /** A body that is held and pulled at stands still meanwhile. */
  private hold(press: Press): void {
    if (!press.grip || press.grip.kind === 'view' || press.travelled <= CLICK) return;
    this.session.pause();
    this.stage.touch();
  }

  private move(event: PointerEvent): void {
    const at = this.place(event);
    const before = this.pointers.get(event.pointerId);
    if (this.taken?.(event, 'move', at)) return;
    if (!before) return;
    this.pointers.set(event.pointerId, at);
    const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
    if (this.pointers.size === 2) {
      const spread = this.spread();
      if (this.pinch > 0) this.stage.camera.zoom(spread / this.pinch, at[0], at[1]);
      this.pinch = spread;
      this.stage.camera.pan(dx / 2, dy / 2);
      this.stage.touch();
      return;
    }
    const { press } = this;
    if (!press) return;
    press.at = at;
    press.travelled = Math.max(press.travelled, Math.hypot(at[0] - press.start[0], at[1] - press.start[1]));
    if (press.grip?.kind === 'view') this.moveView(press, dx, dy);
    else this.hold(press);
  }

  private async up(event: PointerEvent): Promise<void> {
    const at = this.place(event);
    const { press } = this;
    this.drop(event);
    if (this.taken?.(event, 'up', at) || !press) return;
    press.at = at;
    await press.found;
    const { grip, id, travelled } = press;
    if (travelled <= CLICK) {
      this.session.select(id);
      return;
    }
    if (!grip || grip.kind === 'view') return;
    this.hold(press);
    const from = this.stage.position(grip.id);
    if (!from) return;
    const to = this.target(press, grip);
    if (grip.kind === 'body') await this.session.change({ kind: 'position', body: grip.id, position: to });
    else {
      const scale = this.annotations.velocityScale() * this.stage.camera.pixel;
      await this.session.change({ kind: 'velocity', body: grip.id, velocity: to.map((x, i) => (x - from[i]!) / scale) });
    }
    this.session.select(grip.id);
    if (press.wasPlaying || grip.kind === 'flick') this.session.play();
  }

  private drop(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    this.press = null;
    this.pinch = 0;
    this.stage.touch();
  }

  /** A new ball where there is room, as large as those that are there. */
  async addBall(): Promise<void> {
    const { session, stage } = this;
    const free = stage.bodies.filter((body) => body.motion === 'free' && body.radius);
    const like = free[0];
    const radius = like?.radius ?? 0.05 * stage.size();
    const box = stage.host.getBoundingClientRect();
    // A name that no other body has or had: changes are saved by names.
    const names = new Set([...session.known.values()].map((body) => body.name));
    let number = 1;
    while (names.has(`added ${number}`)) number += 1;
    const name = `added ${number}`;
    const refused = session.refused;
    session.refused = () => {};
    try {
      for (let attempt = 0; attempt < 60; attempt++) {
        const [u, v] = attempt === 0 ? [0.5, 0.5] : [0.1 + 0.8 * ((attempt * 0.618) % 1), 0.1 + 0.8 * ((attempt * 0.414) % 1)];
        const position = stage.camera.toWorld(u * box.width, v * box.height);
        const velocity = position.map(() => 0);
        const done = await session.change({ kind: 'insert', name, radius, mass: like?.mass ?? 1, position, velocity, material: like?.material ?? '' });
        if (done) {
          session.select(session.bodies.find((body) => body.name === name)?.id ?? null);
          return;
        }
      }
    } finally {
      session.refused = refused;
    }
    toast('There is no free place for another ball in the picture', 'error');
  }
}
