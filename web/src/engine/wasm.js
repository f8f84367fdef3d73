// The functions of crates/carom-web/src/abi.rs. Plain JavaScript, because Node's tools use it, too.

/** What the engine refuses, with everything it says about it. */
export class Refused extends Error {
  constructor(value) {
    super(value?.error ?? 'refused');
    this.value = value;
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Engine {
  constructor(exports) {
    this.exports = exports;
  }

  /** From the bytes of the module, or from the module compiled. */
  static async from(source) {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const instance = await WebAssembly.instantiate(module, {});
    return new Engine(instance.exports);
  }

  /** Answers a request: its value, and numbers where there are many. */
  call(request) {
    const bytes = encoder.encode(JSON.stringify(request));
    const { exports } = this;
    const at = exports.input(bytes.length);
    if (at === 0) throw new Refused({ error: 'the request is too long' });
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    const status = exports.call();
    // Copied at once: the next call may move everything.
    const text = new Uint8Array(exports.memory.buffer, exports.text_at(), exports.text_length());
    const value = JSON.parse(decoder.decode(text.slice()));
    if (status !== 0) throw new Refused(value);
    const count = exports.numbers_length();
    const numbers = new Float64Array(exports.memory.buffer, exports.numbers_at(), count).slice();
    return { value, numbers };
  }

  /** Runs ahead by at most so many events: 0 more to come, 1 the end, 2 cannot go on. */
  ahead(events) {
    return this.exports.ahead(events);
  }

  /** The states of all bodies at a time (s), and the time that they are of. */
  frame(time) {
    const { exports } = this;
    const at = exports.frame(time);
    const numbers = new Float32Array(exports.memory.buffer, exports.frame_at(), exports.frame_length());
    return { time: at, numbers: numbers.slice() };
  }
}
