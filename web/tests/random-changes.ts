// Random changes of random sample scenes, made in the page's engine, saved as a schedule and run by the command: the
// same bits, or refused by both. node random-changes.mjs carom engine.wasm scenes [seed] [scenes] [name]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine, Refused } from '../src/engine/wasm.js';
import type { Body, Change, MadeChange, Status, Surroundings } from '../src/engine/types';
import { asPlayed } from '../src/schedule';

const [carom, engineFile, folder] = process.argv.slice(2) as [string, string, string];
let seed = Number(process.argv[5] ?? 1);
const count = Number(process.argv[6] ?? 20);
const only = process.argv[7];
const module = new WebAssembly.Module(readFileSync(engineFile));
const out = mkdtempSync(join(tmpdir(), 'carom-random-'));
// Those that take seconds to run say nothing that others do not.
const SLOW = /^(pile|drum|grains|stirrer|gas_3d|bed_of_discs|granular_cooling|million|shear_flow|mixed_sizes|wall_of_boxes|shaken_gas|heated_gas|viscoelastic)/;
const names = readdirSync(folder).filter((name) => name.endsWith('.toml') && (only ? name.startsWith(only) : !SLOW.test(name)));

function random(): number {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
}
const pick = <T>(all: T[]): T => all[Math.floor(random() * all.length)]!;
const around = (size: number) => (random() - 0.5) * 2 * size;

function some(engine: Engine, dimension: number, bodies: Body[], named: number): Change {
  const free = bodies.filter((body) => body.motion === 'free' && !body.waits);
  const body = free.length > 0 ? pick(free) : null;
  const surroundings = engine.call({ do: 'surroundings' }).value as Surroundings;
  const state = body && (engine.call({ do: 'body', body: body.id }).value as { position: number[]; velocity: number[]; angular_velocity: number[] } | null);
  switch (Math.floor(random() * 9)) {
    case 0: {
      const down = [0, 0, 0].slice(0, dimension);
      down[dimension - 1] = -random() * 20;
      return { kind: 'gravity', gravity: down };
    }
    case 1:
      return { kind: 'air', linear: 0, quadratic: random() * 0.1, ...(random() < 0.5 ? { wind: [around(5), 0, 0].slice(0, dimension) } : {}) };
    case 2: {
      const { name, ...numbers } = pick(surroundings.materials);
      return { kind: 'material', material: name, ...numbers, restitution: random(), kinetic_friction: 0.1, static_friction: 0.1 + random() };
    }
    case 3:
      if (state) return { kind: 'velocity', body: body!.id, velocity: state.velocity.map((v) => v * around(1) + around(1)) };
      break;
    case 4:
      if (state) return { kind: 'velocity', body: body!.id, velocity: state.velocity, angular_velocity: state.angular_velocity.map(() => around(20)) };
      break;
    case 5:
      if (state) return { kind: 'position', body: body!.id, position: state.position.map((x) => x + around(0.2)) };
      break;
    case 6:
      if (body) return { kind: 'mass', body: body.id, mass: body.mass! * 10 ** around(1) };
      break;
    case 7:
      if (state && body!.radius) return { kind: 'insert', name: `added ${named}`, radius: body!.radius * (0.5 + random()), mass: body!.mass!, position: state.position.map((x) => x + around(1)), velocity: state.velocity.map(() => around(1)), material: body!.material };
      break;
    default:
      if (body) return { kind: 'remove', body: body.id };
  }
  return { kind: 'gravity', gravity: [0, 0, -1].slice(-dimension) };
}

const tally = new Map<string, number>();
let wrong = 0;
for (let turn = 0; turn < count; turn++) {
  const file = pick(names);
  const text = readFileSync(join(folder, file), 'utf8');
  const files = readdirSync(folder).filter((name) => name.endsWith('.obj') && text.includes(`"${name}"`)).map((name): [string, string] => [name, readFileSync(join(folder, name), 'utf8')]);
  const engine = await Engine.from(module);
  const { dimension, until } = engine.call({ do: 'load', name: file, text, files }).value as { dimension: number; until: number };
  const began = seed;
  const toEnd = () => {
    const start = performance.now();
    while (engine.ahead(2000) === 0) if (performance.now() - start > 20_000) return false;
    return true;
  };
  if (!toEnd()) continue;
  const known = new Map<number, Body>();
  const look = () => {
    const bodies = engine.call({ do: 'bodies' }).value as Body[];
    bodies.forEach((body) => known.set(body.id, body));
    return bodies;
  };
  let changes: MadeChange[] = [];
  const refused: string[] = [];
  const end = (engine.call({ do: 'status' }).value as Status).ahead;
  let time = 0;
  let finished = true;
  for (let i = 0; i < 5 && finished; i++) {
    time = Math.min(time + random() * 0.3 * Math.min(end, until), until * 0.98);
    engine.frame(time);
    const change = some(engine, dimension, look(), i + 1);
    try {
      changes = engine.call({ do: 'edit', edit: change }).value as MadeChange[];
      tally.set(change.kind, (tally.get(change.kind) ?? 0) + 1);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push(`${change.kind}: ${error.value.error}`);
      tally.set(`${change.kind} refused`, (tally.get(`${change.kind} refused`) ?? 0) + 1);
    }
    // Taken back now and then, to be made again or not.
    if (random() < 0.2 && changes.length > 0) changes = engine.call({ do: 'undo', index: Math.floor(random() * changes.length) }).value as MadeChange[];
    finished = toEnd();
    look();
  }
  if (!finished) continue;
  const status = engine.call({ do: 'status' }).value as Status;
  const { digest } = engine.call({ do: 'digest' }).value as { digest: string };
  const played = asPlayed(text, file, { changes, bodies: [...known.values()], until: status.until > until ? status.until : null });
  const path = join(out, file);
  writeFileSync(path, played);
  for (const [name, content] of files) writeFileSync(join(out, name), content);
  let there = '';
  try {
    const said = execFileSync(carom, ['run', path, '--json', '--quiet'], { maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] }).toString();
    there = (JSON.parse(said.trim().split('\n').pop()!) as { digest: string }).digest;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: Buffer; stderr?: Buffer };
    there = `${(stdout ?? '').toString().slice(0, 400)}${(stderr ?? '').toString().slice(0, 700)}`;
  }
  if (there !== digest && !(status.failed && !/^[0-9a-f]{16}$/.test(there))) {
    wrong += 1;
    const kept = join(out, `wrong-${turn}-${file}`);
    writeFileSync(kept, played);
    console.log(`${turn} ${file} (seed ${began}): ${digest} in the page${status.failed ? ` (${status.failed})` : ''}, ${there}\n  ${kept}\n  ${changes.map(({ time: at, edit }) => `${at} ${JSON.stringify(edit)}`).join('\n  ')}`);
  }
  if (process.env.LOUD) console.log(file, changes.length, refused);
}
console.log(`${count} scenes, ${wrong} with other bits; ${[...tally].map(([kind, number]) => `${kind} ${number}`).join(', ')}`);
process.exit(wrong > 0 ? 1 : 0);
