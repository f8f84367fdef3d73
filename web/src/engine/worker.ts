// The worker that holds the engine. It answers requests, hands out pictures, and runs ahead in between.

import { Engine, Refused } from './wasm.js';
import { EVENT_ROW, type Status } from './types';

export type ToWorker =
  | { type: 'start'; module: WebAssembly.Module }
  | { type: 'call'; id: number; request: Record<string, unknown> }
  | { type: 'frame'; id: number; time: number }
  | { type: 'run'; on: boolean; lookahead: number };

export type FromWorker =
  | { type: 'ready' }
  | { type: 'taken'; id: number }
  | { type: 'answer'; id: number; value: unknown; numbers: Float64Array }
  | { type: 'refused'; id: number; value: unknown }
  | { type: 'frame'; id: number; time: number; numbers: Float32Array }
  | { type: 'progress'; status: Status; events: Float64Array; samples: Float64Array; eventsFrom: number; samplesFrom: number }
  | { type: 'crashed'; message: string };

let engine: Engine | null = null;
const waiting: ToWorker[] = [];
/** Whether the engine may run ahead, and how far before the picture, s. */
let ahead = { on: false, lookahead: Infinity };
let more = false;
let pictureTime = 0;
let headTime = 0;
const told = { events: 0, samples: 0, width: 13, at: 0 };
/** Events in one go: few at first, so that the first picture of a large scene is not kept waiting. */
let batch = 200;

const wake = new MessageChannel();
wake.port1.onmessage = () => turn();
let scheduled = false;

function schedule(): void {
  if (!scheduled) {
    scheduled = true;
    wake.port2.postMessage(0);
  }
}

function post(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}

self.onmessage = (event: MessageEvent<ToWorker>) => {
  waiting.push(event.data);
  schedule();
};

function turn(): void {
  scheduled = false;
  try {
    answerAll();
    if (engine && ahead.on && more && headTime < pictureTime + ahead.lookahead) {
      runAhead(engine);
      schedule();
    }
  } catch (error) {
    // A trap: the instance is of no use any more. The page starts another one.
    engine = null;
    post({ type: 'crashed', message: error instanceof Error ? error.message : String(error) });
  }
  if (waiting.length > 0) schedule();
}

function answerAll(): void {
  // Of several pictures that are asked for only the last one is wanted.
  const messages = waiting.splice(0);
  const lastFrame = messages.findLastIndex((message) => message.type === 'frame');
  messages.forEach((message, index) => {
    if (message.type === 'frame' && index !== lastFrame) return;
    answer(message);
  });
}

function answer(message: ToWorker): void {
  if (message.type === 'start') {
    void Engine.from(message.module).then((made) => {
      engine = made;
      post({ type: 'ready' });
      schedule();
    });
    return;
  }
  if (message.type === 'run') {
    ahead = { on: message.on, lookahead: message.lookahead };
    return;
  }
  if (!engine) {
    if (message.type === 'call') post({ type: 'refused', id: message.id, value: { error: 'the engine is not there' } });
    return;
  }
  if (message.type === 'frame') {
    const { time, numbers } = engine.frame(message.time);
    pictureTime = time;
    post({ type: 'frame', id: message.id, time, numbers }, [numbers.buffer]);
    return;
  }
  call(engine, message.id, message.request);
}

/** Requests after which what was told of the run before may not hold any more. */
const CHANGING = new Set(['load', 'edit', 'undo', 'extend', 'close']);

function call(engine: Engine, id: number, request: Record<string, unknown>): void {
  if (request.do === 'load') post({ type: 'taken', id });
  try {
    const { value, numbers } = engine.call(request);
    if (CHANGING.has(request.do as string)) forget(engine, request.do as string);
    post({ type: 'answer', id, value, numbers }, [numbers.buffer]);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (request.do === 'load') more = false;
    post({ type: 'refused', id, value: error.value });
  }
}

function forget(engine: Engine, what: string): void {
  more = what !== 'close';
  if (what === 'load' || what === 'close') {
    Object.assign(told, { events: 0, samples: 0, at: 0 });
    headTime = 0;
    pictureTime = 0;
    batch = 200;
  }
  if (what !== 'close') {
    const status = engine.call({ do: 'status' }).value as Status;
    headTime = status.ahead;
    told.events = Math.min(told.events, status.events);
    const samples = engine.call({ do: 'samples', from: 0 }).numbers.length / told.width;
    told.samples = Math.min(told.samples, samples);
    tell(engine);
  }
}

/** For about so long at a time, ms: pictures that are asked for meanwhile wait. */
const SLICE = 7;
const TELL_EVERY = 80;

/** So many events in one go where it may not run far ahead. */
const NEAR = 8;

function runAhead(engine: Engine): void {
  if (ahead.lookahead < Infinity) return runNear(engine);
  const start = performance.now();
  let status = 0;
  let last = start;
  do {
    status = engine.ahead(batch);
    const now = performance.now();
    // As many as take a few milliseconds.
    if (now - last < 1.5) batch = Math.min(batch * 2, 20000);
    else if (now - last > 5) batch = Math.max(20, batch >> 1);
    last = now;
  } while (status === 0 && last - start < SLICE && waiting.length === 0);
  more = status === 0;
  if (!more || last - told.at > TELL_EVERY) tell(engine);
}

/** A few events, and how far that is: whoever plays changes what comes after it. */
function runNear(engine: Engine): void {
  more = engine.ahead(NEAR) === 0;
  headTime = (engine.call({ do: 'status' }).value as Status).ahead;
  const enough = headTime >= pictureTime + ahead.lookahead;
  if (!more || enough || performance.now() - told.at > TELL_EVERY) tell(engine);
}

function tell(engine: Engine): void {
  told.at = performance.now();
  const status = engine.call({ do: 'status' }).value as Status;
  headTime = status.ahead;
  const events = engine.call({ do: 'events', from: told.events }).numbers as Float64Array<ArrayBuffer>;
  const samples = engine.call({ do: 'samples', from: told.samples }).numbers as Float64Array<ArrayBuffer>;
  const message: FromWorker = {
    type: 'progress',
    status,
    events,
    samples,
    eventsFrom: told.events,
    samplesFrom: told.samples,
  };
  told.events += events.length / EVENT_ROW;
  told.samples += samples.length / told.width;
  post(message, [events.buffer, samples.buffer]);
  // The rest of a long list comes with the next ones.
  if (told.events < status.events && !more) setTimeout(() => engine && tell(engine), 0);
}
