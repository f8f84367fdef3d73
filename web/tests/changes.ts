// Every kind of change, made in the page's engine while a scene runs, then saved as a schedule and run by the command:
// the same bits. node changes.mjs carom engine.wasm

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine, Refused } from '../src/engine/wasm.js';
import type { Body, Change, MadeChange } from '../src/engine/types';
import { asPlayed } from '../src/schedule';

const [carom, engineFile] = process.argv.slice(2) as [string, string];
const module = new WebAssembly.Module(readFileSync(engineFile));
const folder = mkdtempSync(join(tmpdir(), 'carom-changes-'));

const SCENE = `version = 1
title = "Changes"
dimension = 2
gravity = [0.0, -9.81]
run.until = 3.0

[materials.rubber]
restitution = 0.8
friction = 0.3

[[containers]]
name = "box"
shape = "rectangle"
low = [0.0, 0.0]
high = [4.0, 3.0]
material = "rubber"

[[bodies]]
name = "bat"
shape = "box"
size = [1.0, 0.2]
position = [2.0, 0.8]
material = "rubber"

[[bodies]]
name = "crate"
shape = "box"
size = [0.3, 0.2]
mass = 1.5
position = [2.0, 2.4]
velocity = [0.3, 0.0]
angular_velocity = 2.0
material = "rubber"

[[when]]
pressed = "left"
do = { set = "ball 1", velocity = [0.0, 3.0] }

[[when]]
released = "left"
do = { set = "ball 1", velocity = [1.0, 0.0] }
${[0, 1, 2, 3].map((i) => `
[[bodies]]
name = "ball ${i}"
shape = "ball"
radius = 0.15
mass = ${1 + i}.0
position = [${0.6 + 0.9 * i}, ${1.6 + 0.3 * i}]
velocity = [${1 - i}.5, 0.2]
material = "rubber"
`).join('')}`;

/** Changes of each kind; bodies are named here. */
const CHANGES: [string, (id: (name: string) => number) => Change][] = [
  ['gravity', () => ({ kind: 'gravity', gravity: [0, -1.62] })],
  ['air', () => ({ kind: 'air', linear: 0, quadratic: 0.2, wind: [3, 0] })],
  ['no air', () => ({ kind: 'air', linear: 0, quadratic: 0 })],
  ['material', () => ({ kind: 'material', material: 'rubber', restitution: 0.5, static_friction: 0.4, kinetic_friction: 0.35, rolling_resistance: 0.01 })],
  ['velocity', (id) => ({ kind: 'velocity', body: id('ball 1'), velocity: [0.1, 1 / 3], angular_velocity: [7.7] })],
  ['linear velocity', (id) => ({ kind: 'velocity', body: id('ball 1'), velocity: [-2, 4] })],
  ['position', (id) => ({ kind: 'position', body: id('ball 2'), position: [0.5, 2.75] })],
  ['remove', (id) => ({ kind: 'remove', body: id('ball 0') })],
  ['insert', () => ({ kind: 'insert', name: 'added 1', radius: 0.1, mass: 0.7, position: [3.7, 2.8], velocity: [-1, 0], material: 'rubber' })],
  ['mass', (id) => ({ kind: 'mass', body: id('ball 3'), mass: 9.1 })],
  ['another mass', (id) => ({ kind: 'mass', body: id('ball 3'), mass: 1 / 3 })],
  ['the mass of a box', (id) => ({ kind: 'mass', body: id('crate'), mass: 7.7 })],
  ['move', (id) => ({ kind: 'move', body: id('bat'), velocity: [0.3, 0] })],
  ['press', () => ({ kind: 'press', key: 'left' })],
  ['release', () => ({ kind: 'release', key: 'left' })],
];

/** The same in JSON, with a rule of its own. */
const JSON_SCENE = `{
  "version": 1, "dimension": 3, "gravity": [0.0, 0.0, -9.81], "run": { "until": 2.0 },
  "bodies": [
    { "name": "floor", "shape": "wall", "point": [0, 0, 0], "normal": [0, 0, 1] },
    { "name": "ball", "shape": "ball", "radius": 0.1, "mass": 1.0, "position": [0, 0, 1], "velocity": [0.1, 0, 0] },
    { "name": "die", "shape": "box", "size": [0.2, 0.2, 0.2], "mass": 1.0, "position": [1, 0, 1], "angular_velocity": [1, 2, 3] }
  ],
  "when": [{ "time": 0.9, "do": { "gravity": [0, 0, -1.62] } }]
}`;

const JSON_CHANGES: [number, (id: (name: string) => number) => Change][] = [
  [0.2, (id) => ({ kind: 'velocity', body: id('ball'), velocity: [0.1, 1 / 3, 2], angular_velocity: [0, 0, 3.1] })],
  [0.3, (id) => ({ kind: 'mass', body: id('die'), mass: 2.2 })],
  [0.5, () => ({ kind: 'insert', name: 'added "1"', radius: 0.1, mass: 0.7, position: [0, 1, 1], velocity: [0, -1, 0], material: 'default' })],
  [1.1, (id) => ({ kind: 'mass', body: id('ball'), mass: 0.3 })],
];

function toEnd(engine: Engine): void {
  while (engine.ahead(1000) === 0);
}

