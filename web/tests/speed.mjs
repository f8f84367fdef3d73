// How fast the engine is in Chromium, beside the command, and what pictures of 10,000 discs take: the tables of
// docs/page.md. Processor time counts, so that others may be busy on the machine, too.
// CAROM=carom node tests/speed.mjs engine.wasm scenes

import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carom, closeBrowser, newPage, play } from './harness.mjs';

const [engineFile, scenes] = process.argv.slice(2);
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

/** A blank page that can have the engine, on an address of its own. */
const host = createServer((request, response) => {
  const files = { '/wasm.js': [new URL('../src/engine/wasm.js', import.meta.url).pathname, 'text/javascript'], '/carom.wasm': [engineFile, 'application/wasm'] };
  const [path, type] = files[request.url] ?? [null, 'text/html'];
  response.writeHead(200, { 'Content-Type': type });
  if (path) createReadStream(path).pipe(response);
  else response.end('<!doctype html><title>speed</title>');
});
await new Promise((resolve) => host.listen(0, '127.0.0.1', resolve));
const { page } = await newPage();
await page.goto(`http://127.0.0.1:${host.address().port}/`);
const tools = await page.context().newCDPSession(page);
await tools.send('Performance.enable', { timeDomain: 'threadTicks' });

/** Seconds of processor time that the page's thread has used. */
async function used() {
  const { metrics } = await tools.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration').value;
}

await page.evaluate(async () => {
  const { Engine } = await import('/wasm.js');
  window.engine = await Engine.from(await WebAssembly.compileStreaming(fetch('/carom.wasm')));
  window.load = (text) => window.engine.call({ do: 'load', name: 'a.toml', text, files: [] });
  window.run = () => {
    while (window.engine.ahead(20_000) === 0);
  };
});

/** Seconds that something takes in the page. */
async function during(work, given) {
  const start = await used();
  await page.evaluate(work, given);
  return (await used()) - start;
}

async function inBrowser(text, repeat) {
  let best = Infinity;
  for (let turn = 0; turn < 5; turn++) {
    const loading = await during(([given, count]) => {
      for (let i = 0; i < count; i++) window.load(given);
    }, [text, repeat]);
    const both = await during(([given, count]) => {
      for (let i = 0; i < count; i++) {
        window.load(given);
        window.run();
      }
    }, [text, repeat]);
    best = Math.min(best, (both - loading) / repeat);
  }
  const digest = await page.evaluate(() => window.engine.call({ do: 'digest' }).value.digest);
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
    // What takes long is measured by the processor's clock, less what reading the scene takes.
    const seconds = out.timings.run_s < 0.1 ? out.timings.run_s : timed(carom, 'run', file, '--quiet') - timed(carom, 'check', file);
    best = Math.min(best, seconds);
    digest = out.digest;
  }
  return { seconds: best, digest };
}

console.log('| scene | native, s | WebAssembly, s | native / WebAssembly | the same bits |\n|---|---|---|---|---|');
for (const [name, text, repeat] of cases) {
  const [a, b] = [native(text), await inBrowser(text, repeat)];
  console.log(`| ${name} | ${a.seconds.toPrecision(3)} | ${b.seconds.toPrecision(3)} | ${(a.seconds / b.seconds).toFixed(2)} | ${a.digest === b.digest ? 'yes' : 'NO'} |`);
}

// Pictures of 10,000 discs: what the engine has to do for one, at 60 of them in a second of world time.
const PICTURES = 300;
await page.evaluate((text) => {
  window.load(text);
  window.run();
}, gas(10_000, 20));
const pictures = await during((count) => {
  for (let i = 0; i < count; i++) window.engine.frame(5 + i / 60);
}, PICTURES);
const each = (1000 * pictures) / PICTURES;
console.log(`\n10,000 discs: ${each.toFixed(2)} ms of simulation work for a picture, ${(1000 / each).toFixed(0)} pictures a second`);

// The same in the page itself, with the drawing.
const file = join(folder, 'gas.toml');
writeFileSync(file, gas(10_000, 20));
const { address, stop } = await play(file);
const { page: shown } = await newPage();
await shown.goto(address);
await shown.waitForFunction(() => /collision/.test(document.getElementById('ahead')?.textContent ?? ''), null, { timeout: 120_000 });
const drawn = await shown.evaluate(async () => {
  if (document.getElementById('play').getAttribute('aria-label') === 'Play') document.getElementById('play').click();
  const from = window.caromTest.pictures();
  await new Promise((resolve) => setTimeout(resolve, 5000));
  return (window.caromTest.pictures() - from) / 5;
});
console.log(`drawn by software (SwiftShader): ${drawn.toFixed(1)} pictures a second by the clock on the wall`);
stop();
await closeBrowser();
host.closeAllConnections();
host.close();
