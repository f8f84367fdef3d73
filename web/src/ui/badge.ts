// Whether the energy budget closes: green, or red with what is missing.

import type { Session } from '../player/session';
import { figures, h } from './dom';

/** Of the largest energy that has been there: below this, the residual is rounding. */
export const CLOSES = 1e-6;
/** By forces the scheme has an error of its own, which shows in results from here on: as the command has it. */
const CLOSES_BY_STEPS = 1e-2;

/** Columns of a sample. */
const TIME = 0;
const RESIDUAL = 6;
const SCALE = 12;

/** The worst residual so far, as a part of the largest energy. */
export function worstResidual(samples: { length: number; at(row: number, column: number): number }, until: number): number {
  let worst = 0;
  for (let row = 0; row < samples.length; row++) {
    if (samples.at(row, TIME) > until) break;
    const scale = samples.at(row, SCALE);
    if (scale > 0) worst = Math.max(worst, Math.abs(samples.at(row, RESIDUAL)) / scale);
  }
  return worst;
}

export class Badge {
  readonly root = h('span', { class: 'badge', attributes: { id: 'budget', role: 'status' } });

  constructor(private readonly session: Session) {
    session.on('progress', () => this.show());
    session.on('opened', () => this.show());
  }

  private show(): void {
    const { samples } = this.session.client;
    if (samples.length === 0) {
      this.root.textContent = '';
      this.root.className = 'badge';
      return;
    }
    const worst = worstResidual(samples, Infinity);
    const byForces = this.session.facts?.method === 'forces';
    const good = worst <= (byForces ? CLOSES_BY_STEPS : CLOSES);
    this.root.className = good ? 'badge good' : 'badge bad';
    this.root.textContent = good ? 'energy budget closes' : `energy budget open by ${figures(100 * worst, 2)} %`;
    const steps = byForces ? '. By forces it is the error of the steps: shorter ones make it smaller' : '';
    this.root.title = `Largest residual: ${figures(worst, 2)} of the largest energy${steps}`;
  }
}
