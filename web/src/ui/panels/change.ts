// Changes while it runs: gravity, materials, air, bodies; the list of all changes, to take back or to keep.

import type { Change, MaterialFacts } from '../../engine/types';
import type { Session } from '../../player/session';
import { button, figures, h, vector } from '../dom';
import { slider } from '../slider';

const PLANETS: [string, number][] = [
  ['Earth', 9.81],
  ['Moon', 1.62],
  ['Mars', 3.71],
  ['Jupiter', 24.79],
  ['Off', 0],
];

/** A change in words. */
export function changeWords(change: Change, name: (id: number) => string): string {
  const body = typeof change.body === 'number' ? name(change.body) : '';
  const numbers = (key: string) => (Array.isArray(change[key]) ? vector(change[key] as number[], 4) : '');
  switch (change.kind) {
    case 'gravity':
      return `gravity ${numbers('gravity')} m/s²`;
    case 'air':
      return `drag ${figures(Number(change.linear ?? 0), 3)} kg/s, ${figures(Number(change.quadratic ?? 0), 3)} kg/m; wind ${numbers('wind') || 'none'} m/s`;
    case 'material': {
      const given = ['restitution', 'static_friction', 'kinetic_friction', 'rolling_resistance'].filter((key) => key in change);
      return `${String(change.material)}: ${given.map((key) => `${key.replace('_', ' ')} ${figures(Number(change[key]), 4)}`).join(', ')}`;
    }
    case 'velocity':
      return `${body}: ${[numbers('velocity') && `velocity ${numbers('velocity')} m/s`, numbers('angular_velocity') && `angular velocity ${numbers('angular_velocity')} rad/s`].filter(Boolean).join(', ')}`;
    case 'position':
      return `${body} moved to ${numbers('position')} m`;
    case 'remove':
      return `${body} removed`;
    case 'insert':
      return `${String(change.name)} added at ${numbers('position')} m`;
    case 'mass':
      return `${body}: mass ${figures(Number(change.mass), 4)} kg`;
    case 'move':
      return `${body} moves at ${numbers('velocity') || '0'} m/s`;
    case 'press':
      return `key ${String(change.key)} pressed`;
    case 'release':
      return `key ${String(change.key)} released`;
    default:
      return change.kind;
  }
}

/** The direction of a vector; `null` where it has none. */
export function downOf(gravity: number[]): number[] | null {
  const strength = Math.hypot(...gravity);
  // Along an axis it stays so, to the last digit.
  return strength > 0 ? gravity.map((part) => (Math.abs(part) === strength ? Math.sign(part) : part / strength) + 0) : null;
}

export class ChangePanel {
  readonly root = h('div', { class: 'panel-body', attributes: { id: 'panel-change' } });
  private gravity = h('div', { class: 'group' });
  private materials = h('div', { class: 'group' });
  private air = h('div', { class: 'group' });
  private list = h('ol', { class: 'changes', attributes: { id: 'changes' } });

  constructor(
    private readonly session: Session,
    private readonly addBall: () => void,
    keep: () => void,
  ) {
    this.root.append(
      h('p', { class: 'hint', text: 'A change takes effect at the instant that is shown, and everything after it is computed anew.' }),
      h('h3', { text: 'Gravity' }), this.gravity,
      h('h3', { text: 'Materials' }), this.materials,
      h('h3', { text: 'Air' }), this.air,
      h('h3', { text: 'Bodies' }),
      h('div', { class: 'row' }, button({ label: 'Add a ball', key: 'n', press: () => this.addBall() })),
      h('h3', { text: 'Changes so far' }), this.list,
      h('div', { class: 'row' },
        button({ label: 'Undo the last', icon: 'undo', key: 'u', press: () => void session.undo() }),
        button({ label: 'Save the scene with them', icon: 'save', press: keep })),
    );
    session.on('opened', () => ((this.down = []), this.show()));
    session.on('surroundings', () => this.showUnlessUsed());
    session.on('changes', () => this.showList());
  }

  private showUnlessUsed(): void {
    // A slider that is being dragged stays.
    if (!this.root.contains(document.activeElement) || document.activeElement instanceof HTMLButtonElement) this.show();
  }

  private show(): void {
    this.showGravity();
    this.showMaterials();
    this.showAir();
    this.showList();
  }

