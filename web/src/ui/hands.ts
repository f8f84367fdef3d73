// The mouse and fingers on the picture: moving and zooming it, choosing, dragging and flicking bodies.

import type { Session } from '../player/session';
import type { Theme } from '../view/palette';
import type { Stage } from '../view/stage';
import type { Annotations } from './annotations';
import { toast } from './dom';

type Grip =
  | { kind: 'view'; shift: boolean }
  | { kind: 'body'; id: number; from: number[]; moved: boolean }
  | { kind: 'velocity'; id: number }
  | { kind: 'flick'; id: number; from: number[] };

const CLICK = 4;

export class Hands {
  private pointers = new Map<number, [number, number]>();
  private grip: Grip | null = null;
  private start: [number, number] = [0, 0];
  private at: number[] = [];
  private travelled = 0;
  private pinch = 0;
  private wasPlaying = false;
  /** Whether something else uses the mouse now (aiming). */
  taken: ((event: PointerEvent, phase: 'down' | 'move' | 'up', at: [number, number]) => boolean) | null = null;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly annotations: Annotations,
    theme: () => Theme,
  ) {
    const { host } = stage;
    host.addEventListener('pointerdown', (event) => void this.down(event));
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
      const { grip } = this;
      if (!grip || grip.kind === 'view' || this.at.length === 0) return;
      const from = stage.position(grip.id);
      const radius = stage.byId.get(grip.id)?.radius ?? 0;
      if (grip.kind === 'body' && grip.moved) pen.ring(this.at, radius, theme().select, 2);
      if (grip.kind === 'flick' && from) pen.arrow(from, this.at.map((x, i) => x - from[i]!), 1 / stage.camera.pixel, theme().impulse, 'flick');
      if (grip.kind === 'velocity' && from) pen.arrow(from, this.at.map((x, i) => x - from[i]!), 1 / stage.camera.pixel, theme().after, 'new v');
    });
  }

  private place(event: { clientX: number; clientY: number }): [number, number] {
    const box = this.stage.host.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private async down(event: PointerEvent): Promise<void> {
    const at = this.place(event);
    this.stage.host.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, at);
    if (this.pointers.size === 2) {
      this.grip = { kind: 'view', shift: false };
      this.pinch = this.spread();
      return;
    }
    this.start = at;
    this.travelled = 0;
    if (this.taken?.(event, 'down', at)) return;
    this.grip = { kind: 'view', shift: event.shiftKey };
    if (event.button !== 0) return;
    const arrow = this.arrowAt(at);
    if (arrow !== null) {
      this.hold({ kind: 'velocity', id: arrow });
      return;
    }
    const { shiftKey, pointerId } = event;
    const id = await this.pick(at);
    // The finger may be up again, or a second one down.
    if (!this.pointers.has(pointerId) || this.pointers.size > 1 || id === null || this.travelled > 12) return;
    const body = this.stage.byId.get(id);
    const from = this.stage.position(id);
    if (body?.motion !== 'free' || !from) return;
    this.hold(shiftKey ? { kind: 'flick', id, from } : { kind: 'body', id, from, moved: false });
  }

  private hold(grip: Grip): void {
    this.grip = grip;
    this.wasPlaying = this.session.playing;
  }

  private spread(): number {
    const [a, b] = [...this.pointers.values()];
    return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
  }

  /** Whether the tip of the selected body's velocity is there. */
  private arrowAt([x, y]: [number, number]): number | null {
    const id = this.session.selected;
    if (id === null || this.session.collision || this.stage.byId.get(id)?.motion !== 'free') return null;
    const place = this.stage.position(id);
    const velocity = this.stage.velocity(id);
    if (!place || !velocity) return null;
    const step = this.annotations.velocityScale() * this.stage.camera.pixel;
    const tip = this.stage.camera.toScreen(place.map((p, i) => p + velocity[i]! * step));
    const body = this.stage.camera.toScreen(place);
    const near = tip && Math.hypot(tip[0] - x, tip[1] - y) < 12;
    // A body at rest has its tip inside: there it is the body that is meant.
    const apart = tip && body && Math.hypot(tip[0] - body[0], tip[1] - body[1]) > 14;
    return near && apart ? id : null;
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

  private move(event: PointerEvent): void {
    const at = this.place(event);
    const before = this.pointers.get(event.pointerId);
    if (this.taken?.(event, 'move', at)) return;
    if (!before) return;
    this.pointers.set(event.pointerId, at);
    const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
    this.travelled = Math.max(this.travelled, Math.hypot(at[0] - this.start[0], at[1] - this.start[1]));
    if (this.pointers.size === 2) {
      const spread = this.spread();
      if (this.pinch > 0) this.stage.camera.zoom(spread / this.pinch, at[0], at[1]);
      this.pinch = spread;
      this.stage.camera.pan(dx / 2, dy / 2);
      this.stage.touch();
      return;
    }
    const { grip } = this;
    if (!grip) return;
    if (grip.kind === 'view') {
      if (this.travelled < CLICK) return;
      if (this.stage.camera.dimension === 3 && !grip.shift) this.stage.camera.orbit(dx, dy);
      else this.stage.camera.pan(dx, dy);
      this.stage.touch();
      return;
    }
    if (this.travelled > CLICK) {
      if (grip.kind === 'body') grip.moved = true;
      this.session.pause();
      this.at = this.stage.camera.toWorld(at[0], at[1], this.stage.position(grip.id) ?? undefined);
      this.stage.touch();
    }
  }

  private async up(event: PointerEvent): Promise<void> {
    const at = this.place(event);
    const grip = this.grip;
    this.drop(event);
    if (this.taken?.(event, 'up', at)) return;
    if (!grip) return;
    if (this.travelled <= CLICK) {
      this.session.select(await this.pick(at));
      return;
    }
    if (grip.kind === 'view') return;
    const to = this.stage.camera.toWorld(at[0], at[1], this.stage.position(grip.id) ?? undefined);
    const from = this.stage.position(grip.id);
    if (!from) return;
    const way = to.map((x, i) => x - from[i]!);
    const scale = this.annotations.velocityScale() * this.stage.camera.pixel;
    if (grip.kind === 'body') await this.session.change({ kind: 'position', body: grip.id, position: to });
    else await this.session.change({ kind: 'velocity', body: grip.id, velocity: way.map((x) => x / scale) });
    this.session.select(grip.id);
    if (this.wasPlaying || grip.kind === 'flick') this.session.play();
  }

  private drop(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
    this.grip = null;
    this.pinch = 0;
    this.at = [];
    this.stage.touch();
  }

  /** A new ball where there is room, as large as those that are there. */
  async addBall(): Promise<void> {
    const { session, stage } = this;
    const free = stage.bodies.filter((body) => body.motion === 'free' && body.radius);
    const like = free[0];
    const radius = like?.radius ?? 0.05 * stage.size();
    const box = stage.host.getBoundingClientRect();
    const name = `added ${session.changes.filter((made) => made.edit.kind === 'insert').length + 1}`;
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
