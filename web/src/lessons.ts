// Guided pages for students: predict first, then measure, then see why.

import type { Client } from './engine/client';
import { COLLISION, type SceneSource } from './engine/types';
import { sample } from './scenes';

export interface Lesson {
  id: string;
  title: string;
  summary: string;
  scene: () => SceneSource;
  /** What it is about. */
  text: string;
  question: string;
  /** Answers to choose from, or a number with a unit. */
  answers: { options: string[] } | { unit: string };
  /**
   * What is measured, from a run that has been computed (and, where it is asked for, the same by springs): the option's
   * place, or the number; and how it was found.
   */
  measure: (client: Client, other: () => Promise<Client>) => Promise<{ value: number; words: string }>;
  /** Why it is so. */
  why: string;
  /** What to try next. */
  tries: string[];
}

function own(id: string, text: string): () => SceneSource {
  return () => ({ name: `${id}.toml`, text: text.trim() + '\n', files: [] });
}

function sampled(name: string): () => SceneSource {
  return () => {
    const found = sample(name);
    if (!found) throw new Error(`the scene ${name} is missing`);
    return { name: `${name}.toml`, text: found.text, files: found.files };
  };
}

/** The collision of a number from 1 on. */
async function collision(client: Client, number: number) {
  const { events } = client;
  for (let row = 0; row < events.length; row++) {
    if (events.at(row, 1) === COLLISION && events.at(row, 4) === number) {
      const found = await client.collision(row);
      if (found) return found;
    }
  }
  throw new Error(`there is no collision ${number}`);
}

/** Where all bodies are at the end of a run in 2-D, m. */
async function atEnd(client: Client): Promise<number[][]> {
  client.frame(client.status?.ahead ?? Infinity);
  const numbers = await client.states();
  const places: number[][] = [];
  for (let at = 0; at < numbers.length; at += 7) places.push([numbers[at + 1]!, numbers[at + 2]!]);
  return places;
}

const digits = (number: number, count = 4) => String(+number.toPrecision(count));

const ball = (name: string, radius: number, mass: number, position: string, velocity: string, more = '') => `
[[bodies]]
name = "${name}"
shape = "ball"
radius = ${radius}
mass = ${mass}
position = ${position}
velocity = ${velocity}
${more}`;

