// Changes that were made while a scene ran, as a schedule in its text: run again, it has the same bits.

import type { Body, Change, MadeChange } from './engine/types';
import { appendIn, isJson, placeIn, withMethod, withUntil } from './scene-text';

/** What an action says: numbers, texts, and lists and tables of them. */
type Value = number | string | Value[] | { [key: string]: Value };
type Action = { [key: string]: Value };

/** A number so that it is read back to the same bits, as TOML writes them. */
export function exact(number: number): string {
  const text = String(number);
  if (/e/.test(text)) return text.replace(/^(-?\d+)e/, '$1.0e').replace('e+', 'e');
  return /\./.test(text) ? text : `${text}.0`;
}

/** A value as TOML writes it. */
function toml(value: Value): string {
  if (typeof value === 'number') return exact(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  return `{ ${Object.entries(value).map(([key, its]) => `${key} = ${toml(its)}`).join(', ')} }`;
}

/** About an axis in 2-D, a vector in 3-D. */
function turning(change: Change): Action {
  const turns = change.angular_velocity as number[] | undefined;
  return turns ? { angular_velocity: turns.length === 1 ? turns[0]! : turns } : {};
}

/** A ball as it is written into a scene. */
function ball(change: Change): Action {
  const material = String(change.material ?? '');
  return {
    name: String(change.name ?? 'ball'),
    shape: 'ball',
    radius: Number(change.radius ?? 1),
    mass: Number(change.mass),
    position: change.position as number[],
    velocity: change.velocity as number[],
    ...turning(change),
    ...(material && material !== 'default' ? { material } : {}),
  };
}

function air(change: Change): Action {
  const [linear, quadratic] = [Number(change.linear ?? 0), Number(change.quadratic ?? 0)];
  return {
    ...(linear > 0 || quadratic > 0 ? { drag: { linear, quadratic } } : {}),
    ...(change.wind ? { wind: [{ velocity: change.wind as number[] }] } : {}),
  };
}

const NUMBERS = ['restitution', 'static_friction', 'kinetic_friction', 'rolling_resistance'];

/** A change as an action of `[[when]]`; `null` where a schedule cannot say it. */
function deed(change: Change, bodies: Body[]): Action | null {
  const its = bodies.find((body) => body.id === change.body);
  // A name that several bodies have means all of them.
  const unique = its && its.name !== '' && bodies.filter((body) => body.name === its.name).length === 1 && !its.name.includes('*');
  if ('body' in change && !unique) return null;
  const body = its?.name ?? '';
  switch (change.kind) {
    case 'gravity':
      return { gravity: change.gravity as number[] };
    case 'air':
      return { fields: air(change) };
    case 'material':
      return { material: String(change.material), ...Object.fromEntries(NUMBERS.filter((key) => key in change).map((key) => [key, Number(change[key])])) };
    case 'velocity':
      return { set: body, ...(change.velocity ? { velocity: change.velocity as number[] } : {}), ...turning(change) };
    case 'position':
      return { set: body, position: change.position as number[] };
    case 'mass':
      return { set: body, mass: Number(change.mass) };
    case 'remove':
      return { remove: body };
    case 'insert':
      return { add: ball(change) };
    case 'move':
      return { set: body, motion: change.velocity ? { velocity: change.velocity as number[] } : 'static' };
    case 'press':
    case 'release':
      return { [change.kind]: String(change.key) };
    default:
      return null;
  }
}

/** The same as TOML writes it. */
export function action(change: Change, bodies: Body[]): string | null {
  const made = deed(change, bodies);
  return made && toml(made);
}

/** What was done with a scene while it ran, beyond what its text says. */
export interface Played {
  changes: MadeChange[];
  /** All bodies that were ever there, for their names. */
  bodies: Body[];
  /** The end of the run, s, where it is later than the scene says. */
  until?: number | null;
  /** The method, where it was chosen. */
  method?: 'events' | 'forces' | null;
}

/** The text of a scene as it was played. */
export function asPlayed(text: string, file: string, { changes, bodies, until, method }: Played): string {
  try {
    // A run is made longer by being played: without changes it ends as the scene says.
    const longer = changes.length > 0 && until ? withUntil(text, exact(until), file) : text;
    const base = method ? withMethod(longer, method, file) : longer;
    if (changes.length === 0) return base;
    return isJson(file) ? withJsonSchedule(base, changes, bodies) : withTomlSchedule(base, changes, bodies);
  } catch (error) {
    // Text that is no JSON, and could not be run.
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function withTomlSchedule(text: string, changes: MadeChange[], bodies: Body[]): string {
  const out: string[] = [];
  for (const { time, edit } of changes) {
    const made = action(edit, bodies);
    if (made) out.push('', '[[when]]', `time = ${exact(time)} # s`, `do = ${made}`);
    else out.push('', `# At ${exact(time)} s, which a schedule cannot say: ${JSON.stringify(edit)}`);
  }
  return `${text.trimEnd()}\n\n# What was changed while it ran.${out.join('\n')}\n`;
}

/** JSON has no remarks: what a schedule cannot say is left out. */
function withJsonSchedule(text: string, changes: MadeChange[], bodies: Body[]): string {
  const entries = changes.flatMap(({ time, edit }) => {
    const made = deed(edit, bodies);
    return made ? [`    ${JSON.stringify({ time, do: made })}`] : [];
  });
  if (placeIn(text, ['when'])) return appendIn(text, ['when'], entries.join(',\n'));
  return appendIn(text, [], `  "when": [\n${entries.join(',\n')}\n  ]`);
}
