// All sample scenes, with pictures.

import { scenes, type Sample } from '../scenes';
import { h } from './dom';

interface Group {
  title: string;
  names: string[];
}

/** In the order in which they are shown. Whatever is in none of them comes last. */
const GROUPS: Group[] = [
  { title: 'Play', names: ['pool', 'pinball', 'breakout', 'break', 'bowling', 'galton', 'gate', 'paddle', 'bat', 'bumper', 'mars', 'earth_to_mars'] },
  { title: 'First collisions', names: ['two_discs', 'right_angle', 'worked_example_1', 'worked_example_2', 'newton_cradle', 'cradle_two', 'cradle_of_masses', 'cradle_of_boxes', 'galperin', 'spin_beta', 'laws_of_friction', 'tandem'] },
  { title: 'Gases and grains', names: ['gas_of_discs', 'gas_3d', 'gas_piston', 'mixed_sizes', 'granular_cooling', 'viscoelastic_cooling', 'heated_gas', 'shaken_gas', 'shear_flow', 'grains', 'bed_of_discs', 'pile', 'stirrer', 'drum'] },
  { title: 'Rigid bodies', names: ['dominoes', 'dice', 'wall_of_boxes', 'tumbling_book', 'solids_in_contact', 'box_and_cylinder_3d', 'hollow'] },
  { title: 'Joints', names: ['rag_doll', 'cradle_on_threads', 'wrecking_ball', 'pendulum_wave'] },
  { title: 'Flight, rolling, sliding', names: ['drag', 'wind', 'magnus', 'orbit', 'table_roll', 'slope', 'belt', 'frames'] },
];

export function groups(): { title: string; samples: Sample[] }[] {
  const left = new Set(scenes.map((scene) => scene.name));
  const found = GROUPS.map(({ title, names }) => ({
    title,
    samples: names.flatMap((name) => {
      const sample = left.delete(name) ? scenes.find((scene) => scene.name === name) : undefined;
      return sample ? [sample] : [];
    }),
  }));
  const rest = scenes.filter((scene) => left.has(scene.name));
  return [...found, { title: 'Containers, walls and more', samples: rest }].filter((group) => group.samples.length > 0);
}

/** What people look for: words of the name, the title or the summary. */
export function matches(sample: Sample, search: string): boolean {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const text = `${sample.name.replaceAll('_', ' ')} ${sample.title} ${sample.summary} ${sample.dimension}-d`.toLowerCase();
  return words.every((word) => text.includes(word));
}

function card(sample: Sample): HTMLElement {
  const facts = `${sample.dimension}-D · ${sample.bodies === 1 ? '1 body' : `${sample.bodies.toLocaleString('en')} bodies`}`;
  return h(
    'a',
    { class: 'card', attributes: { href: `#/scene/${sample.name}` } },
    h('img', { attributes: { src: `./thumbs/${sample.name}.svg`, alt: '', loading: 'lazy', width: 320, height: 200 } }),
    h('span', { class: 'card-title', text: sample.title }),
    h('span', { class: 'card-text', text: sample.summary }),
    h('span', { class: 'card-facts', text: facts }),
  );
}

export function gallery(open: () => void): HTMLElement {
  const sections = groups().map((group) => ({
    section: h('section', {}, h('h2', { text: group.title }), h('div', { class: 'cards' }, ...group.samples.map(card))),
    samples: group.samples,
  }));
  const nothing = h('p', { class: 'hint', text: 'No scene has all of these words.', attributes: { hidden: true } });
  const search = h('input', {
    class: 'search',
    attributes: { type: 'search', placeholder: 'Search the scenes', 'aria-label': 'Search the scenes', id: 'search' },
    on: {
      input: () => {
        let shown = 0;
        for (const { section, samples } of sections) {
          const cards = [...section.querySelectorAll<HTMLElement>('.card')];
          const visible = samples.map((sample) => matches(sample, search.value));
          cards.forEach((element, i) => (element.hidden = !visible[i]));
          const some = visible.filter(Boolean).length;
          section.hidden = some === 0;
          shown += some;
        }
        nothing.hidden = shown > 0;
      },
    },
  });
  return h(
    'main',
    { class: 'gallery', attributes: { id: 'main' } },
    h(
      'header',
      { class: 'intro' },
      h('h1', { text: 'Collisions, at their exact time' }),
      h('p', { text: 'Every scene runs here, in your browser, by the same engine and to the same bits as the command carom. Stop at any collision and see what happened; change anything while it runs.' }),
      h(
        'div',
        { class: 'row' },
        search,
        h('button', { class: 'button', text: 'Open a file…', attributes: { type: 'button' }, on: { click: open } }),
        h('a', { class: 'button', text: 'Lessons', attributes: { href: '#/lessons' } }),
      ),
    ),
    ...sections.map(({ section }) => section),
    nothing,
  );
}
