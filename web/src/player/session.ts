// One scene that is open: its engine, the clock, what is selected, what was changed.

import { Client, EngineError, type EngineFiles } from '../engine/client';
import { COLLISION, type Body, type Change, type Collision, type Facts, type MadeChange, type SceneSource, type Status, type Surroundings } from '../engine/types';
import { asPlayed } from '../schedule';

export type Happening =
  | 'opened'
  | 'time'
  | 'progress'
  | 'playing'
  | 'speed'
  | 'selected'
  | 'collision'
  | 'changes'
  | 'bodies'
  | 'surroundings'
  | 'failed'
  | 'compare';

/** How much faster or slower than real time it can run. */
export const SLOWEST = 1e-3;
export const FASTEST = 100;

/** Of more bodies the masses that are shown are those at the start. */
const MOST_WEIGHED = 5000;

/** The next larger number, of one that is not negative. */
export function nextUp(number: number): number {
  const bits = new BigInt64Array(1);
  const numbers = new Float64Array(bits.buffer);
  numbers[0] = number + 0;
  bits[0]! += 1n;
  return numbers[0];
}

export class Session {
  readonly client: Client;
  source: SceneSource | null = null;
  facts: Facts | null = null;
  bodies: Body[] = [];
  surroundings: Surroundings | null = null;
  changes: MadeChange[] = [];
  /** World time of the picture that is wanted, s. */
  time = 0;
  /** World time of the picture that is shown, s. */
  shown = 0;
  playing = false;
  speed = 1;
  selected: number | null = null;
  follow = false;
  /** The collision that is shown, and its place among all events. */
  collision: Collision | null = null;
  collisionIndex = -1;
  /** Whether the run goes on without end, for whoever plays. */
  endless = false;
  /** The largest speed seen, for colours, m/s. */
  fastest = 0;
  private listeners = new Map<Happening, Set<() => void>>();
  private last = 0;
  private wanted = -1;
  onFrame: (numbers: Float32Array) => void = () => {};

  constructor(files: EngineFiles) {
    this.client = new Client(files);
    this.client.onFrame = (time, numbers) => {
      this.shown = time;
      this.onFrame(numbers);
      void this.weigh();
      this.emit('time');
    };
    this.client.onProgress = () => this.emit('progress');
    this.client.onCrash = (message) => {
      this.failure = `The engine stopped: ${message}`;
      this.pause();
      this.emit('failed');
    };
  }

  failure = '';

  on(what: Happening, listener: () => void): void {
    const set = this.listeners.get(what) ?? new Set();
    this.listeners.set(what, set.add(listener));
  }

  emit(what: Happening): void {
    for (const listener of this.listeners.get(what) ?? []) listener();
  }

  get status(): Status | null {
    return this.client.status;
  }

  /** When the run ends, s. */
  get until(): number {
    return this.status?.until ?? this.facts?.until ?? 0;
  }

  /** The end of the run, where it is later than the scene says; `null` where it is as the scene says. */
  get longer(): number | null {
    return this.facts && this.until > this.facts.until ? this.until : null;
  }

  /** All bodies that were ever there, for the names in changes. */
  known = new Map<number, Body>();

  /** The text of the scene as it was played: the command runs it to the same bits. */
  get played(): string {
    const { source, changes, known, longer } = this;
    return source ? asPlayed(source.text, source.name, { changes, bodies: [...known.values()], until: longer, method: source.method ?? null }) : '';
  }

  /** How far it has been computed, s. */
  get ahead(): number {
    return this.status?.ahead ?? 0;
  }

  /** Opens a scene, at time 0. Where it cannot be read, what was open stays. */
  async open(source: SceneSource): Promise<void> {
    const facts = await this.client.load(source);
    this.source = source;
    this.facts = facts;
    this.failure = '';
    this.changes = [];
    this.selected = null;
    this.follow = false;
    this.collision = null;
    this.collisionIndex = -1;
    this.time = this.shown = 0;
    this.fastest = 0;
    this.weighed = 0;
    this.playing = false;
    this.bodies = await this.client.bodies();
    this.known = new Map(this.bodies.map((body) => [body.id, body]));
    this.surroundings = await this.client.surroundings();
    this.endless = (this.surroundings.keys?.length ?? 0) > 0;
    this.run();
    this.emit('opened');
    this.emit('playing');
    this.emit('changes');
    this.want(0);
  }

  private run(): void {
    // Whoever plays with keys changes what comes: there is no use in computing it.
    this.client.run(true, this.endless ? 0.25 : Infinity);
  }

  async refreshBodies(): Promise<void> {
    this.bodies = await this.client.bodies();
    for (const body of this.bodies) this.known.set(body.id, body);
    this.surroundings = await this.client.surroundings();
    this.emit('bodies');
    this.emit('surroundings');
  }

  /** How many changes from outside there were before the picture for which masses were last asked for. */
  private weighed = 0;
  private weighing = false;

