// The selected body: its state, its own collisions, changes to it.

import type { Session } from '../../player/session';
import type { Body, BodyState } from '../../engine/types';
import { button, figures, h, vector } from '../dom';
import { slider } from '../slider';

export class BodyPanel {
  readonly root = h('div', { class: 'panel-body', attributes: { id: 'panel-body' } });
  private state = h('dl', { class: 'facts', attributes: { id: 'body-state' } });
  private asking = false;

  constructor(private readonly session: Session) {
    session.on('selected', () => this.show());
    session.on('opened', () => this.show());
    session.on('bodies', () => this.show());
    session.on('time', () => void this.refresh());
    // What is being dragged or written stays.
    session.on('changes', () => session.selected !== null && !this.root.contains(document.activeElement) && this.show());
    this.show();
  }

  private show(): void {
    const { session } = this;
    const list = h(
      'select',
      {
        attributes: { id: 'body-choice', 'aria-label': 'Body' },
        on: { change: (event) => session.select((event.target as HTMLSelectElement).value === '' ? null : Number((event.target as HTMLSelectElement).value)) },
      },
      h('option', { text: 'Choose a body…', attributes: { value: '' } }),
      ...session.bodies.slice(0, 2000).map((body) => h('option', { text: `${body.name || body.shape} (${body.id})`, attributes: { value: body.id, selected: body.id === session.selected } })),
    );
    const nodes: Node[] = [h('div', { class: 'row' }, list)];
    const body = session.selected === null ? undefined : session.body(session.selected);
    if (!body) nodes.push(h('p', { class: 'hint', text: 'Click a body in the picture, or choose one here. Drag it to move it, drag the tip of its arrow to change its velocity; with shift, flick it.' }));
    else {
      nodes.push(h('p', { class: 'pair' }, h('b', { text: body.name || `body ${body.id}` }), ` – a ${body.motion} ${body.shape} of ${body.material}`), this.state);
      const follow = h('input', { attributes: { type: 'checkbox', id: 'follow', checked: session.follow }, on: { change: () => (session.follow = follow.checked) } });
      nodes.push(h('label', { class: 'check' }, follow, h('span', { text: 'Follow it' })));
      const own = session.selected;
      nodes.push(
        h(
          'div',
          { class: 'row' },
          button({ label: 'Its previous collision', icon: 'previous', press: () => void session.step(-1, own) }),
          button({ label: 'Its next', icon: 'next', press: () => void session.step(1, own) }),
        ),
      );
      if (body.motion === 'free') nodes.push(this.edits(body.id));
      nodes.push(button({ label: 'Remove it', icon: 'remove', key: 'Delete', class: 'quiet', press: () => void session.change({ kind: 'remove', body: body.id }).then((done) => done && session.select(null)) }));
    }
    this.root.replaceChildren(...nodes);
    void this.refresh();
  }

  /** Place, velocity, spin and mass, by numbers. */
  private edits(id: number): HTMLElement {
    const { session } = this;
    const dimension = session.facts?.dimension ?? 2;
    const field = (name: string, label: string, value: string) =>
      h('label', { class: 'field' }, h('span', { text: label }), h('input', { attributes: { name, type: 'number', step: 'any', value } }));
    const form = h(
      'form',
      {
        class: 'body-form',
        on: {
          submit: (event) => {
            event.preventDefault();
            const data = new FormData(form);
            void this.set(id, (name) => Number(data.get(name)), (name) => data.get(name) !== form.querySelector<HTMLInputElement>(`[name=${name}]`)?.defaultValue);
          },
        },
      },
      h('div', { class: 'fields', attributes: { id: 'body-fields' } }),
      h('button', { class: 'button', text: 'Set now', attributes: { type: 'submit' } }),
    );
    void session.client.body(id).then((state) => {
      if (!state) return;
      const names = ['x', 'y', 'z'].slice(0, dimension);
      const body = session.body(id);
      form.before(...this.sliders(id, state, body));
      form.firstElementChild?.replaceChildren(
        ...names.map((axis, i) => field(axis, `${axis}, m`, figures(state.position[i] ?? 0, 6))),
        ...names.map((axis, i) => field(`v${axis}`, `v ${axis}, m/s`, figures(state.velocity[i] ?? 0, 6))),
        ...state.angular_velocity.map((turn, i) => field(dimension === 2 ? 'w' : `w${names[i]}`, dimension === 2 ? 'ω, rad/s' : `ω ${names[i]}`, figures(turn, 6))),
        field('mass', 'mass, kg', String(body?.mass ?? 1)),
      );
    });
    return form;
  }

