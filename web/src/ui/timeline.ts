// The timeline: every event as a tick, how far the run has been computed, changes as marks, and where the picture is.

import { COLLISION } from '../engine/types';
import type { Session } from '../player/session';
import { figures, h } from './dom';

export class Timeline {
  readonly root: HTMLElement;
  private canvas = h('canvas', { class: 'timeline-canvas', attributes: { 'aria-hidden': 'true' } });
  private slider: HTMLInputElement;
  /** How many collisions there are in each column of pixels, kept from one drawing to the next. */
  private columns = new Float32Array(0);
  /** The same of all other events: crossings of sensors, transitions, releases, changes, actions. */
  private others = new Float32Array(0);
  private counted = { events: 0, until: 0, width: 0, of: null as number | null };

  constructor(private readonly session: Session) {
    this.slider = h('input', {
      class: 'timeline-slider',
      attributes: { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time', id: 'time' },
      on: {
        input: () => {
          this.session.pause();
          this.session.seek(Number(this.slider.value));
        },
        // The arrows step from collision to collision, everywhere.
        keydown: (event) => {
          if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') event.preventDefault();
        },
      },
    });
    this.root = h('div', { class: 'timeline' }, this.canvas, this.slider);
    new ResizeObserver(() => this.draw()).observe(this.root);
    for (const what of ['progress', 'opened', 'changes', 'selected', 'collision'] as const) session.on(what, () => this.draw());
    session.on('time', () => this.move());
  }

  private move(): void {
    const { session } = this;
    this.slider.value = String(session.shown);
    this.slider.setAttribute('aria-valuetext', `${figures(session.shown, 4)} seconds of ${figures(session.until, 4)}`);
    this.draw();
  }

  draw(): void {
    const { session, canvas } = this;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const width = this.root.clientWidth;
    const height = this.root.clientHeight;
    if (width === 0 || !session.facts) return;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.slider.max = String(session.until);
    const context = canvas.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const style = getComputedStyle(this.root);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const at = (time: number) => (time / session.until) * width;
    const middle = height / 2;
    context.fillStyle = color('--track');
    context.fillRect(0, middle - 9, width, 18);
    context.fillStyle = color('--computed');
    context.fillRect(0, middle - 9, at(session.ahead), 18);
    this.ticks(context, width, middle, [color('--tick'), color('--c2')]);
    for (const change of session.changes) {
      context.fillStyle = color('--change');
      const x = at(change.time);
      context.beginPath();
      context.moveTo(x, middle + 4);
      context.lineTo(x + 5, middle + 13);
      context.lineTo(x - 5, middle + 13);
      context.fill();
    }
    context.fillStyle = color('--accent');
    const x = Math.max(1, Math.min(width - 1, at(session.shown)));
    context.fillRect(x - 1, middle - 13, 2, 26);
    context.beginPath();
    context.arc(x, middle - 13, 4.5, 0, 2 * Math.PI);
    context.fill();
  }

  private ticks(context: CanvasRenderingContext2D, width: number, middle: number, [collisions, others]: [string, string]): void {
    this.count(width);
    context.fillStyle = collisions;
    let most = 1;
    for (const count of this.columns) most = Math.max(most, count);
    this.columns.forEach((count, column) => {
      if (count === 0) return;
      // One event is a full tick; where there are many, higher ones are more.
      const tall = most < 4 ? 12 : 4 + (12 * Math.log1p(count)) / Math.log1p(most);
      context.globalAlpha = most < 4 ? 0.9 : 0.75;
      context.fillRect(column, middle - tall / 2, 1, tall);
    });
    context.globalAlpha = 0.9;
    context.fillStyle = others;
    this.others.forEach((count, column) => count > 0 && context.fillRect(column, middle + 5, 1, 4));
    context.globalAlpha = 1;
  }

  /** Counts what has come since the last drawing. */
  private count(width: number): void {
    const { events } = this.session.client;
    const { until, selected } = this.session;
    const { counted } = this;
    if (counted.until !== until || counted.width !== width || counted.events > events.length || counted.of !== selected) {
      this.columns = new Float32Array(Math.ceil(width) + 1);
      this.others = new Float32Array(Math.ceil(width) + 1);
      Object.assign(counted, { events: 0, until, width, of: selected });
    }
    for (let row = counted.events; row < events.length; row++) {
      if (selected !== null && events.at(row, 2) !== selected && events.at(row, 3) !== selected) continue;
      const column = Math.floor((events.at(row, 0) / until) * width);
      const into = events.at(row, 1) === COLLISION ? this.columns : this.others;
      if (column >= 0 && column < into.length) into[column]! += 1;
    }
    counted.events = events.length;
  }
}
