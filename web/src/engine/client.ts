// The engine as the page sees it: a worker with requests, pictures and progress.

import type { FromWorker, ToWorker } from './worker';
import type { Body, Budget, Change, Collision, Facts, MadeChange, SceneSource, Status, Surroundings, BodyState } from './types';
import { EDITED, EVENT_ROW } from './types';
import { Growing } from '../growing';

export class EngineError extends Error {
  constructor(
    message: string,
    readonly value: { error: string; problems?: import('./types').Problem[]; text?: string },
  ) {
    super(message);
  }
}

/** A worker that does not begin with another scene for so long, ms, is busy with something that has no end. */
const STUCK = 5000;

interface Waiting {
  resolve: (answer: { value: unknown; numbers: Float64Array }) => void;
  reject: (error: Error) => void;
}

/** Where the engine's files are: beside the page, or inside of it in an exported file. */
export interface EngineFiles {
  module: Promise<WebAssembly.Module>;
  worker: string;
}

export class Client {
  private worker: Worker;
  private isReady: () => void = () => {};
  private ready: Promise<void> = new Promise((resolve) => (this.isReady = resolve));
  private next = 1;
  private waiting = new Map<number, Waiting>();
  /** Rows of all events that have been told of. */
  readonly events = new Growing(EVENT_ROW);
  /** Rows of the budgets. */
  readonly samples = new Growing(13);
  status: Status | null = null;
  facts: Facts | null = null;
  onFrame: (time: number, numbers: Float32Array) => void = () => {};
  onProgress: (status: Status) => void = () => {};
  onCrash: (message: string) => void = () => {};
  /** Whether a picture has been asked for that is not there yet. */
  pending = false;
  /** The number of the last picture that was asked for. */
  private asked = 0;

  constructor(private readonly files: EngineFiles) {
    this.worker = this.start();
  }

  private start(): Worker {
    const worker = new Worker(this.files.worker, { name: 'carom' });
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.receive(event.data);
    worker.onerror = (event) => this.crash(event.message || 'the worker could not be started');
    this.files.module.then(
      (module) => this.post({ type: 'start', module }),
      (error: Error) => this.crash(`the engine could not be loaded: ${error.message}`),
    );
    return worker;
  }

  private post(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private receive(message: FromWorker): void {
    this.heard = performance.now();
    switch (message.type) {
      case 'taken':
        this.taken = message.id;
        return;
      case 'ready':
        this.isReady();
        return;
      case 'answer':
        this.take(message.id)?.resolve({ value: message.value, numbers: message.numbers });
        return;
      case 'refused': {
        const value = message.value as EngineError['value'];
        this.take(message.id)?.reject(new EngineError(value.error, value));
        return;
      }
      case 'frame':
        this.pending = message.id !== this.asked;
        this.onFrame(message.time, message.numbers);
        return;
      case 'progress':
        this.status = message.status;
        this.events.put(message.eventsFrom, message.events);
        this.noteEdits(message.eventsFrom);
        this.samples.put(message.samplesFrom, message.samples);
        this.onProgress(message.status);
        return;
      case 'crashed':
        this.crash(message.message);
    }
  }

  /** When bodies were changed from outside, by actions too, s. */
  edits: number[] = [];
  private editRows: number[] = [];

  private noteEdits(from: number): void {
    const { edits, editRows, events } = this;
    while (editRows.length > 0 && editRows[editRows.length - 1]! >= from) {
      editRows.pop();
      edits.pop();
    }
    for (let row = from; row < events.length; row++) {
      if (events.at(row, 1) !== EDITED) continue;
      editRows.push(row);
      edits.push(events.at(row, 0));
    }
  }

  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  /** Whatever happened to the engine, the page goes on with a new one. */
  private crash(message: string): void {
    this.restart(message);
    this.onCrash(message);
  }

  /** A new engine; whoever waits for the old one is told why. */
  private restart(message: string): void {
    const error = new EngineError(message, { error: message });
    for (const waiting of this.waiting.values()) waiting.reject(error);
    this.waiting.clear();
    this.worker.terminate();
    this.pending = false;
    this.ready = new Promise((resolve) => (this.isReady = resolve));
    this.worker = this.start();
  }

  /** When the worker was last heard of, and the last scene that it began with. */
  private heard = 0;
  private taken = 0;

  /** For how long something has been waited for without a word from the worker, ms. */
  get silence(): number {
    return this.waiting.size > 0 || this.pending ? performance.now() - this.heard : 0;
  }

  close(): void {
    this.worker.terminate();
    this.onFrame = this.onProgress = this.onCrash = () => {};
  }

  async call<T>(request: Record<string, unknown>): Promise<{ value: T; numbers: Float64Array }> {
    await this.ready;
    const id = this.next++;
    if (this.silence === 0) this.heard = performance.now();
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as Waiting['resolve'], reject });
      this.post({ type: 'call', id, request });
      if (request.do === 'load') setTimeout(() => this.insist(id, request), STUCK);
    });
  }

  /** A scene that the worker has not begun with gets another worker: the old one is busy without end. */
  private insist(id: number, request: Record<string, unknown>): void {
    const waiting = this.waiting.get(id);
    if (!waiting || this.taken >= id) return;
    this.waiting.delete(id);
    this.restart('another scene was opened');
    this.call(request).then(waiting.resolve as (answer: { value: unknown; numbers: Float64Array }) => void, waiting.reject);
  }

  private async value<T>(request: Record<string, unknown>): Promise<T> {
    return (await this.call<T>(request)).value;
  }

  async load(scene: SceneSource): Promise<Facts> {
    this.facts = await this.value<Facts>({ do: 'load', ...scene });
    this.events.clear();
    this.noteEdits(0);
    this.samples.clear();
    return this.facts;
  }

  check(scene: SceneSource): Promise<Facts> {
    return this.value({ do: 'check', ...scene });
  }

  schema(): Promise<string> {
    return this.value({ do: 'schema' });
  }

  bodies(): Promise<Body[]> {
    return this.value({ do: 'bodies' });
  }

  surroundings(): Promise<Surroundings> {
    return this.value({ do: 'surroundings' });
  }

  collision(index: number): Promise<Collision | null> {
    return this.value({ do: 'event', index });
  }

  budget(): Promise<Budget> {
    return this.value({ do: 'budget' });
  }

  body(body: number): Promise<BodyState | null> {
    return this.value({ do: 'body', body });
  }

  edit(edit: Change): Promise<MadeChange[]> {
    return this.value({ do: 'edit', edit });
  }

  undo(index: number): Promise<MadeChange[]> {
    return this.value({ do: 'undo', index });
  }

  extend(until: number): Promise<Status> {
    return this.value({ do: 'extend', until });
  }

  digest(): Promise<{ digest: string; time: number; collisions: number }> {
    return this.value({ do: 'digest' });
  }

  pick(point: number[], direction: number[] | null, reach: number): Promise<number | null> {
    return this.value({ do: 'pick', point, ...(direction ? { direction } : {}), reach });
  }

  async trail(body: number, from: number, points: number): Promise<Float64Array> {
    return (await this.call({ do: 'trail', body, from, points })).numbers;
  }

  async states(): Promise<Float64Array> {
    return (await this.call({ do: 'states' })).numbers;
  }

  /** Asks for a picture; the last one that was asked for comes. */
  frame(time: number): void {
    if (this.silence === 0) this.heard = performance.now();
    this.pending = true;
    this.post({ type: 'frame', id: ++this.asked, time });
  }

  run(on: boolean, lookahead: number): void {
    this.post({ type: 'run', on, lookahead });
  }
}
