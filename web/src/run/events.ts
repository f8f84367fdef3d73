// The recorded events around the frame that is shown, and the numbers of one of them.

import { figures, h, vector } from '../ui/dom';
import type { RecordedEvent, Recording } from './recording';

/** More are not listed. */
const ROWS = 60;

export class RunEvents {
  readonly root = h('section', { attributes: { id: 'run-events', 'aria-label': 'Events' } });
  private readonly list = h('div', { class: 'event-list' });
  private readonly details = h('div', { class: 'collision-details', attributes: { 'aria-live': 'polite', id: 'run-event' } });
  private recording: Recording | null = null;
  private chosen = -1;
  private timer = 0;

  constructor() {
    this.root.append(h('h3', { text: 'Events up to the next frame' }), this.list, this.details);
  }

  /** Lists what happened from a frame to the next one. */
  show(recording: Recording, frame: number): void {
    this.recording = recording;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      const { times } = recording;
      // What happens at the instant of a frame has happened in it; the first frame is the start of all.
      const events = recording.eventsWithin(times[frame]!, times[frame + 1] ?? Infinity, ROWS + 1);
      this.list.replaceChildren(...events.slice(0, ROWS).map((event) => this.row(event)));
      if (events.length === 0) this.list.replaceChildren(h('p', { class: 'hint', text: recording.eventCount === 0 ? 'The run has no table of events.' : 'None.' }));
      if (events.length > ROWS) this.list.append(h('p', { class: 'hint', text: 'And more.' }));
    }, 120);
  }

  private row(event: RecordedEvent): HTMLElement {
    const names = [event.a, event.b].filter((id) => id >= 0).map((id) => this.recording!.name(id));
    const button = h(
      'button',
      { class: event.row === this.chosen ? 'event current' : 'event', attributes: { type: 'button' }, on: { click: () => {
        this.list.querySelector('.current')?.classList.remove('current');
        button.classList.add('current');
        void this.choose(event);
      } } },
      h('span', { class: 'event-time', text: figures(event.time, 7) }),
      h('span', { text: `${event.kind}${event.number > 0 ? ` ${event.number}` : ''}` }),
      h('span', { class: 'event-who', text: names.join(', ') }),
    );
    return button;
  }

  private async choose(event: RecordedEvent): Promise<void> {
    const { recording } = this;
    if (!recording) return;
    this.chosen = event.row;
    try {
      const numbers = await recording.event(event.row);
      if (this.chosen === event.row) this.details.replaceChildren(...this.describe(event, numbers));
    } catch (error) {
      this.details.replaceChildren(h('p', { class: 'hint', text: `It cannot be read: ${error instanceof Error ? error.message : String(error)}` }));
    }
  }

  private describe(event: RecordedEvent, numbers: Map<string, number>): Node[] {
    const recording = this.recording!;
    const [a, b] = [event.a, event.b].map((id) => (id >= 0 ? recording.name(id) : ''));
    const title = h('h3', { text: `${event.kind[0]!.toUpperCase()}${event.kind.slice(1)}${event.number > 0 ? ` ${event.number}` : ''}` });
    const facts: [string, string][] = [['time', `${event.time} s`]];
    if (event.kind !== 'collision') return [title, h('p', { class: 'pair', text: [a, b].filter(Boolean).join(', ') }), table(facts)];
    const along = (name: string, end = '') => {
      const all = ['_x', '_y', '_z'].map((axis) => numbers.get(`${name}${axis}${end}`)).filter((number) => number !== undefined);
      return vector(all.length > 0 ? all : [numbers.get(`${name}${end}`) ?? NaN]);
    };
    facts.push(
      ['impulse on a', `${along('impulse')} N s`],
      ['normal', along('normal')],
      ['approach', `${figures(numbers.get('approach_speed') ?? NaN)} m/s`],
      ['energy lost', `${figures(numbers.get('energy_lost') ?? NaN)} J`],
    );
    const both = (name: string, quantity: string, end: string) =>
      h('tr', {}, h('th', { text: name, attributes: { scope: 'row' } }), ...['a', 'b'].map((side) => h('td', { text: along(`${side}_${quantity}`, end) })));
    return [
      title,
      h('p', { class: 'pair' }, h('b', { text: a! }), ' (a) and ', h('b', { text: b! }), ' (b)'),
      table(facts),
      h(
        'table',
        { class: 'numbers' },
        h('thead', {}, h('tr', {}, h('td'), ...[a!, b!].map((text) => h('th', { text, attributes: { scope: 'col' } })))),
        h('tbody', {}, both('v before', 'velocity', '_before'), both('v after', 'velocity', '_after'), both('ω before', 'angular_velocity', '_before'), both('ω after', 'angular_velocity', '_after')),
      ),
      h('p', { class: 'hint', text: `carom explain says it in words: carom explain FOLDER ${event.number}` }),
    ];
  }
}

function table(rows: [string, string][]): HTMLElement {
  return h('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => [h('dt', { text: name }), h('dd', { text: value })]));
}
