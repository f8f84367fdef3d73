// The arrow keys drive a body whose motion is given: a bat, a paddle. Scenes that listen to keys have rules of their own
// instead. Each stroke is a change at its instant, as all others.

import type { Body } from '../engine/types';
import type { Session } from '../player/session';
import { boundsOf } from '../view/geometry';
import type { Stage } from '../view/stage';

const DIRECTIONS: Record<string, [number, number]> = { left: [-1, 0], right: [1, 0], up: [0, 1], down: [0, -1] };

/** So much of the scene's size in a second. */
const SPEED = 0.6;

export class Driver {
  /** The key that is held, and the body that it moves. */
  private held: { key: string; body: number } | null = null;
  /** The bat of a game. */
  private bat: number | null = null;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
  ) {
    session.on('time', () => this.stayWithin());
    session.on('opened', () => {
      this.held = null;
      // Remembered: a bat that stands still for a while is no other body.
      const isGame = session.bodies.some((body) => body.sensor);
      const bat = session.bodies.find((body) => body.motion === 'kinematic' && /\b(bat|paddle)\b/i.test(body.name));
      this.bat = isGame ? (bat?.id ?? null) : null;
    });
  }

  /** The body that is selected, or the bat of a game: where a sensor says that a ball is lost. */
  private body(): Body | null {
    const { session } = this;
    if ((session.surroundings?.keys?.length ?? 0) > 0) return null;
    const selected = session.selected === null ? undefined : session.body(session.selected);
    if (selected?.motion === 'kinematic') return selected;
    return this.bat === null ? null : (session.body(this.bat) ?? null);
  }

  /** The keys that drive something now. */
  get keys(): string[] {
    const body = this.body();
    if (!body) return [];
    return body.id === this.session.selected ? ['left', 'right', 'up', 'down'] : ['left', 'right'];
  }

  press(key: string): void {
    const body = this.body();
    const direction = DIRECTIONS[key];
    if (!body || !direction || this.held?.key === key) return;
    const speed = SPEED * this.stage.size();
    const velocity = [...direction, 0].slice(0, this.stage.camera.dimension).map((x) => (x === 0 ? 0 : +(x * speed).toPrecision(3)));
    const room = this.room(body, velocity);
    if (room !== null && room.distance < 1e-6 * this.stage.size()) return;
    this.held = { key, body: body.id };
    void this.session.change({ kind: 'move', body: body.id, velocity });
  }

  release(key: string): void {
    if (this.held?.key === key) this.stop();
  }

  /** Stops it, now or at a time that has just been, s. */
  private stop(at: number = this.session.shown): void {
    const { held } = this;
    this.held = null;
    if (held) void this.session.changeAt(at, { kind: 'move', body: held.body });
  }

  /** A body whose motion is given goes through walls: it is stopped at the instant at which it came to one. */
  private stayWithin(): void {
    const { held, session } = this;
    const body = held && session.body(held.body);
    const velocity = body && this.stage.velocity(body.id);
    const room = velocity && this.room(body, velocity);
    if (room && room.distance <= 0) this.stop(Math.max(0, session.shown + room.distance / room.speed));
  }

  /** How far it is to the next wall ahead, and how fast it comes nearer, m and m/s; `null` where there is none. */
  private room(body: Body, velocity: number[]): { distance: number; speed: number } | null {
    const place = this.stage.position(body.id);
    const bounds = place && boundsOf(body.form, place, 0);
    if (!bounds) return null;
    let nearest: { distance: number; speed: number } | null = null;
    for (const wall of this.stage.bodies) {
      const at = wall.form.kind === 'wall' ? this.stage.position(wall.id) : null;
      if (wall.form.kind !== 'wall' || !at) continue;
      const { normal } = wall.form;
      const speed = -normal.reduce((sum, n, i) => sum + n * (velocity[i] ?? 0), 0);
      const distance = normal.reduce((sum, n, i) => sum + n * ((n > 0 ? bounds[0][i]! : bounds[1][i]!) - at[i]!), 0);
      if (speed > 0 && (!nearest || distance < nearest.distance)) nearest = { distance, speed };
    }
    return nearest;
  }
}
