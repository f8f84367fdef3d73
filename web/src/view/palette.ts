// Colours. Those of bodies can be told apart by most people who see few colours (after Okabe and Ito, 2008).

export interface Theme {
  dark: boolean;
  background: string;
  wall: string;
  edge: string;
  ink: string;
  faint: string;
  before: string;
  after: string;
  normal: string;
  impulse: string;
  select: string;
  ghost: string;
}

export const LIGHT: Theme = {
  dark: false,
  background: '#fbfcfd',
  wall: '#dfe4ea',
  edge: '#8592a3',
  ink: '#1b2430',
  faint: '#8a94a3',
  before: '#7a8798',
  after: '#0b63b8',
  normal: '#2d7d46',
  impulse: '#b3361b',
  select: '#0b63b8',
  ghost: '#c2410c',
};

export const DARK: Theme = {
  dark: true,
  background: '#0e1319',
  wall: '#232c37',
  edge: '#66758a',
  ink: '#e8edf3',
  faint: '#77849a',
  before: '#93a0b3',
  after: '#6cb6ff',
  normal: '#6fce8c',
  impulse: '#ff8b70',
  select: '#6cb6ff',
  ghost: '#fb923c',
};

const BODIES_LIGHT = ['#2f7fc1', '#e08a1e', '#2a9d78', '#c5543a', '#8a6fc4', '#4fb3d9', '#c77aa5', '#a48d1d'];
const BODIES_DARK = ['#5aa5e2', '#f0a94a', '#4cc39b', '#e57b62', '#ab93e3', '#7fcdec', '#df9cc2', '#cdb84c'];
const FIXTURE_LIGHT = '#9aa7b6';
const FIXTURE_DARK = '#596676';
const KINEMATIC_LIGHT = '#5e6c7d';
const KINEMATIC_DARK = '#93a3b5';

/** Names of colours that bodies have, and the colours that they mean. Those of billiard balls come first. */
const NAMED: Record<string, string> = {
  cue: '#f4f1e4',
  white: '#f4f1e4',
  black: '#22262b',
  red: '#cf3a32',
  blue: '#2f6fd0',
  yellow: '#e3b71b',
  green: '#2e9457',
  orange: '#e5812a',
  purple: '#7d4fb3',
  pink: '#e48aa8',
  brown: '#8a5a34',
  maroon: '#8c2b35',
  grey: '#8b95a1',
  gray: '#8b95a1',
};

/** The colour that a body's name asks for, if it does. */
export function namedColor(name: string): string | null {
  for (const word of name.toLowerCase().split(/[^a-z]+/)) {
    const found = NAMED[word];
    if (found) return found;
  }
  return null;
}

export interface Coloured {
  name: string;
  material: string;
  motion: 'free' | 'static' | 'kinematic';
  color?: string | null;
}

/** A colour for each body: its own, that of its name, or one by material; where there is one material, by number. */
export function colorsOf(bodies: Coloured[], theme: Theme): string[] {
  const palette = theme.dark ? BODIES_DARK : BODIES_LIGHT;
  const free = bodies.filter((body) => body.motion === 'free');
  const materials = [...new Set(free.map((body) => body.material))];
  const few = free.length <= 24;
  let number = 0;
  return bodies.map((body) => {
    if (body.color) return body.color;
    if (body.motion === 'static') return theme.dark ? FIXTURE_DARK : FIXTURE_LIGHT;
    if (body.motion === 'kinematic') return theme.dark ? KINEMATIC_DARK : KINEMATIC_LIGHT;
    const named = namedColor(body.name);
    if (named) return named;
    const place = materials.length > 1 || !few ? materials.indexOf(body.material) : number++;
    return palette[place % palette.length] ?? '#2f7fc1';
  });
}

/** A colour as three numbers from 0 to 1. */
export function rgb(color: string): [number, number, number] {
  const hex = /^#([0-9a-f]{6})$/i.exec(color)?.[1];
  if (!hex) return [0.4, 0.5, 0.6];
  const number = parseInt(hex, 16);
  return [(number >> 16) / 255, ((number >> 8) & 255) / 255, (number & 255) / 255];
}
