// Both methods at once: the other one as ghosts over the picture, and how far apart the two are.

import uPlot from 'uplot';
import { Client, EngineError, type EngineFiles } from '../../engine/client';
import type { Session } from '../../player/session';
import type { Stage } from '../../view/stage';
import { figures, h, toast } from '../dom';
import { chartOptions, line } from './charts';

export class ComparePanel {
  readonly root = h('div', { class: 'panel-body', attributes: { id: 'panel-compare' } });
  private client: Client | null = null;
  private readonly check: HTMLInputElement;
  private readonly spring: HTMLInputElement;
  private readonly facts = h('dl', { class: 'facts', attributes: { id: 'compare-facts' } });
  private readonly chart = h('div', { class: 'chart', attributes: { role: 'img', 'aria-label': 'Distance between the two methods against time' } });
  private plot: uPlot | null = null;
  /** Times (s) and the largest distance between the same body by both methods (m). */
  private times: number[] = [];
  private apart: number[] = [];
  private ghost: Float32Array | null = null;
  private ghostTime = 0;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly files: EngineFiles,
  ) {
    this.check = h('input', { attributes: { type: 'checkbox', id: 'compare' }, on: { change: () => void (this.check.checked ? this.on() : this.off()) } });
    this.spring = h('input', { attributes: { type: 'number', min: '1e-7', max: 1, step: 'any', value: 0.001, id: 'spring-time' } });
    this.root.append(
      h('p', { class: 'hint', text: 'The same scene by the other method: impulses at exact instants, or springs and dampers step by step. It is drawn as rings over the picture.' }),
      h('label', { class: 'check' }, this.check, h('span', { text: 'Show the other method' })),
      h('label', { class: 'field' }, h('span', { text: 'A contact of the springs lasts, s' }), this.spring),
      this.facts,
      h('h3', { text: 'Largest distance between the two' }),
      this.chart,
    );
    session.on('time', () => this.measure());
    session.on('changes', () => this.client && this.again());
    session.on('opened', () => {
      this.off();
      // What the scene says is taken.
      const said = /spring_time(?:\s*=\s*([-+.\w]+))?/.exec(session.source?.text ?? '');
      this.spring.disabled = said !== null;
      this.spring.value = said ? (said[1] ?? '') : '0.001';
      this.spring.title = this.spring.disabled ? 'as the scene says' : '';
    });
  }

  private timer = 0;

  /** After a change: the other method runs the scene with it, from the start. */
  private again(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      if (!this.client) return;
      this.client.close();
      void this.on();
    }, 400);
  }

  private async on(): Promise<void> {
    const { source, facts } = this.session;
    if (!source || !facts) return;
    const method = facts.method === 'events' ? 'forces' : 'events';
    const client = new Client(this.files);
    this.client = client;
    try {
      const set: [string, string][] = [...(source.set ?? []), ...(method === 'forces' && !/spring_time/.test(source.text) ? [['forces.spring_time', this.spring.value] as [string, string]] : [])];
      await client.load({ ...source, text: this.session.played, method, set });
      // Switched off meanwhile, or begun anew.
      if (this.client !== client) return client.close();
    } catch (error) {
      if (this.client !== client) return client.close();
      this.off();
      toast(`The other method cannot run this scene: ${error instanceof EngineError ? error.message : String(error)}`, 'error');
      return;
    }
    client.run(true, Infinity);
    this.stage.showGhost(true);
    this.times = [];
    this.apart = [];
    client.onFrame = (time, numbers) => {
      this.ghostTime = time;
      this.ghost = numbers;
      this.stage.ghostFrame(numbers);
      this.measure();
    };
    client.onCrash = () => this.off();
    client.onProgress = () => this.tell();
    client.frame(this.session.shown);
    this.tell();
  }

  off(): void {
    this.check.checked = false;
    this.client?.close();
    this.client = null;
    this.ghost = null;
    this.stage.showGhost(false);
    this.facts.replaceChildren();
  }

  /** Every picture: the ghosts are at the same instant. */
  tick(): void {
    const { client, session } = this;
    if (client && !client.pending && this.ghostTime !== session.shown) {
      if ((client.status?.ahead ?? 0) > this.ghostTime || session.shown < this.ghostTime) client.frame(session.shown);
    }
  }

  private measure(): void {
    const { ghost, session, stage } = this;
    if (!ghost || this.ghostTime !== session.shown) return;
    const [stride, dimension] = stage.camera.dimension === 2 ? [5, 2] : [10, 3];
    let most = 0;
    for (const body of stage.bodies) {
      if (body.motion !== 'free') continue;
      let square = 0;
      for (let k = 0; k < dimension; k++) square += (ghost[body.id * stride + k]! - stage.numbers[body.id * stride + k]!) ** 2;
      if (square > most) most = square;
    }
    const last = this.times[this.times.length - 1] ?? -1;
    if (session.shown <= last) {
      const keep = this.times.findIndex((time) => time >= session.shown);
      this.times.length = this.apart.length = Math.max(0, keep);
    }
    this.times.push(session.shown);
    this.apart.push(Math.sqrt(most));
    this.draw();
    this.tell();
  }

  private waiting = false;

  private draw(): void {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      const width = this.root.clientWidth - 32;
      if (width < 50) return;
      const data: uPlot.AlignedData = [this.times, this.apart];
      if (this.plot && this.plot.width === width) this.plot.setData(data);
      else {
        this.plot?.destroy();
        const color = getComputedStyle(document.documentElement).getPropertyValue('--c4').trim();
        this.plot = new uPlot(chartOptions(width, [{ label: 't' }, line('apart', color)], 'm'), data, this.chart);
      }
    }, 120);
  }

  private tell(): void {
    const { client, session } = this;
    if (!client) return;
    const words = (method: string | undefined) => (method === 'forces' ? 'springs and dampers' : 'exact impulses');
    const rows: [string, string][] = [
      ['shown solid', `${words(session.facts?.method)}: ${session.status?.collisions ?? 0} collisions`],
      ['shown as rings', `${words(client.facts?.method)}: ${client.status?.collisions ?? 0} collisions`],
      ['apart now', `${figures(this.apart[this.apart.length - 1] ?? 0, 4)} m`],
    ];
    this.facts.replaceChildren(...rows.flatMap(([name, value]) => [h('dt', { text: name }), h('dd', { text: value })]));
  }
}