  /** Bodies have other masses where the picture has gone past a change, in either direction. */
  private async weigh(): Promise<void> {
    const { client } = this;
    let before = client.edits.findIndex((time) => time >= this.shown);
    if (before < 0) before = client.edits.length;
    if (before === this.weighed || this.weighing || this.bodies.length > MOST_WEIGHED) return;
    this.weighed = before;
    this.weighing = true;
    try {
      for (const { id, mass, inertia } of await client.bodies()) Object.assign(this.body(id) ?? {}, { mass, inertia });
    } catch {
      // The scene was closed meanwhile.
    } finally {
      this.weighing = false;
    }
  }

  play(): void {
    if (!this.facts) return;
    const ended = this.status?.ended !== null && this.time >= this.ahead;
    if (ended && !this.endless) this.time = 0;
    this.clearCollision();
    this.playing = true;
    this.last = performance.now();
    this.emit('playing');
  }

  pause(): void {
    if (!this.playing) return;
    this.playing = false;
    this.time = this.shown;
    this.emit('playing');
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    this.speed = Math.min(FASTEST, Math.max(SLOWEST, speed));
    this.emit('speed');
  }

  /** Goes to a time, s. */
  seek(time: number): void {
    this.clearCollision();
    this.want(time);
  }

  private want(time: number): void {
    this.time = Math.max(0, Math.min(time, this.until));
    this.wanted = this.time;
    this.client.frame(this.time);
  }

  /** Every picture: moves the clock and asks for the next one. */
  tick(now: number): void {
    const passed = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    if (!this.playing || !this.facts) return;
    const end = this.status?.ended || this.status?.failed ? this.ahead : this.until;
    let next = Math.min(this.time + passed * this.speed, this.ahead);
    if (this.endless && next > this.until - 1 && !this.status?.failed && this.status?.ended !== 'scene') void this.extend();
    if (next >= end && this.ahead >= end) {
      next = end;
      if (!this.endless || this.status?.ended === 'scene') this.stopAtEnd(end);
    }
    this.time = next;
    if (!this.client.pending && next !== this.wanted) this.want(next);
  }

  private stopAtEnd(end: number): void {
    this.playing = false;
    this.want(end);
    this.emit('playing');
  }

  private extending = false;

  async extend(): Promise<void> {
    if (this.extending) return;
    this.extending = true;
    try {
      await this.client.extend(this.until + Math.max(10, 0.5 * this.until));
      this.emit('progress');
    } finally {
      this.extending = false;
    }
  }

  select(id: number | null): void {
    this.selected = id;
    if (id === null) this.follow = false;
    this.emit('selected');
  }

  body(id: number): Body | undefined {
    return this.bodies.find((body) => body.id === id);
  }

  clearCollision(): void {
    if (this.collision === null) return;
    this.collision = null;
    this.collisionIndex = -1;
    this.emit('collision');
  }

  /** The next collision after the picture (1), or the one before (−1), of the body `of` only where one is given. */
  async step(direction: 1 | -1, of: number | null = null): Promise<boolean> {
    this.pause();
    const index = this.findCollision(direction, of);
    if (index === null) return false;
    await this.showCollision(index);
    return true;
  }

  private findCollision(direction: 1 | -1, of: number | null): number | null {
    const { events } = this.client;
    let row: number;
    if (this.collisionIndex >= 0) row = this.collisionIndex + direction;
    else if (direction > 0) row = events.find(this.time);
    else row = events.find(this.time) - 1;
    for (; row >= 0 && row < events.length; row += direction) {
      if (events.at(row, 1) !== COLLISION) continue;
      if (of === null || events.at(row, 2) === of || events.at(row, 3) === of) return row;
    }
    return null;
  }

  /** Goes to the instant of a collision, by its place among all events. */
  async showCollision(index: number): Promise<void> {
    this.pause();
    const time = this.client.events.at(index, 0);
    this.want(time);
    const collision = await this.client.collision(index);
    this.collision = collision;
    this.collisionIndex = index;
    this.emit('collision');
  }

  /** Makes a change at the instant of the picture; says why not where it is refused. */
  async change(change: Change): Promise<boolean> {
    const playing = this.playing;
    try {
      if (!playing && this.time !== this.shown) this.want(this.time);
      this.changes = await this.client.edit(change);
      this.clearCollision();
      // What is due at an instant is done after all its events: the picture, and what is asked for then, is of the next
      // instant there is.
      this.want(nextUp(this.shown));
      if (['insert', 'remove'].includes(change.kind)) await this.refreshBodies();
      else if (!['press', 'release', 'move'].includes(change.kind)) {
        this.surroundings = await this.client.surroundings();
        this.emit('surroundings');
      }
      this.emit('changes');
      return true;
    } catch (error) {
      if (error instanceof EngineError) this.refused(error.message);
      return false;
    }
  }

  /** Makes a change at a time that has been computed, s; what plays goes on from there. */
  async changeAt(time: number, change: Change): Promise<boolean> {
    if (time !== this.shown) this.want(time);
    return this.change(change);
  }

  refused: (message: string) => void = () => {};

  async undo(index = this.changes.length - 1): Promise<void> {
    if (index < 0) return;
    this.changes = await this.client.undo(index);
    await this.refreshBodies();
    this.emit('changes');
    this.want(this.time);
  }

  close(): void {
    this.client.close();
  }
}
