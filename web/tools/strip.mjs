// Copies a WebAssembly module without what only debuggers read: the names of functions, and who made it.
// node tools/strip.mjs from.wasm to.wasm

import { readFileSync, writeFileSync } from 'node:fs';

const LEFT_OUT = ['name', 'producers'];

/** The sections of a module that are kept; the first eight bytes say what it is. */
function kept(bytes) {
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const [start, kind] = [at, bytes[at]];
    const [length, content] = number(bytes, at + 1);
    at = content + length;
    const [letters, name] = kind === 0 ? number(bytes, content) : [0, content];
    if (kind !== 0 || !LEFT_OUT.includes(bytes.toString('utf8', name, name + letters))) parts.push(bytes.subarray(start, at));
  }
  return Buffer.concat(parts);
}

/** A whole number as the format writes it (LEB128), and where it ends. */
function number(bytes, from) {
  let [value, at, scale] = [0, from, 1];
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    scale *= 128;
    if (byte < 128) return [value, at];
  }
}

const [from, to] = process.argv.slice(2);
const module = kept(readFileSync(from));
if (!WebAssembly.validate(module)) throw new Error(`${from} is no module any more`);
writeFileSync(to, module);
