// The golden runs of the library, in WebAssembly: every bit of some fifty runs of all methods.
// node tests/golden.mjs golden.wasm

import { readFileSync } from 'node:fs';

const module = new WebAssembly.Module(readFileSync(process.argv[2]));
const start = performance.now();
const { exports } = new WebAssembly.Instance(module, {});
const name = (scene) => {
  let text = '';
  for (let letter = 0, code; (code = exports.golden_name(scene, letter)) !== 0; letter++) text += String.fromCharCode(code);
  return text;
};
const count = exports.golden_count();
const wrong = [];
for (let scene = 0; scene < count; scene++) {
  if (exports.golden_is_the_same(scene) !== 1) wrong.push(name(scene));
}
if (count < 40) throw new Error(`only ${count} golden runs were found`);
if (wrong.length > 0) throw new Error(`other bits in WebAssembly: ${wrong.join(', ')}`);
console.log(`${count} golden runs have the same bits in WebAssembly (${((performance.now() - start) / 1000).toFixed(1)} s)`);
