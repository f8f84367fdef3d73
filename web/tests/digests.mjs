// All sample scenes, run by the command and in WebAssembly: the same digests and numbers of collisions.
// node tests/digests.mjs carom engine.wasm scenes

import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { promisify } from 'node:util';
import { Engine } from '../src/engine/wasm.js';

const [carom, engineFile, folder] = process.argv.slice(2);
const run = promisify(execFile);
const module = new WebAssembly.Module(readFileSync(engineFile));
const meshes = readdirSync(folder).filter((name) => name.endsWith('.obj'));
const start = performance.now();

/** By the command, in a process of its own, while the engine runs here. */
async function native(file) {
  const { stdout } = await run(carom, ['run', `${folder}/${file}`, '--json', '--quiet'], { maxBuffer: 1 << 28 });
  const { digest, collisions } = JSON.parse(stdout.trim().split('\n').pop());
  return { digest, collisions };
}

async function inWasm(file) {
  const text = readFileSync(`${folder}/${file}`, 'utf8');
  const files = meshes.filter((mesh) => text.includes(`"${mesh}"`)).map((mesh) => [mesh, readFileSync(`${folder}/${mesh}`, 'utf8')]);
  const engine = await Engine.from(module);
  engine.call({ do: 'load', name: file, text, files });
  while (engine.ahead(10_000) === 0) {
    // Pictures in between change nothing.
    engine.frame(0.5 * engine.call({ do: 'status' }).value.ahead);
  }
  const { digest, collisions } = engine.call({ do: 'digest' }).value;
  return { digest, collisions };
}

const wrong = [];
const files = readdirSync(folder).filter((name) => name.endsWith('.toml')).sort();
for (const file of files) {
  const there = native(file);
  const here = await inWasm(file);
  const expected = await there;
  if (here.digest !== expected.digest || Number(here.collisions) !== Number(expected.collisions.total ?? expected.collisions)) {
    wrong.push(`${file}: ${JSON.stringify(here)} in place of ${JSON.stringify(expected)}`);
  }
}
if (files.length < 50) throw new Error(`only ${files.length} scenes were found`);
if (wrong.length > 0) throw new Error(`other bits in WebAssembly:\n${wrong.join('\n')}`);
console.log(`${files.length} scenes have the same bits in WebAssembly (${((performance.now() - start) / 1000).toFixed(1)} s)`);