/** Makes changes at times, each where the scene stands then; the digest at the end, and the text with them. */
async function made(changes: [number, (id: (name: string) => number) => Change][], scene = SCENE, file = 'a.toml'): Promise<{ digest: string; text: string }> {
  const engine = await Engine.from(module);
  engine.call({ do: 'load', name: file, text: scene, files: [] });
  toEnd(engine);
  const known = new Map<number, Body>();
  const look = () => {
    const bodies = engine.call({ do: 'bodies' }).value as Body[];
    bodies.forEach((body) => known.set(body.id, body));
    return bodies;
  };
  let list: MadeChange[] = [];
  for (const [time, change] of changes) {
    engine.frame(time);
    const bodies = look();
    const asked = change((name) => bodies.find((body) => body.name === name)!.id);
    list = engine.call({ do: 'edit', edit: asked }).value as MadeChange[];
    toEnd(engine);
    look();
  }
  const { digest } = engine.call({ do: 'digest' }).value as { digest: string };
  return { digest, text: asPlayed(scene, file, { changes: list, bodies: [...known.values()] }) };
}

function native(text: string, name = 'a.toml'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  const out = execFileSync(carom, ['run', file, '--json', '--quiet'], { maxBuffer: 1 << 28 }).toString();
  return (JSON.parse(out.trim().split('\n').pop()!) as { digest: string }).digest;
}

const unchanged = await made([]);
if (unchanged.digest !== native(SCENE)) throw new Error('the scene itself has other bits');
const wrong: string[] = [];
for (const [name, change] of CHANGES) {
  const pressed = CHANGES.find(([kind]) => kind === 'press')![1];
  const { digest, text } = await made(name === 'release' ? [[0.5, pressed], [0.731, change]] : [[0.731, change]]);
  if (text.includes('cannot say')) wrong.push(`${name}: not said by the schedule`);
  else if (digest === unchanged.digest) wrong.push(`${name}: changed nothing`);
  else if (native(text) !== digest) wrong.push(`${name}: other bits`);
}
// All of them, one after the other.
const all = await made(CHANGES.map(([, change], i) => [0.2 + 0.17 * i, change]));
if (native(all.text) !== all.digest) wrong.push('all of them: other bits');
// A body that was brought is taken back: what was done to it goes, too, and what was done to a later one stays with that.
{
  const engine = await Engine.from(module);
  engine.call({ do: 'load', name: 'a.toml', text: SCENE, files: [] });
  toEnd(engine);
  const at = (time: number, edit: Change) => {
    engine.frame(time);
    const { value } = engine.call({ do: 'edit', edit });
    toEnd(engine);
    return value as MadeChange[];
  };
  const bodies = () => engine.call({ do: 'bodies' }).value as Body[];
  const id = (name: string) => bodies().find((body) => body.name === name)!.id;
  const brought = (name: string, x: number): Change => ({ kind: 'insert', name, radius: 0.1, mass: 0.7, position: [x, 2.8], velocity: [0, 0], material: 'rubber' });
  at(0.3, brought('first', 3.7));
  at(0.4, brought('second', 0.3));
  at(0.6, { kind: 'velocity', body: id('first'), velocity: [-1, 1] });
  at(0.7, { kind: 'velocity', body: id('second'), velocity: [1, 2], angular_velocity: [3] });
  at(0.8, { kind: 'mass', body: id('second'), mass: 2 });
  const left = engine.call({ do: 'undo', index: 0 }).value as MadeChange[];
  toEnd(engine);
  engine.frame(2);
  const text = asPlayed(SCENE, 'a.toml', { changes: left, bodies: bodies() });
  const { digest } = engine.call({ do: 'digest' }).value as { digest: string };
  if (left.length !== 3 || native(text) !== digest) wrong.push(`taken back: ${JSON.stringify(left)}`);
}
const json = await made(JSON_CHANGES, JSON_SCENE, 'a.json');
if (native(json.text, 'a.json') !== json.digest) wrong.push('in JSON: other bits');
// Behind what ended a run, or failed, the command does nothing: nor does the page.
for (const [how, last] of [['ended', '{ stop = true }'], ['failed', '{ set = "ball 1", position = [2.0, 0.8] }']] as const) {
  const engine = await Engine.from(module);
  engine.call({ do: 'load', name: 'a.toml', text: `${SCENE}[[when]]\ntime = 1.0\ndo = ${last}\n`, files: [] });
  toEnd(engine);
  const status = engine.call({ do: 'status' }).value as { ahead: number; ended: string | null; failed: string | null };
  if (status.ahead !== 1 || (how === 'ended' ? status.ended !== 'scene' : status.failed === null)) wrong.push(`${how}: ${JSON.stringify(status)}`);
  const change = () => engine.call({ do: 'edit', edit: { kind: 'gravity', gravity: [0, -1] } });
  engine.frame(1);
  try {
    change();
    wrong.push(`${how}: changed all the same`);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
  // Before it something can be changed.
  engine.frame(0.5);
  change();
}
if (wrong.length > 0) throw new Error(wrong.join('\n'));
console.log(`${CHANGES.length} kinds of changes, saved and run again, have the same bits`);
