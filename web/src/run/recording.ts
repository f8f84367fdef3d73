// A run folder: what was recorded, read from disk as it is needed. Nothing is computed.

import { engineFiles } from '../embedded';
import { Client } from '../engine/client';
import type { Body } from '../engine/types';
import { presence, type Presence } from './presence';
import { RunTable } from './tables';
import { shownOf, thinning } from './thinning';

/** A scene with more bodies is not read again for its shapes. */
const MOST_SHAPES = 20_000;
/** Of more bodies the numbers are names enough. */
const MOST_NAMED = 200_000;
/** As many events as are read. */
const MOST_EVENTS = 500_000;

interface Manifest {
  dimension: 2 | 3;
  stage: 'running' | 'ended' | 'complete';
  scene: { title: string; file: string; overrides: string[]; tables?: { given: string; file: string }[] };
  collisions: number;
  time: number;
  schedule: { until: number };
  /** Of the tables that grow, at the last checkpoint. */
  rows?: { events: number; frames: number; audit: number };
}

/** An event in short, by its row in the table. */
export interface RecordedEvent {
  row: number;
  time: number;
  kind: string;
  /** Of a collision, from 1. */
  number: number;
  /** Bodies; −1 where there is none. */
  a: number;
  b: number;
}

/** All that is shown of one instant: the numbers of a picture, and the largest speed, m/s. */
export interface Recorded {
  numbers: Float32Array;
  fastest: number;
}

export class Recording {
  /**
   * The bodies that are shown, with shapes where the scene in the folder can be read. Where bodies are left out (`step`)
   * they have numbers of their own: what is not shown takes no memory.
   */
  bodies: Body[] = [];
  /** How many bodies the run has. */
  count = 0;
  /** Of the recorded frames, s. */
  times: Float64Array = new Float64Array(0);
  /** Of the first events, s. */
  events: Float64Array = new Float64Array(0);
  /** How many events there are. */
  eventCount = 0;
  /** Every how many bodies one is shown. */
  step = 1;
  /** Bodies of a frame. */
  perFrame = 0;
  private frames!: RunTable;
  private comings: Presence = presence([], [], []);
  private kinds: string[] = [];
  /** The numbers and the bodies of the first events. */
  private others: Float64Array[] = [];
  private eventTable: RunTable | null = null;
  private names: string[] = [];

  private constructor(
    private readonly folder: string,
    readonly manifest: Manifest,
  ) {}

  static async open(folder: string): Promise<Recording> {
    const response = await fetch(`${folder}run.json`);
    if (!response.ok) throw new Error(`run.json: ${response.status}`);
    const recording = new Recording(folder, (await response.json()) as Manifest);
    await recording.read();
    return recording;
  }

  /** Whether the run has come to its end. */
  get isComplete(): boolean {
    return this.manifest.stage === 'complete';
  }

  /** A table that grows while the run goes on: as far as the last checkpoint tells of it. */
  private table(name: 'events' | 'frames' | 'audit'): Promise<RunTable> {
    return RunTable.open(this.folder, name, this.isComplete ? null : (this.manifest.rows?.[name] ?? 0));
  }

  private async read(): Promise<void> {
    const bodies = await RunTable.open(this.folder, 'bodies');
    const [radii, masses] = (await bodies.numbers(['radius', 'mass'], 0, bodies.rows)) as [Float64Array, Float64Array];
    const motions = await bodies.texts('motion', 0, bodies.rows);
    this.names = bodies.rows > MOST_NAMED ? [] : await bodies.texts('name', 0, bodies.rows);
    const plain = (id: number, shown: number): Body => ({
      id: shown, name: '', shape: 'ball', form: Number.isFinite(radii[id]!) ? { kind: 'ball', radius: radii[id]! } : { kind: 'none' },
      material: '', motion: motions[id] === 'free' ? 'free' : motions[id] === 'kinematic' ? 'kinematic' : 'static', sensor: false,
      radius: radii[id]!, mass: masses[id]!, inertia: null,
    });
    const known = new Map((await this.shapes(bodies.rows)).map((body) => [body.id, body]));
    this.count = bodies.rows;
    // "fixed" is what early versions wrote.
    this.perFrame = motions.filter((motion) => motion !== 'static' && motion !== 'fixed').length;
    this.step = thinning(this.perFrame);
    this.bodies = Array.from({ length: Math.ceil(this.count / this.step) }, (_, group) => {
      const id = shownOf(group, this.step);
      return known.get(id) ?? plain(id, group);
    });
    this.frames = await this.table('frames');
    const audit = await this.table('audit');
    // Of a run that was cut off the last frame may be there in part.
    const whole = this.perFrame > 0 ? Math.floor(this.frames.rows / this.perFrame) : audit.rows;
    this.times = (await audit.numbers(['time'], 0, Math.min(audit.rows, whole)))[0]!;
  }

