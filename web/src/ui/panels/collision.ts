// The collision that is shown: numbers, and the law in words. And the list of all events.

import { COLLISION, KINDS, type Collision } from '../../engine/types';
import type { Session } from '../../player/session';
import { button, figures, h, vector } from '../dom';

const ROWS = 60;

export class CollisionPanel {
  readonly root = h('div', { class: 'panel-body', attributes: { id: 'panel-collision' } });
  private details = h('div', { class: 'collision-details', attributes: { 'aria-live': 'polite' } });
  private list = h('div', { class: 'event-list' });
  private filter = h('input', { attributes: { type: 'checkbox', id: 'only-selected' }, on: { change: () => this.showList() } });

  constructor(private readonly session: Session) {
    const only = h('label', { class: 'check' }, this.filter, h('span', { text: 'only of the selected body' }));
    this.root.append(this.details, h('h3', { text: 'Events' }), only, this.list);
    session.on('collision', () => this.show());
    session.on('opened', () => this.show());
    session.on('selected', () => this.showList());
    session.on('progress', () => this.showListSoon());
    session.on('time', () => this.showListSoon());
    this.show();
  }

  private waiting = false;

  private showListSoon(): void {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.showList();
    }, 250);
  }

  private name(id: number): string {
    const body = this.session.body(id);
    return body?.name || `body ${id}`;
  }

  private show(): void {
    const hit = this.session.collision;
    if (hit) this.details.replaceChildren(...this.describe(hit));
    else {
      this.details.replaceChildren(
        h('p', { class: 'hint', text: 'Step to a collision to see the exact instant: the normal, the impulse, the velocities before and after, and the law behind it.' }),
        button({ label: 'Next collision', icon: 'next', key: '→', press: () => void this.session.step(1) }),
      );
    }
    this.showList();
  }

  private describe(hit: Collision): Node[] {
    const row = (name: string, ...cells: string[]) =>
      h('tr', {}, h('th', { text: name, attributes: { scope: 'row' } }), ...cells.map((cell) => h('td', { text: cell })));
    const [a, b] = [this.name(hit.a), this.name(hit.b)];
    const head = h('thead', {}, h('tr', {}, h('td'), h('th', { text: a, attributes: { scope: 'col' } }), h('th', { text: b, attributes: { scope: 'col' } })));
    const both = (name: string, of: (side: 0 | 1) => string) => row(name, of(0), of(1));
    const table = h(
      'table',
      { class: 'numbers' },
      head,
      h(
        'tbody',
        {},
        both('v before', (side) => vector(hit.before[side].velocity)),
        both('v after', (side) => vector(hit.after[side].velocity)),
        both('ω before', (side) => vector(hit.before[side].angular_velocity).replace(/^\(([^,]*)\)$/, '$1')),
        both('ω after', (side) => vector(hit.after[side].angular_velocity).replace(/^\(([^,]*)\)$/, '$1')),
      ),
    );
    const facts = h(
      'dl',
      { class: 'facts' },
      ...(
        [
          ['time', `${hit.time} s`, 'collision-time'],
          ['impulse on a', `${vector(hit.impulse)} N s`, 'collision-impulse'],
          ['normal', vector(hit.normal), ''],
          ['approach', `${figures(hit.approach_speed)} m/s`, ''],
          ['energy lost', `${figures(hit.energy_lost)} J`, ''],
        ] as const
      ).flatMap(([name, value, id]) => [h('dt', { text: name }), h('dd', { text: value, attributes: id ? { id, 'data-value': JSON.stringify(id === 'collision-time' ? hit.time : hit.impulse) } : {} })]),
    );
    const nodes: Node[] = [
      h('h3', { text: `Collision ${hit.number}`, attributes: { id: 'collision-title' } }),
      h('p', { class: 'pair' }, h('b', { text: a }), ' (a) and ', h('b', { text: b }), ' (b)'),
      facts,
      table,
      h('p', { class: 'legend' },
        h('span', { class: 'key before', text: 'before' }), h('span', { class: 'key after', text: 'after' }),
        h('span', { class: 'key normal', text: 'normal' }), h('span', { class: 'key impulse', text: 'impulse' })),
    ];
    if (hit.words) {
      const rows = hit.words.rows.flatMap(([name, text]) => [h('dt', { text: name }), h('dd', { text })]);
      nodes.push(
        h('details', { class: 'explain', attributes: { open: true } }, h('summary', { text: 'In words, as carom explain says it' }), h('dl', { class: 'words', attributes: { id: 'explain' } }, ...rows)),
      );
    }
    return nodes;
  }

  private showList(): void {
    if (!this.root.isConnected) return;
    const { events } = this.session.client;
    const { selected } = this.session;
    const only = this.filter.checked && selected !== null;
    const here = this.session.collisionIndex >= 0 ? this.session.collisionIndex : events.find(this.session.shown);
    const rows: number[] = [];
    for (let row = Math.max(0, here - (only ? 100_000 : ROWS / 3)); row < events.length && rows.length < ROWS; row++) {
      if (!only || events.at(row, 2) === selected || events.at(row, 3) === selected) rows.push(row);
    }
    this.list.replaceChildren(
      ...rows.map((row) => {
        const kind = events.at(row, 1);
        const number = kind === COLLISION ? ` ${events.at(row, 4)}` : '';
        const who = [2, 3].map((column) => events.at(row, column)).filter((id) => id >= 0).map((id) => this.name(id));
        return h(
          'button',
          {
            class: row === this.session.collisionIndex ? 'event current' : 'event',
            attributes: { type: 'button' },
            on: { click: () => (kind === COLLISION ? void this.session.showCollision(row) : this.session.seek(events.at(row, 0))) },
          },
          h('span', { class: 'event-time', text: figures(events.at(row, 0), 7) }),
          h('span', { text: `${KINDS[kind] ?? 'event'}${number}` }),
          h('span', { class: 'event-who', text: who.join(', ') }),
        );
      }),
    );
    if (rows.length === 0) this.list.replaceChildren(h('p', { class: 'hint', text: 'No events here yet.' }));
  }
}
