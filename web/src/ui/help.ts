// What the keys and the mouse do.

import { button, h } from './dom';

const KEYS: [string, string][] = [
  ['space', 'play, pause'],
  ['← →', 'previous, next collision'],
  ['shift ← →', 'of the selected body only'],
  [', .', 'a picture back, a picture on'],
  ['↑ ↓', 'faster, slower'],
  ['Home End', 'to the start, to the end'],
  ['f', 'fit the picture'],
  ['+ −', 'nearer, farther'],
  ['w a s d', 'move the picture (3-D: turn it)'],
  ['c', 'colour by speed'],
  ['v', 'velocities as arrows'],
  ['p', 'momenta as arrows'],
  ['t', 'paths of all bodies'],
  ['x', 'centre of mass'],
  ['l', 'names of bodies'],
  ['m', 'sound on and off'],
  ['k', 'drags flick bodies (for fingers, which have no shift)'],
  ['[ ]', 'select the previous or next body'],
  ['n', 'add a ball'],
  ['Delete', 'remove the selected body'],
  ['u', 'undo the last change'],
  ['1 … 8', 'the panels'],
  ['o', 'open a file'],
  ['arrows, while it plays', 'drive the bat of a game, or a moving fixture that is selected'],
  ['?', 'this help'],
];

const MOUSE: [string, string][] = [
  ['drag the background', 'move the picture (3-D: turn it; with shift, move it)'],
  ['wheel, two fingers', 'zoom'],
  ['click a body', 'select it'],
  ['drag a body', 'put it elsewhere'],
  ['drag the tip of its arrow', 'change its velocity (its numbers can be typed in the panel Body)'],
  ['shift and drag a body', 'flick it: it flies where it was pulled to'],
  ['double click', 'fit the picture'],
];

export function showHelp(): void {
  document.querySelector('dialog.help')?.remove();
  const table = (rows: [string, string][]) =>
    h('table', { class: 'keys' }, h('tbody', {}, ...rows.map(([key, what]) => h('tr', {}, h('th', { attributes: { scope: 'row' } }, h('kbd', { text: key })), h('td', { text: what })))));
  const dialog = h(
    'dialog',
    { class: 'help', attributes: { 'aria-labelledby': 'help-title' } },
    h('div', { class: 'help-top' }, h('h2', { text: 'Keys and mouse', attributes: { id: 'help-title' } }), button({ label: 'Close', press: () => dialog.close() })),
    h('div', { class: 'columns' }, table(KEYS), table(MOUSE)),
    h('p', { class: 'hint', text: 'Everything is computed in this page, by the engine of the command carom as WebAssembly. Nothing is sent anywhere.' }),
  );
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