  /** Makes the changes that were typed in: what was not touched keeps all its digits. */
  private async set(id: number, number: (name: string) => number, touched: (name: string) => boolean): Promise<void> {
    const { session } = this;
    const dimension = session.facts?.dimension ?? 2;
    const names = ['x', 'y', 'z'].slice(0, dimension);
    const now = await session.client.body(id);
    if (!now) return;
    const typed = (fields: string[], old: number[]) => (fields.some(touched) ? fields.map((name, i) => (touched(name) ? number(name) : old[i]!)) : null);
    const position = typed(names, now.position);
    const velocity = typed(names.map((axis) => `v${axis}`), now.velocity);
    const angular = typed(dimension === 2 ? ['w'] : names.map((axis) => `w${axis}`), now.angular_velocity);
    if (position && !(await session.change({ kind: 'position', body: id, position }))) return;
    if (velocity || angular) await session.change({ kind: 'velocity', body: id, ...(velocity ? { velocity } : {}), ...(angular ? { angular_velocity: angular } : {}) });
    if (touched('mass')) await this.setMass(id, number('mass'));
    else this.show();
  }

  /** Spin and mass, by sliders. */
  private sliders(id: number, state: BodyState, body: Body | undefined): HTMLElement[] {
    const { session } = this;
    const turns = state.angular_velocity;
    const last = turns.length - 1;
    // As fast as the surface of a ball that rolls at twice the largest speed.
    const most = Math.max(10, (2 * session.fastest) / (body?.radius || 1));
    const spin = async (value: number) => {
      const now = await session.client.body(id);
      if (now) await session.change({ kind: 'velocity', body: id, angular_velocity: now.angular_velocity.map((turn, i) => (i === last ? value : turn)) });
    };
    const all = [slider({ id: 'body-spin', label: turns.length === 1 ? 'spin' : 'spin, z', value: turns[last] ?? 0, min: -most, max: most, step: most / 200, unit: 'rad/s', change: (value) => void spin(value) })];
    if (body?.mass) {
      const { mass } = body;
      all.push(slider({ id: 'body-mass', label: 'mass', value: mass, min: 0.01 * mass, max: 100 * mass, step: 0.01, unit: 'kg', logarithmic: true, change: (value) => void this.setMass(id, value) }));
    }
    return all;
  }

  private async setMass(id: number, mass: number): Promise<void> {
    const before = this.session.body(id)?.mass;
    if (!before || Math.abs(mass / before - 1) < 1e-12) return;
    if (await this.session.change({ kind: 'mass', body: id, mass })) this.show();
  }

  private async refresh(): Promise<void> {
    const { selected, client } = this.session;
    if (selected === null || this.asking || !this.root.isConnected) return;
    this.asking = true;
    let stale = false;
    try {
      const state = await client.body(selected);
      // Another one may have been chosen meanwhile.
      if (this.session.selected !== selected) return;
      const body = this.session.body(selected);
      if (body && state?.mass && body.mass !== state.mass) {
        body.mass = state.mass;
        stale = !this.root.contains(document.activeElement);
      }
      if (!state) {
        this.state.replaceChildren(h('dd', { text: 'It is not there at this time.' }));
        return;
      }
      const rows: [string, string][] = [
        ['position', `${vector(state.position)} m`],
        ['velocity', `${vector(state.velocity)} m/s`],
        ['speed', `${figures(Math.hypot(...state.velocity))} m/s`],
        ['angular velocity', `${state.angular_velocity.length === 1 ? figures(state.angular_velocity[0]!) : vector(state.angular_velocity)} rad/s`],
      ];
      if (body?.mass) rows.push(['mass', `${figures(body.mass)} kg`], ['kinetic energy', `${figures(0.5 * body.mass * state.velocity.reduce((sum, v) => sum + v * v, 0))} J of motion`]);
      if (body?.radius) rows.push(['radius', `${figures(body.radius)} m`]);
      this.state.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', { text: name }), h('dd', { text: value })]));
    } catch {
      // The scene was closed meanwhile.
    } finally {
      this.asking = false;
      if (stale) this.show();
      else if (this.session.selected !== selected) void this.refresh();
    }
  }
}
