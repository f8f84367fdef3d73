// How fast the engine is in WebAssembly, beside the command: the table of docs/page.md.
// node tests/speed.mjs carom engine.wasm scenes

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from '../src/engine/wasm.js';

const [carom, engineFile, scenes] = process.argv.slice(2);
const module = new WebAssembly.Module(readFileSync(engineFile));
const folder = mkdtempSync(join(tmpdir(), 'carom-speed-'));

function gas(count, until) {
  const side = Math.sqrt((count * Math.PI * 0.25) / 0.3);
  return `version = 1
title = "gas of ${count}"
dimension = 2
periodic = [${side}, ${side}]
run.until = ${until}
[[generate]]
kind = "random"
count = ${count}
radius = 0.5
mass = 1.0
velocity = { speed = 1.0 }
`;
}

const cases = [
  ['break', readFileSync(join(scenes, 'break.toml'), 'utf8'), 200],
  ['gas of 1,000 discs', gas(1000, 400), 1],
  ['gas of 10,000 discs', gas(10_000, 60), 1],
  ['pile', readFileSync(join(scenes, 'pile.toml'), 'utf8'), 1],
];

/** Seconds of processor time of this process. */
const used = () => process.cpuUsage().user / 1e6;

async function wasm(text, repeat) {
  let [best, digest] = [Infinity, ''];
  for (let turn = 0; turn < 3; turn++) {
    const engines = [];
    for (let i = 0; i < repeat; i++) {
      const engine = await Engine.from(module);
      engine.call({ do: 'load', name: 'a.toml', text, files: [] });
      engines.push(engine);
    }
    const start = used();
    for (const engine of engines) while (engine.ahead(20_000) === 0);
    best = Math.min(best, (used() - start) / repeat);
    digest = engines[0].call({ do: 'digest' }).value.digest;
  }
  return { seconds: best, digest };
}

/** Seconds of processor time that a command takes. */
function timed(...given) {
  const script = `TIMEFORMAT=%U; time ${given.map((word) => `'${word}'`).join(' ')} >/dev/null`;
  return Number(execFileSync('bash', ['-c', `{ ${script}; } 2>&1`]).toString().trim());
}

function native(text) {
  const file = join(folder, 'a.toml');
  writeFileSync(file, text);
  let [best, digest] = [Infinity, ''];
  for (let turn = 0; turn < 5; turn++) {
    const out = JSON.parse(execFileSync(carom, ['run', file, '--json', '--quiet'], { maxBuffer: 1 << 28 }).toString().trim().split('\n').pop());
    // What takes long is measured by the processor's clock, less what reading the scene takes: others may be busy, too.
    const seconds = out.timings.run_s < 0.1 ? out.timings.run_s : timed(carom, 'run', file, '--quiet') - timed(carom, 'check', file);
    best = Math.min(best, seconds);
    digest = out.digest;
  }
  return { seconds: best, digest };
}

console.log('scene | native, s | WebAssembly, s | native / WebAssembly | the same bits');
for (const [name, text, repeat] of cases) {
  const [a, b] = [native(text), await wasm(text, repeat)];
  console.log(`${name} | ${a.seconds.toPrecision(3)} | ${b.seconds.toPrecision(3)} | ${(a.seconds / b.seconds).toFixed(2)} | ${a.digest === b.digest}`);
}

// Pictures of 10,000 discs: what the worker has to do for one.
const engine = await Engine.from(module);
engine.call({ do: 'load', name: 'a.toml', text: gas(10_000, 20), files: [] });
while (engine.ahead(20_000) === 0);
const [start, pictures] = [used(), 300];
for (let i = 0; i < pictures; i++) engine.frame(5 + i / 60);
console.log(`10,000 discs: ${((1000 * (used() - start)) / pictures).toFixed(2)} ms for a picture, at 60 pictures a second of world time`);
