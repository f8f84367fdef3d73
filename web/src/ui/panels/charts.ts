// Live charts: energy by kind, momentum, speeds with Maxwell–Boltzmann, the collision rate.

import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Session } from '../../player/session';
import type { Stage } from '../../view/stage';
import { figures, h } from '../dom';
import { histogram, maxwell } from '../../statistics';
import { Momenta } from './momenta';

const HEIGHT = 150;

function style(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** A line where the picture is. */
function mark({ ctx, bbox, valToPos }: uPlot, time: number): void {
  const x = valToPos(time, 'x', true);
  if (!(x >= bbox.left && x <= bbox.left + bbox.width)) return;
  ctx.save();
  ctx.strokeStyle = style('--accent');
  ctx.lineWidth = window.devicePixelRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

/** Options that all charts share; `shown` says where the picture is on a chart against time, s. */
export function chartOptions(width: number, series: uPlot.Series[], label: string, time = true, shown: (() => number) | null = null): uPlot.Options {
  const axis: uPlot.Axis = { stroke: style('--ink-soft'), grid: { stroke: style('--line'), width: 1 }, ticks: { stroke: style('--line'), width: 1 }, font: '11px system-ui, sans-serif' };
  return {
    width,
    height: HEIGHT,
    series,
    scales: { x: { time: false } },
    legend: { show: true, live: true },
    hooks: { draw: shown ? [(plot) => mark(plot, shown())] : [] },
    cursor: { drag: { x: false, y: false }, points: { size: 5 } },
    axes: [
      { ...axis, size: 26, values: (_, ticks) => ticks.map((tick) => (time ? `${+tick.toPrecision(4)}` : `${+tick.toPrecision(3)}`)) },
      { ...axis, size: 54, label, labelSize: 14, labelFont: '11px system-ui, sans-serif', values: (_, ticks) => ticks.map((tick) => figures(tick, 3)) },
    ],
  };
}

/** A line of a chart. */
export function line(label: string, stroke: string, dash?: number[]): uPlot.Series {
  return { label, stroke, width: 1.6, ...(dash ? { dash } : {}), points: { show: false }, value: (_, value) => (value === null || value === undefined ? '–' : figures(value, 4)) };
}

interface Chart {
  root: HTMLElement;
  plot: uPlot | null;
  make: (width: number) => uPlot.Options;
  data: () => uPlot.AlignedData;
  /** Whether it is against time. */
  timed: boolean;
}

export class ChartsPanel {
  readonly root = h('div', { class: 'panel-body charts', attributes: { id: 'panel-charts' } });
  private charts: Chart[] = [];
  private waiting = false;
  private momenta: Momenta;
  private budget = h('dl', { class: 'facts', attributes: { id: 'budget-facts' } });

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
  ) {
    this.add('Energy', (width) =>
      chartOptions(width, [{ label: 't' }, line('translational', style('--c1')), line('rotational', style('--c2')), line('potential', style('--c3')), line('lost', style('--c4'), [4, 3]), line('total', style('--ink'))], 'J', true, () => this.session.shown),
      () => {
        const [t, a, b, c, lost] = [0, 1, 2, 3, 4].map((column) => this.session.client.samples.column(column));
        return [t!, a!, b!, c!, lost!, t!.map((_, i) => a![i]! + b![i]! + c![i]!)];
      });
    this.add('Momentum', (width) =>
      chartOptions(width, [{ label: 't' }, line('x', style('--c1')), line('y', style('--c2')), ...(this.session.facts?.dimension === 3 ? [line('z', style('--c3'))] : [])], 'kg m/s', true, () => this.session.shown),
      () => (this.session.facts?.dimension === 3 ? [0, 7, 8, 9] : [0, 7, 8]).map((column) => this.session.client.samples.column(column)) as unknown as uPlot.AlignedData);
    this.momenta = new Momenta(stage);
    this.root.append(h('h3', { text: 'Momenta now, head to tail' }), this.momenta.root);
    this.add('Collision rate', (width) => chartOptions(width, [{ label: 't' }, line('collisions / s', style('--c1'))], '1/s', true, () => this.session.shown), () => {
      const [t, n] = [this.session.client.samples.column(0), this.session.client.samples.column(11)];
      return [t, n.map((count, i) => (i === 0 ? 0 : (count - n[i - 1]!) / Math.max(t[i]! - t[i - 1]!, 1e-300)))];
    });
    this.add('Speeds now, and Maxwell–Boltzmann', (width) =>
      chartOptions(width, [{ label: 'm/s' }, { ...line('bodies', style('--c1')), fill: style('--c1-soft'), paths: uPlot.paths.bars!({ size: [0.95, 100] }) }, line('Maxwell–Boltzmann', style('--c4'))], 'bodies', false),
      () => this.speeds(), false);
    this.root.append(h('h3', { text: 'Energy budget now' }), this.budget);
    for (const what of ['progress', 'time', 'opened'] as const) session.on(what, () => this.soon());
    this.root.addEventListener('shown', () => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.root);
  }

  private add(title: string, make: (width: number) => uPlot.Options, data: () => uPlot.AlignedData, timed = true): void {
    const root = h('div', { class: 'chart', attributes: { role: 'img', 'aria-label': title } });
    this.root.append(h('h3', { text: title }), root);
    this.charts.push({ root, plot: null, make, data, timed });
  }

  private speeds(): uPlot.AlignedData {
    const { bodies } = this.stage;
    const free = bodies.filter((body) => body.motion === 'free');
    const speeds: number[] = [];
    let energy = 0;
    let mass = 0;
    for (const body of free) {
      const velocity = this.stage.velocity(body.id);
      if (!velocity) continue;
      const speed = Math.hypot(...velocity);
      speeds.push(speed);
      energy += 0.5 * (body.mass ?? 0) * speed * speed;
      mass += body.mass ?? 0;
    }
    const dimension = this.session.facts?.dimension ?? 2;
    const { middles, counts, width } = histogram(speeds, 24);
    // One mass for all: where they differ, the mean.
    const one = mass / Math.max(1, speeds.length);
    const temperature = (2 * energy) / (dimension * Math.max(1, speeds.length));
    return [middles, counts, middles.map((v) => speeds.length * width * maxwell(v, one, temperature, dimension))];
  }

  private soon(): void {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.update();
    }, 150);
  }

  private update(): void {
    if (!this.root.isConnected || this.root.clientWidth === 0) return;
    for (const chart of this.charts) {
      if (!chart.plot) return this.redraw();
      chart.plot.setData(chart.data());
      this.tellNow(chart);
    }
    this.momenta.draw(this.root.clientWidth - 32, style);
    void this.tellBudget();
  }

  /** Below a chart are the numbers of the picture, or, where the mouse is on it, those below the mouse. */
  private tellNow({ plot, timed }: Chart): void {
    if (timed && plot && typeof plot.cursor.idx !== 'number') plot.setLegend({ idx: plot.valToIdx(this.session.shown) });
  }

  private async tellBudget(): Promise<void> {
    try {
      const budget = await this.session.client.budget();
      const rows: [string, number][] = [['kinetic', budget.now.translational + budget.now.rotational], ['potential', budget.now.potential]];
      for (const [name, value] of Object.entries(budget.lost)) if (value !== 0) rows.push([`lost to ${name}`, value]);
      for (const [name, value] of Object.entries(budget.added)) if (value !== 0) rows.push([`added by ${name}`, value]);
      rows.push(['unaccounted residual', budget.residual]);
      this.budget.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', { text: name }), h('dd', { text: `${figures(value, 5)} J` })]));
    } catch {
      // The scene was closed meanwhile.
    }
  }

  /** From nothing: after a new scene, another width, another theme. */
  redraw(): void {
    const width = this.root.clientWidth - 32;
    if (width < 50 || !this.session.facts) return;
    for (const chart of this.charts) {
      chart.plot?.destroy();
      chart.plot = new uPlot(chart.make(width), chart.data(), chart.root);
    }
    this.momenta.draw(width, style);
    // A chart is ready, with nothing below it, a moment after it was made.
    setTimeout(() => this.charts.forEach((chart) => this.tellNow(chart)), 0);
    void this.tellBudget();
  }
}