  /** The bodies of the scene in the folder, with their shapes; none where there are too many, or it cannot be read. */
  private async shapes(count: number): Promise<Body[]> {
    if (count > MOST_SHAPES) return [];
    const { file, overrides, tables } = this.manifest.scene;
    const read = async (name: string) => {
      const response = await fetch(`${this.folder}${name}`);
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      return response.text();
    };
    const client = new Client(engineFiles());
    try {
      const files = await Promise.all((tables ?? []).map(async (table): Promise<[string, string]> => [table.given, await read(table.file)]));
      const set = overrides.map((given) => [given.slice(0, given.indexOf('=')), given.slice(given.indexOf('=') + 1)]);
      await client.call({ do: 'load', name: file, text: await read(file), files, set });
      return await client.bodies();
    } catch {
      return [];
    } finally {
      client.close();
    }
  }

  /** Reads the events, which may be many: until then all bodies are taken to be there. */
  async readEvents(): Promise<void> {
    try {
      const events = await this.table('events');
      this.eventCount = events.rows;
      const count = Math.min(events.rows, MOST_EVENTS);
      const [times, ...others] = (await events.numbers(['time', 'number', 'a', 'b'], 0, count)) as [Float64Array, ...Float64Array[]];
      this.kinds = await events.texts('kind', 0, count);
      this.comings = presence(this.kinds, times, others[1]!);
      [this.events, this.others, this.eventTable] = [times, others, events];
    } catch {
      // A run that keeps no events has no table of them.
      this.eventCount = 0;
    }
  }

  /** What a body is called. */
  name(id: number): string {
    return this.names[id] || `body ${id}`;
  }

  /** The events after a time (s; with the start, those at it, too) up to another, so many at most. */
  eventsWithin(from: number, to: number, most: number): RecordedEvent[] {
    const { events, kinds, others } = this;
    let first = 0;
    for (let high = events.length; first < high; ) {
      const middle = (first + high) >> 1;
      if (from === 0 ? events[middle]! < from : events[middle]! <= from) first = middle + 1;
      else high = middle;
    }
    const found: RecordedEvent[] = [];
    for (let row = first; row < events.length && events[row]! <= to && found.length < most; row++) {
      const [number, a, b] = others.map((column) => column[row]!) as [number, number, number];
      found.push({ row, time: events[row]!, kind: kinds[row]!, number, a, b });
    }
    return found;
  }

  /** All numbers of an event. */
  async event(row: number): Promise<Map<string, number>> {
    const table = this.eventTable;
    if (!table) throw new Error('the run has no table of events');
    const axes = this.manifest.dimension === 2 ? ['_x', '_y'] : ['_x', '_y', '_z'];
    const turns = this.manifest.dimension === 2 ? [''] : axes;
    const sides = ['a', 'b'].flatMap((side) => ['_before', '_after'].flatMap((end) => [...axes.map((axis) => `${side}_velocity${axis}${end}`), ...turns.map((axis) => `${side}_angular_velocity${axis}${end}`)]));
    const columns = [...['impulse', 'normal'].flatMap((name) => axes.map((axis) => name + axis)), ...sides, 'energy_lost', 'approach_speed'];
    const values = await table.numbers(columns, row, row + 1);
    return new Map(columns.map((column, i) => [column, values[i]![0]!]));
  }

  /** What was recorded in a frame. */
  async states(frame: number): Promise<Recorded> {
    const flat = this.manifest.dimension === 2;
    const turns = flat ? ['angle'] : ['orientation_x', 'orientation_y', 'orientation_z', 'orientation_w'];
    const axes = flat ? ['x', 'y'] : ['x', 'y', 'z'];
    const columns = ['body', ...axes, ...turns, ...axes.map((axis) => `velocity_${axis}`)];
    const stride = columns.length - 1;
    const numbers = new Float32Array(this.bodies.length * stride).fill(NaN);
    // Frames leave out what does not move.
    const time = this.times[frame]!;
    for (const { id, stands, waits } of this.bodies) {
      if (!stands || !this.comings.isThere(id, time, !waits)) continue;
      numbers.fill(0, id * stride, (id + 1) * stride);
      numbers.set([...stands.position, ...stands.orientation], id * stride);
    }
    const from = frame * this.perFrame;
    const [ids, ...values] = await this.frames.numbers(columns, from, from + this.perFrame);
    let fastest = 0;
    for (let row = 0; row < ids!.length; row++) {
      const group = Math.floor(ids![row]! / this.step);
      if (ids![row] !== shownOf(group, this.step)) continue;
      const at = group * stride;
      let square = 0;
      for (let k = 0; k < stride; k++) {
        numbers[at + k] = values[k]![row]!;
        if (k >= axes.length + turns.length) square += values[k]![row]! ** 2;
      }
      if (square > fastest) fastest = square;
    }
    return { numbers, fastest: Math.sqrt(fastest) };
  }
}
