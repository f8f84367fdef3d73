// Changes that were made while a scene ran, as a schedule in its text: run again, it has the same bits.

import type { Body, Change, MadeChange } from './engine/types';

/** A number so that it is read back to the same bits, as TOML writes them. */
export function exact(number: number): string {
  const text = String(number);
  if (/e/.test(text)) return text.replace(/^(-?\d+)e/, '$1.0e').replace('e+', 'e');
  return /\./.test(text) ? text : `${text}.0`;
}

function list(numbers: unknown): string {
  return `[${(numbers as number[]).map(exact).join(', ')}]`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** A ball as it is written into a scene. */
function ball(change: Change, like: Body | undefined): string {
  const parts = [
    `name = ${quoted(String(change.name ?? like?.name ?? 'ball'))}`,
    'shape = "ball"',
    `radius = ${exact(Number(change.radius ?? like?.radius ?? 1))}`,
    `mass = ${exact(Number(change.mass))}`,
    `position = ${list(change.position)}`,
    `velocity = ${list(change.velocity)}`,
  ];
  if (change.angular_velocity) {
    const turns = change.angular_velocity as number[];
    parts.push(`angular_velocity = ${turns.length === 1 ? exact(turns[0]!) : list(turns)}`);
  }
  const material = String(change.material ?? like?.material ?? '');
  if (material && material !== 'default') parts.push(`material = ${quoted(material)}`);
  return `{ ${parts.join(', ')} }`;
}

const NUMBERS = ['restitution', 'static_friction', 'kinetic_friction', 'rolling_resistance'];

/** A change as an action of `[[when]]`; `null` where a schedule cannot say it. */
export function action(change: Change, bodies: Body[]): string | null {
  const its = bodies.find((body) => body.id === change.body);
  // A name that several bodies have means all of them.
  const unique = its && its.name !== '' && bodies.filter((body) => body.name === its.name).length === 1 && !its.name.includes('*');
  if ('body' in change && !unique) return null;
  const body = quoted(its?.name ?? '');
  switch (change.kind) {
    case 'gravity':
      return `{ gravity = ${list(change.gravity)} }`;
    case 'air': {
      const drag = `drag = { linear = ${exact(Number(change.linear ?? 0))}, quadratic = ${exact(Number(change.quadratic ?? 0))} }`;
      const none = !(Number(change.linear ?? 0) > 0 || Number(change.quadratic ?? 0) > 0);
      const wind = change.wind ? `wind = [{ velocity = ${list(change.wind)} }]` : '';
      return `{ fields = { ${[none ? '' : drag, wind].filter(Boolean).join(', ')} } }`;
    }
    case 'material': {
      const given = NUMBERS.filter((key) => key in change).map((key) => `${key} = ${exact(Number(change[key]))}`);
      return `{ material = ${quoted(String(change.material))}, ${given.join(', ')} }`;
    }
    case 'velocity': {
      const parts: string[] = [];
      if (change.velocity) parts.push(`velocity = ${list(change.velocity)}`);
      const turns = change.angular_velocity as number[] | undefined;
      if (turns) parts.push(`angular_velocity = ${turns.length === 1 ? exact(turns[0]!) : list(turns)}`);
      return `{ set = ${body}, ${parts.join(', ')} }`;
    }
    case 'position':
      return `{ set = ${body}, position = ${list(change.position)} }`;
    case 'remove':
      return `{ remove = ${body} }`;
    case 'insert':
      return `{ add = ${ball(change, undefined)} }`;
    case 'mass':
      return change.position ? `[{ remove = ${body} }, { add = ${ball(change, its)} }]` : null;
    case 'move':
      return `{ set = ${body}, motion = ${change.velocity ? `{ velocity = ${list(change.velocity)} }` : '"static"'} }`;
    case 'press':
    case 'release':
      return `{ ${change.kind} = ${quoted(String(change.key))} }`;
    default:
      return null;
  }
}

/** The text with another end of the run, where it says one. */
export function withUntil(text: string, until: number): string {
  const dotted = /^(\s*run\s*\.\s*until\s*=\s*)[^#\n]*/m;
  if (dotted.test(text)) return text.replace(dotted, `$1${exact(until)} `);
  const inTable = /^(\s*\[run\][^[]*?^\s*until\s*=\s*)[^#\n]*/m;
  return text.replace(inTable, `$1${exact(until)} `);
}

/** The text of a scene with what was changed, and with the end that the run has now. */
export function withSchedule(text: string, changes: MadeChange[], bodies: Body[], file: string, until: number | null = null): string {
  if (changes.length === 0 || /\.json$/i.test(file)) return text;
  const out: string[] = [];
  for (const { time, edit } of changes) {
    const made = action(edit, bodies);
    if (made) out.push('', '[[when]]', `time = ${exact(time)} # s`, `do = ${made}`);
    else out.push('', `# At ${exact(time)} s, which a schedule cannot say: ${JSON.stringify(edit)}`);
  }
  const base = until === null ? text : withUntil(text, until);
  return `${base.trimEnd()}\n\n# What was changed while it ran.${out.join('\n')}\n`;
}
