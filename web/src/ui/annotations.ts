// What is drawn over the picture: trails, the selected body, the arrows of a collision, names.

import type { Collision } from '../engine/types';
import type { Session } from '../player/session';
import { drawJoints } from '../view/joints';
import type { Pen } from '../view/overlay';
import type { Stage } from '../view/stage';
import type { Theme } from '../view/palette';
import { figures } from './dom';

export interface Shown {
  names: boolean;
  velocities: boolean;
  momenta: boolean;
  centre: boolean;
  /** Where all bodies have been, and not the selected one alone. */
  paths: boolean;
}

const TRAIL_POINTS = 300;
/** Paths of so many bodies, with so many places each. */
const MOST_PATHS = 200;
const PATH_POINTS = 400;
const MOST_NAMES = 40;
const MOST_ARROWS = 500;

export class Annotations {
  shown: Shown = { names: false, velocities: false, momenta: false, centre: false, paths: false };
  /** Where the selected body has been, m. */
  private trail: number[][] = [];
  private trailOf: number | null = null;
  private trailTime = 0;
  private asking = false;
  /** Further things to draw: an aim, a drag. */
  extra: ((pen: Pen) => void)[] = [];

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly theme: () => Theme,
  ) {
    stage.annotate = (pen, width, height) => this.draw(pen, width, height);
    session.on('selected', () => this.reset());
    session.on('changes', () => this.reset());
    session.on('time', () => this.extendTrail());
    session.on('time', () => this.extendPaths());
    session.on('opened', () => (this.paths = new Map()));
  }

  /** Where bodies have been since the picture last went back, m, by their numbers. */
  private paths = new Map<number, number[][]>();
  private pathTime = 0;

  private extendPaths(): void {
    const { session, stage } = this;
    if (!this.shown.paths || session.shown < this.pathTime) this.paths = new Map();
    this.pathTime = session.shown;
    if (!this.shown.paths) return;
    for (const { id } of stage.bodies.filter((body) => body.motion === 'free').slice(0, MOST_PATHS)) {
      const place = stage.position(id);
      if (!place) continue;
      const path = this.paths.get(id) ?? [];
      path.push(place);
      if (path.length > PATH_POINTS) path.shift();
      this.paths.set(id, path);
    }
  }

  private reset(): void {
    this.trail = [];
    this.trailOf = this.session.selected;
    this.trailTime = 0;
    void this.ask();
    this.stage.touch();
  }

  /** The exact path so far, from the engine. */
  private async ask(): Promise<void> {
    const id = this.session.selected;
    if (id === null || this.asking) return;
    this.asking = true;
    try {
      const span = Math.max(2, this.session.until / 20);
      const numbers = await this.session.client.trail(id, Math.max(0, this.session.shown - span), TRAIL_POINTS);
      const dimension = this.stage.camera.dimension;
      const places: number[][] = [];
      for (let i = 0; i < numbers.length; i += 3) places.push(Array.from(numbers.subarray(i, i + dimension)));
      if (this.session.selected === id) {
        this.trail = places;
        this.trailOf = id;
        this.trailTime = this.session.shown;
      }
    } catch {
      // The body may be gone by now.
    } finally {
      this.asking = false;
      this.stage.touch();
    }
  }

  private extendTrail(): void {
    const { session } = this;
    if (session.selected === null) return;
    const place = this.stage.position(session.selected);
    if (!place) return;
    if (this.trailOf !== session.selected || session.shown < this.trailTime || (!session.playing && session.shown !== this.trailTime)) {
      void this.ask();
      return;
    }
    this.trail.push(place);
    this.trailTime = session.shown;
    if (this.trail.length > 4 * TRAIL_POINTS) this.trail.splice(0, TRAIL_POINTS);
  }

  private draw(pen: Pen, width: number, height: number): void {
    const { session, stage } = this;
    const theme = this.theme();
    for (const [id, path] of this.paths) pen.path(path, stage.colors[id] ?? theme.faint, 1.25, [], 120);
    drawJoints(pen, stage, session.surroundings?.joints ?? [], theme.ink, theme.background);
    if (session.selected !== null) this.drawSelected(pen, theme);
    if (this.shown.velocities && !session.collision) this.drawVelocities(pen, theme);
    if (this.shown.momenta && !session.collision) this.drawMomenta(pen, theme);
    if (this.shown.centre) this.drawCentre(pen, theme);
    this.drawLabels(pen);
    if (this.shown.names) this.drawNames(pen, theme);
    if (session.collision) this.drawCollision(pen, theme, session.collision, Math.min(width, height));
    for (const draw of this.extra) draw(pen);
    if (stage.failure) pen.words(stage.failure, width / 2, height / 2, theme.ink, 'center');
  }

  private drawSelected(pen: Pen, theme: Theme): void {
    const id = this.session.selected!;
    const body = this.stage.byId.get(id);
    const place = this.stage.position(id);
    if (this.trail.length > 1) pen.path(this.trail, this.stage.colors[id] ?? theme.select, 2, [], 120);
    if (!place || !body) return;
    pen.ring(place, body.radius ?? 0, theme.select, 2, [4, 3]);
    if (body.motion === 'free' && !this.session.collision) {
      const velocity = this.stage.velocity(id);
      if (velocity) pen.arrow(place, velocity, this.velocityScale(), theme.after, 'v');
    }
  }

  /** Pixels for 1 m/s. */
  velocityScale(): number {
    return 70 / Math.max(this.session.fastest, 1e-9);
  }

  /** Where the tip of a free body's velocity is in the picture, pixels. */
  tip(id: number): [number, number] | null {
    const { stage } = this;
    const [place, velocity] = [stage.position(id), stage.velocity(id)];
    if (!place || !velocity || stage.byId.get(id)?.motion !== 'free') return null;
    const step = this.velocityScale() * stage.camera.pixel;
    return stage.camera.toScreen(place.map((x, i) => x + velocity[i]! * step));
  }

  private drawVelocities(pen: Pen, theme: Theme): void {
    const free = this.stage.bodies.filter((body) => body.motion === 'free').slice(0, MOST_ARROWS);
    for (const body of free) {
      if (body.id === this.session.selected) continue;
      const place = this.stage.position(body.id);
      const velocity = this.stage.velocity(body.id);
      if (place && velocity) pen.arrow(place, velocity, this.velocityScale(), theme.after);
    }
  }

  /** Mass, place and velocity of the free bodies that are there. */
  private free(): { mass: number; place: number[]; velocity: number[] }[] {
    return this.stage.bodies.flatMap((body) => {
      const place = body.motion === 'free' ? this.stage.position(body.id) : null;
      const velocity = place && this.stage.velocity(body.id);
      return place && velocity && body.mass ? [{ mass: body.mass, place, velocity }] : [];
    });
  }

  private drawMomenta(pen: Pen, theme: Theme): void {
    const all = this.free().slice(0, MOST_ARROWS);
    const most = Math.max(1e-300, ...all.map(({ mass, velocity }) => mass * Math.hypot(...velocity)));
    for (const { mass, place, velocity } of all) pen.arrow(place, velocity, (70 * mass) / most, theme.impulse);
  }

  /** The centre of mass of all free bodies, and its velocity. In a periodic box there is none. */
  private drawCentre(pen: Pen, theme: Theme): void {
    const all = this.free();
    const total = all.reduce((sum, { mass }) => sum + mass, 0);
    if (total === 0 || this.session.surroundings?.periods.some((period) => period > 0)) return;
    const mean = (of: (one: (typeof all)[number]) => number[]) =>
      all.reduce((sum, one) => sum.map((x, i) => x + (one.mass / total) * of(one)[i]!), new Array<number>(this.stage.camera.dimension).fill(0));
    const place = mean(({ place }) => place);
    pen.cross(place, theme.ink, 9);
    pen.arrow(place, mean(({ velocity }) => velocity), this.velocityScale(), theme.ink, 'centre of mass');
  }

  /** The labels that a scene gives its bodies (the numbers of billiard balls), where there is room. */
  private drawLabels(pen: Pen): void {
    const { camera } = this.stage;
    for (const body of this.stage.bodies.filter((one) => one.label).slice(0, MOST_NAMES)) {
      const place = this.stage.position(body.id);
      const at = place && camera.toScreen(place);
      const radius = (body.radius ?? 0) / camera.pixel;
      if (at && radius >= 7) pen.badge(body.label!, at[0], at[1], radius);
    }
  }

  private drawNames(pen: Pen, theme: Theme): void {
    const named = this.stage.bodies.filter((body) => body.form.kind !== 'wall').slice(0, MOST_NAMES);
    for (const body of named) {
      const place = this.stage.position(body.id);
      const at = place && this.stage.camera.toScreen(place);
      if (at) pen.words(body.name, at[0], at[1] - (body.radius ?? 0) / this.stage.camera.pixel - 10, theme.faint, 'center');
    }
  }

  private drawCollision(pen: Pen, theme: Theme, hit: Collision, size: number): void {
    const speeds = [...hit.before, ...hit.after].map((motion) => Math.hypot(...motion.velocity));
    const scale = (0.19 * size) / Math.max(...speeds, 1e-12);
    const centre = (id: number) => {
      const body = this.stage.byId.get(id);
      const place = this.stage.position(id);
      // What has no middle is struck where it is struck.
      return body?.motion === 'static' || !place ? null : place;
    };
    [hit.a, hit.b].forEach((id, side) => {
      const place = centre(id);
      if (!place) return;
      const name = side === 0 ? 'a' : 'b';
      const body = this.stage.byId.get(id);
      pen.ring(place, body?.radius ?? 0, theme.faint, 1.5);
      pen.arrow(place, hit.before[side]!.velocity, scale, theme.before, `${name} before`, true);
      pen.arrow(place, hit.after[side]!.velocity, scale, theme.after, `${name} after`);
    });
    const impulse = Math.hypot(...hit.impulse);
    const wide = 0.12 * size;
    pen.arrow(hit.point, hit.normal, wide * 1.35, theme.normal, 'n', true);
    if (impulse > 0) pen.arrow(hit.point, hit.impulse.map((x) => x / impulse), wide, theme.impulse, `J = ${figures(impulse, 3)} N s`, false, 15);
    pen.dot(hit.point, theme.impulse, 3.5);
  }
}