  /** Where down was last: gravity that is switched off and on again points where it did. */
  private down: number[] = [];

  private setGravity(strength: number): void {
    const { facts, surroundings } = this.session;
    const dimension = facts?.dimension ?? 2;
    const down = downOf(surroundings?.gravity ?? []) ?? (this.down.length === dimension ? this.down : null);
    this.down = down ?? Array.from({ length: dimension }, (_, i) => (i === dimension - 1 ? -1 : 0));
    void this.session.change({ kind: 'gravity', gravity: this.down.map((part) => part * strength + 0) });
  }

  private showGravity(): void {
    const now = Math.hypot(...(this.session.surroundings?.gravity ?? [0]));
    this.gravity.replaceChildren(
      h('div', { class: 'row presets' }, ...PLANETS.map(([name, strength]) => {
        const made = button({ label: name, class: Math.abs(now - strength) < 0.01 ? 'chosen' : '', press: () => this.setGravity(strength) });
        made.setAttribute('aria-pressed', String(Math.abs(now - strength) < 0.01));
        return made;
      })),
      slider({ id: 'gravity', label: 'g', value: now, min: 0, max: 30, step: 0.01, unit: 'm/s²', change: (value) => this.setGravity(value) }),
    );
  }

  private showMaterials(): void {
    const materials = this.session.surroundings?.materials ?? [];
    const set = (material: MaterialFacts, numbers: Partial<MaterialFacts>) => {
      // All of them: in a scene file a change is one of the numbers that the scene began with.
      const { name, ...all } = { ...material, ...numbers };
      void this.session.change({ kind: 'material', material: name, ...all });
    };
    this.materials.replaceChildren(
      ...materials.slice(0, 8).map((material, i) =>
        h(
          'fieldset',
          {},
          h('legend', { text: material.name }),
          slider({ id: `restitution-${i}`, label: 'restitution', value: material.restitution, min: 0, max: 1, step: 0.01, unit: '', change: (value) => set(material, { restitution: value }) }),
          slider({
            id: `friction-${i}`, label: 'friction', value: material.kinetic_friction, min: 0, max: 1, step: 0.01, unit: '',
            change: (value) => set(material, { kinetic_friction: value, static_friction: Math.max(value, material.static_friction > material.kinetic_friction ? material.static_friction : value) }),
          }),
          slider({ id: `rolling-${i}`, label: 'rolling', value: material.rolling_resistance, min: 0, max: 0.2, step: 0.001, unit: '', change: (value) => set(material, { rolling_resistance: value }) }),
        ),
      ),
    );
  }

  private showAir(): void {
    const now = this.session.surroundings?.air ?? { linear: 0, quadratic: 0, wind: [0] };
    let { quadratic } = now;
    const wind = now.wind.slice();
    const set = () => void this.session.change({ kind: 'air', linear: now.linear, quadratic, ...(wind.some((x) => x !== 0) ? { wind } : {}) });
    this.air.replaceChildren(
      slider({ id: 'drag', label: 'drag', value: quadratic, min: 0, max: 1, step: 0.005, unit: 'kg/m', change: (value) => ((quadratic = value), set()) }),
      slider({ id: 'wind', label: 'wind', value: wind[0] ?? 0, min: -20, max: 20, step: 0.1, unit: 'm/s', change: (value) => ((wind[0] = value), set()) }),
    );
  }

  private showList(): void {
    const { changes } = this.session;
    // Also of those that are gone by now.
    const name = (id: number) => this.session.known.get(id)?.name || `body ${id}`;
    const first = Math.max(0, changes.length - 100);
    this.list.replaceChildren(
      ...changes.slice(first).map((made, i) =>
        h(
          'li',
          {},
          h('button', { class: 'link', text: `${figures(made.time, 5)} s`, attributes: { type: 'button' }, on: { click: () => this.session.seek(made.time) } }),
          h('span', { text: changeWords(made.edit, name) }),
          button({ label: 'Take it back', icon: 'remove', iconOnly: true, class: 'quiet small', press: () => void this.session.undo(first + i) }),
        ),
      ),
    );
    if (changes.length === 0) this.list.replaceChildren(h('li', { class: 'hint', text: 'None.' }));
  }
}
