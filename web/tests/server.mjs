// Requests of all kinds of badness: none of them ends the server or gets what it should not.
// CAROM=carom node tests/server.mjs

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { carom, play, scenes } from './harness.mjs';

const folder = mkdtempSync(join(tmpdir(), 'carom-server-'));
const run = join(folder, 'run');
execFileSync(carom, ['run', join(scenes, 'two_discs.toml'), '--out', run, '--quiet']);
writeFileSync(join(folder, 'secret'), 'secret');
writeFileSync(join(run, 'own.txt'), 'mine');
const { address, stop, child } = await play(run);
const port = Number(new URL(address).port);

/** Sends bytes as they are, and answers what comes back. */
function send(bytes, wait = 3000) {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1');
    const parts = [];
    const done = () => resolve(Buffer.concat(parts).toString('latin1'));
    socket.setTimeout(wait, () => socket.destroy());
    socket.on('data', (part) => parts.push(part));
    socket.on('close', done);
    socket.on('error', done);
    socket.write(bytes);
  });
}

const status = (answer) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
const get = (path, headers = '', host = `127.0.0.1:${port}`) => send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`);

// What may be had.
const page = await get('/');
assert.equal(status(page), 200);
assert.match(page, /content-security-policy: default-src 'none'/i);
assert.match(page, /name="carom-served" content="run"/);
assert.equal(status(await get('/served/run/run.json')), 200);
const part = await get('/served/run/frames.parquet', 'Range: bytes=0-3\r\n');
assert.equal(status(part), 206);
assert.ok(part.endsWith('PAR1'));
assert.equal(status(await get('/served/run/frames.parquet', 'Range: bytes=99999999-\r\n')), 416);

// What may not.
for (const path of ['/served/run/own.txt', '/served/run/../secret', '/served/run/..%2f..%2fsecret', '/served/run/snapshot.bin', '/served/scene.json', '/etc/passwd', '//etc/passwd']) {
  assert.equal(status(await get(path)), 404, path);
}
symlinkSync(join(folder, 'secret'), join(run, 'scene.json'));
assert.equal(status(await get('/served/run/scene.json')), 404, 'a link');

// Parts of the tables of a run that was cut off, and nothing else beside them; no folder that is a link.
mkdirSync(join(run, 'frames'));
mkdirSync(join(folder, 'elsewhere'));
for (const name of ['part-000000.parquet', 'own.parquet', 'part-x.parquet']) writeFileSync(join(run, 'frames', name), 'a part');
writeFileSync(join(folder, 'elsewhere', 'part-000000.parquet'), 'secret');
symlinkSync(join(folder, 'elsewhere'), join(run, 'events'));
assert.equal(status(await get('/served/run/frames/part-000000.parquet')), 200);
for (const path of ['frames/own.parquet', 'frames/part-x.parquet', 'frames/part-000001.parquet', 'frames', 'frames/', 'events/part-000000.parquet', 'other/part-000000.parquet', 'frames/../../secret']) {
  assert.equal(status(await get(`/served/run/${path}`)), 404, path);
}
assert.equal(status(await get('/', '', 'evil.example')), 421);
assert.equal(status(await get('/', '', `evil.example:${port}`)), 421);
assert.equal(status(await get('/', 'Origin: http://evil.example\r\n')), 403);
assert.equal(status(await get('/', 'Sec-Fetch-Site: cross-site\r\n')), 403);
for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE']) {
  assert.equal(status(await send(`${method} / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)), 405, method);
}

// Limits: a head that is too long, and one that does not come to its end.
assert.equal(status(await get('/', `X: ${'x'.repeat(20_000)}\r\n`)), 431);
assert.equal(status(await get(`/${'a'.repeat(600)}`)), 414);
const slow = new Promise((resolve) => {
  const socket = net.connect(port, '127.0.0.1');
  const begun = Date.now();
  const drip = setInterval(() => socket.write('G'), 500);
  socket.on('error', () => {});
  socket.on('close', () => {
    clearInterval(drip);
    resolve((Date.now() - begun) / 1000);
  });
  socket.resume();
});

// What nobody should send. A generator of its own, so that a failure can be repeated.
let seed = Number(process.env.SEED ?? 1);
const random = (most) => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed % most;
};
const good = `GET /served/run/frames.parquet HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nRange: bytes=0-100\r\nAccept: */*\r\n\r\n`;
function mutated() {
  const bytes = Buffer.from(good);
  switch (random(5)) {
    case 0: {
      for (let i = 0; i < 1 + random(8); i++) bytes[random(bytes.length)] = random(256);
      return bytes;
    }
    case 1:
      return bytes.subarray(0, random(bytes.length));
    case 2:
      return Buffer.concat([bytes.subarray(0, random(bytes.length)), Buffer.alloc(random(40_000), random(256))]);
    case 3:
      return Buffer.from(Array.from({ length: random(3000) }, () => random(256)));
    default:
      return Buffer.from(good.replace('bytes=0-100', `bytes=${random(2) ? '-' : ''}${'9'.repeat(random(30))}-${random(1e9)}`));
  }
}
const count = Number(process.env.FUZZ ?? 1500);
for (let i = 0; i < count; i += 30) {
  // Some never end: whoever sends them goes away.
  await Promise.all(Array.from({ length: 30 }, () => send(mutated(), 150)));
}

// More connections than are open at once, all silent.
const silent = Array.from({ length: 200 }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
await new Promise((resolve) => setTimeout(resolve, 300));
silent.forEach((socket) => socket.destroy());
await new Promise((resolve) => setTimeout(resolve, 300));
assert.equal(status(await get('/')), 200);
// Ten seconds are allowed, whatever comes meanwhile; a busy machine may be late.
const held = await Promise.race([slow, new Promise((resolve) => setTimeout(resolve, 60_000, Infinity))]);
assert.ok(held > 8 && held < 60, `a head that does not end was waited for ${held} s`);
assert.equal(child.exitCode, null);
stop();
console.log(`${count} broken requests, and the server answers`);
