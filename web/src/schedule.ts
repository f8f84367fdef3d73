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

/** The lines of a change; `null` where a schedule cannot say it. */
export function lines(change: Change, name: (id: number) => string): string[] | null {
  const body = typeof change.body === 'number' ? quoted(name(change.body)) : '""';
  switch (change.kind) {
    case 'gravity':
      return [`gravity = ${list(change.gravity)}`];
    case 'velocity':
      return [`body = ${body}`, `velocity = ${list(change.velocity)}`, ...(change.angular_velocity ? [`angular_velocity = ${list(change.angular_velocity)}`] : [])];
    case 'position':
      return [`body = ${body}`, `position = ${list(change.position)}`];
    case 'remove':
      return [`remove = ${body}`];
    case 'press':
    case 'release':
      return [`${change.kind} = ${quoted(String(change.key))}`];
    default:
      return null;
  }
}

/** The text of a scene with what was changed. */
export function withSchedule(text: string, changes: MadeChange[], bodies: Body[], file: string): string {
  if (changes.length === 0) return text;
  if (/\.json$/i.test(file)) return text;
  const names = new Map(bodies.map((body) => [body.id, body.name]));
  const name = (id: number) => names.get(id) ?? String(id);
  const out: string[] = [];
  for (const { time, edit } of changes) {
    const made = lines(edit, name);
    if (made) out.push('', '[[when]]', `time = ${exact(time)} # s`, ...made);
    else out.push('', `# At ${exact(time)} s, which a schedule cannot say: ${JSON.stringify(edit)}`);
  }
  return `${text.trimEnd()}\n\n# What was changed while it ran.${out.join('\n')}\n`;
}