export const lessons: Lesson[] = [
  {
    id: 'head-on',
    title: 'Head-on',
    summary: 'A heavy ball meets a light one that stands still.',
    scene: own('head_on', `version = 1
title = "Head-on"
dimension = 2
run.until = 4.0
${ball('heavy', 0.2, 3, '[-1.5, 0.0]', '[1.0, 0.0]')}${ball('light', 0.14, 1, '[0.5, 0.0]', '[0.0, 0.0]')}`),
    text: 'A ball of 3 kg moves at 1 m/s towards a ball of 1 kg that stands still. Nothing is lost: the collision is elastic.',
    question: 'How fast is the light ball afterwards?',
    answers: { unit: 'm/s' },
    measure: async (client) => {
      const hit = await collision(client, 1);
      const light = hit.after[hit.a === 1 ? 0 : 1];
      const value = Math.hypot(...light.velocity);
      return { value, words: `The engine gives ${digits(value)} m/s after the collision at ${digits(hit.time)} s.` };
    },
    why: 'Seen from the common centre of mass, which moves at 3/4 m/s, each ball just turns round. The light one comes with −3/4 m/s and leaves with +3/4 m/s, so 1.5 m/s for us: 2 m₁ v / (m₁ + m₂). It is faster than the ball that struck it, though momentum and energy are what they were.',
    tries: ['Select a ball and give it another mass in the panel Body: which ratio makes the first ball stop?', 'Set the restitution to 0 in the panel Change, at the start: where does the energy go?'],
  },
  {
    id: 'oblique',
    title: 'Oblique',
    summary: 'Two equal balls meet off centre. At what angle do they part?',
    scene: sampled('right_angle'),
    text: 'A ball strikes an equal ball that stands still, but not in the middle. Both move away.',
    question: 'What is the angle between their directions afterwards?',
    answers: { unit: '°' },
    measure: async (client) => {
      const hit = await collision(client, 1);
      const [a, b] = [hit.after[0].velocity, hit.after[1].velocity];
      const cos = a.reduce((sum, x, i) => sum + x * b[i]!, 0) / (Math.hypot(...a) * Math.hypot(...b));
      const value = (Math.acos(Math.max(-1, Math.min(1, cos))) * 180) / Math.PI;
      return { value, words: `Their velocities after collision 1 are ${digits(value, 5)}° apart.` };
    },
    why: 'With equal masses momentum says v = v₁ + v₂, and energy says v² = v₁² + v₂². By Pythagoras the two are perpendicular, wherever the ball is struck. Pool players call it the 90° rule.',
    tries: ['Drag the ball at rest a little sideways, at time 0: the angle stays.', 'Lower the restitution: the angle becomes smaller than 90°.', 'Give one ball another mass: the rule is broken.'],
  },
  {
    id: 'restitution',
    title: 'Restitution',
    summary: 'How high does a ball bounce, and how long?',
    scene: own('restitution', `version = 1
title = "Restitution"
dimension = 2
gravity = [0.0, -9.81]
run.until = 4.0

[materials.rubber]
restitution = 0.8

[[bodies]]
name = "floor"
shape = "wall"
point = [0.0, 0.0]
normal = [0.0, 1.0]
material = "rubber"
${ball('ball', 0.05, 0.1, '[0.0, 1.05]', '[0.0, 0.0]', 'material = "rubber"')}`),
    text: 'A ball falls from a height of 1 m onto a floor. The coefficient of restitution is 0.8: it leaves the floor at 0.8 of the speed that it came with.',
    question: 'How high does it rise after the first bounce?',
    answers: { unit: 'm' },
    measure: async (client) => {
      const hit = await collision(client, 1);
      const up = hit.after[0].velocity[1]!;
      const value = (up * up) / (2 * 9.81);
      return { value, words: `It leaves the floor at ${digits(up)} m/s, which is good for ${digits(value)} m.` };
    },
    why: 'Height goes with the square of the speed: 0.8² = 0.64 m. Every bounce takes 0.8 of the time of the one before, so that infinitely many bounces end after a finite time, √(2h/g) (1 + ε)/(1 − ε) = 4.06 s. The engine brings the ball to rest at exactly that instant.',
    tries: ['Run it on (the timeline shows the bounces getting closer and closer).', 'Switch to the gravity of the Moon during the flight: what happens to the height of the next bounce?', 'Set the restitution to 1.'],
  },
  {
    id: 'friction-and-spin',
    title: 'Friction and spin',
    summary: 'A ball without spin strikes a rough floor at an angle.',
    scene: own('friction_and_spin', `version = 1
title = "Friction and spin"
dimension = 2
run.until = 3.0

[materials.rough]
restitution = 0.8
static_friction = 1.0
kinetic_friction = 1.0

[[bodies]]
name = "floor"
shape = "wall"
point = [0.0, 0.0]
normal = [0.0, 1.0]
material = "rough"
${ball('ball', 0.2, 1, '[-1.5, 1.2]', '[1.5, -1.0]', 'material = "rough"')}`),
    text: 'A ball that does not spin strikes a rough floor at an angle. Where it touches, friction holds its surface. There is no gravity.',
    question: 'What does friction do to its speed along the floor?',
    answers: { options: ['It stays as it is', 'It becomes less, and the ball turns', 'It becomes zero', 'It turns round'] },
    measure: async (client) => {
      const hit = await collision(client, 1);
      const [before, after] = [hit.before[0].velocity[0]!, hit.after[0].velocity[0]!];
      const spin = hit.after[0].angular_velocity[0]!;
      const value = Math.abs(after - before) < 1e-9 ? 0 : Math.abs(after) < 1e-9 ? 2 : after * before < 0 ? 3 : 1;
      return { value, words: `Along the floor: ${digits(before)} m/s before, ${digits(after)} m/s after. It turns at ${digits(spin)} rad/s, so that its lowest point moves at ${digits(after + 0.2 * spin, 2)} m/s.` };
    },
    why: 'Friction pushes back on the lowest point until that does not slip any more. The push slows the ball and turns it at once: for a disc (inertia ½ m r²) rolling is reached when a third of the speed has gone into rotation. So 2/3 of the speed is left, whatever the friction, if there is enough of it.',
    tries: ['Lower the friction at the start until the ball slides throughout: the panel Collision says stick or slide.', 'Give the ball backspin (ω in the panel Body) before it lands.'],
  },
  {
    id: 'cradle',
    title: "Newton's cradle",
    summary: 'Two balls strike. How many leave?',
    scene: sampled('cradle_two'),
    text: 'Equal balls stand in a row and touch. Two balls come from the left together.',
    question: 'How many balls leave on the right?',
    answers: { options: ['One, twice as fast', 'Two, as fast as they came', 'All of them', 'None'] },
    measure: async (client) => {
      client.frame(client.status?.ahead ?? 1e9);
      const numbers = await client.states();
      const speeds: number[] = [];
      for (let at = 0; at < numbers.length; at += 7) speeds.push(numbers[at + 4]!);
      const fastest = Math.max(...speeds.map(Math.abs), 1e-12);
      const moving = speeds.filter((speed) => Math.abs(speed) > 0.05 * fastest).length;
      return { value: moving === 1 ? 0 : moving === 2 ? 1 : moving === 0 ? 3 : 2, words: `At the end ${moving} balls move; the fastest at ${digits(fastest)} m/s.` };
    },
    why: 'One ball at twice the speed would have the momentum, but twice the energy. Momentum and energy alone allow many answers for more than two balls; that just as many leave as came is because the impulse passes from ball to ball, one contact after the other, each time between two equal balls that exchange their velocities.',
    tries: ['Step through the collisions: what happens at one instant?', 'Give the balls different masses: scene “cradle of masses”.'],
  },
  {
    id: 'galperin',
    title: "Galperin's π",
    summary: 'Two balls, a wall, and digits of π.',
    scene: sampled('galperin'),
    text: 'A heavy ball pushes a light one against a wall. Everything is elastic. The heavy ball has 100ᴺ times the mass of the light one. They collide again and again, until the light one cannot catch up any more.',
    question: 'How many collisions are there in all?',
    answers: { unit: 'collisions' },
    measure: (client) => {
      const value = client.status?.collisions ?? 0;
      return Promise.resolve({ value, words: `There are ${value.toLocaleString('en')} collisions.` });
    },
    why: 'Draw √M V against √m v: energy is a circle, and every collision turns the point by the same angle, 2 arctan √(m/M). It fits into half a turn about π √(M/m) times. So the number of collisions has the digits of π: 3, 31, 314, 3141, … (Galperin 2003). It works only if every single collision is exact, to the last.',
    tries: ['Change the mass ratio in the text of the scene: one more factor of 100, one more digit.', 'Look at the timeline: where are most of them?'],
  },
  {
    id: 'gas',
    title: 'A gas, and Maxwell',
    summary: 'How are the speeds of molecules distributed?',
    scene: sampled('gas_of_discs'),
    text: 'Many discs collide elastically, thousands of times a second. At the start their speeds are what the scene says; collisions mix them.',
    question: 'After many collisions, which speeds are there most of?',
    answers: { options: ['All speeds are about as frequent', 'Nearly all discs have the mean speed', 'Few are slow, most are near a certain speed, a tail is fast', 'Most are at rest'] },
    measure: async (client) => {
      client.frame(client.status?.ahead ?? 1e9);
      const numbers = await client.states();
      const speeds: number[] = [];
      for (let at = 0; at < numbers.length; at += 7) speeds.push(Math.hypot(numbers[at + 4]!, numbers[at + 5]!));
      const moving = speeds.filter((speed) => speed > 0).sort((a, b) => a - b);
      const square = moving.reduce((sum, v) => sum + v * v, 0) / moving.length;
      const mode = Math.sqrt(square / 2);
      const near = moving.filter((v) => v > 0.5 * mode && v < 1.5 * mode).length / moving.length;
      const slow = moving.filter((v) => v < 0.25 * mode).length / moving.length;
      const value = slow > 0.3 ? 3 : near > 0.9 ? 1 : near > 0.35 && slow < 0.1 ? 2 : 0;
      return { value, words: `${Math.round(100 * near)} % are within half of the most likely speed (${digits(mode, 3)} m/s), ${Math.round(100 * slow)} % are slower than a quarter of it; the fastest has ${digits(moving[moving.length - 1]!, 3)} m/s.` };
    },
    why: 'Of all distributions of the energy, nearly all look like Maxwell and Boltzmann’s: in 2-D the density of speeds is (m v / kT) exp(−m v² / 2 kT). See it in the panel Charts: bars are discs, the line is the law, with the temperature that the discs have.',
    tries: ['Go back to time 0 in the panel Charts, and play: how many collisions does it take?', 'Lower the restitution: the gas cools. Is it still Maxwell’s?'],
  },
  {
    id: 'drag',
    title: 'Drag and terminal speed',
    summary: 'How fast does a falling ball become in air?',
    scene: own('terminal_speed', `version = 1
title = "Drag and terminal speed"
dimension = 2
gravity = [0.0, -9.81]
run.until = 6.0

[fields]
drag = { quadratic = 0.02 } # kg/m
${ball('ball', 0.3, 0.1, '[0.0, 30.0]', '[0.0, 0.0]')}${ball('in a vacuum it would be here', 0.3, 100000, '[3.0, 30.0]', '[0.0, 0.0]')}`),
    text: 'A ball of 0.1 kg falls in air. The drag is 0.02 kg/m times the square of its speed. Beside it falls a ball so heavy that the air does nothing to it.',
    question: 'What speed does the light ball approach?',
    answers: { unit: 'm/s' },
    measure: async (client) => {
      client.frame(client.status?.ahead ?? 1e9);
      const state = await client.body(0);
      const value = Math.hypot(...(state?.velocity ?? [0]));
      return { value, words: `After ${digits(state?.time ?? 0)} s it falls at ${digits(value)} m/s.` };
    },
    why: 'It becomes no faster when drag equals weight: k v² = m g, so v = √(0.1 · 9.81 / 0.02) = 7.0 m/s. On the way there v(t) = v∞ tanh(g t / v∞).',
    tries: ['Let a wind blow (panel Change): what happens sideways?', 'Change to the gravity of Mars while it falls.'],
  },
  {
    id: 'two-methods',
    title: 'Both methods compared',
    summary: 'Exact impulses beside springs and small steps.',
    scene: own('two_methods', `version = 1
title = "Both methods compared"
dimension = 2
run.until = 8.0
forces.spring_time = 2e-3

[[bodies]]
name = "left"
shape = "wall"
point = [-2.0, 0.0]
normal = [1.0, 0.0]

[[bodies]]
name = "right"
shape = "wall"
point = [2.0, 0.0]
normal = [-1.0, 0.0]
${[-1.4, -0.6, 0.1, 0.8, 1.5].map((x, i) => ball(`ball ${i + 1}`, 0.1, 1, `[${x}, ${[0, 0.04, -0.03, 0.05, 0][i]}]`, i === 0 ? '[3.0, 0.0]' : '[0.0, 0.0]')).join('')}`),
    text: 'Most programs follow collisions by springs in small steps: bodies overlap a little, and are pushed apart. Here a contact lasts 2 ms. The exact method finds the instant itself. Both run the same scene.',
    question: 'The two agree at first. How far apart are the balls after 8 s?',
    answers: { options: ['Less than a hundredth of a radius', 'About a tenth of a radius', 'About a radius, or more', 'They are in the same place to all digits'] },
    measure: async (client, other) => {
      const springs = await other();
      try {
        const [exact, stepped] = [await atEnd(client), await atEnd(springs)];
        const apart = exact.map((place, i) => Math.hypot(...place.map((x, k) => x - (stepped[i]?.[k] ?? NaN))));
        const most = Math.max(...apart);
        const value = most === 0 ? 3 : most < 0.001 ? 0 : most < 0.05 ? 1 : 2;
        return { value, words: `After 8 s the same ball is up to ${digits(most, 3)} m apart, ${digits(most / 0.1, 3)} radii. Switch the other method on in the panel Compare: rings are the springs, and the chart shows how the distance grows.` };
      } finally {
        springs.close();
      }
    },
    why: 'A contact of 2 ms delays each collision, and turns directions a little. Round bodies magnify small differences: each collision multiplies them by about the distance between two collisions over the radius. Half a dozen collisions make a radius of a thousandth. That is no fault of springs, it is what collisions of balls are like (Sinai 1970); but only a method that is exact at every single one can be held to it.',
    tries: ['Set the duration of a contact to 1e-5 in the panel Compare: for how many collisions do the two agree now?', 'Step to the same collision in both.'],
  },
];
