// What can be kept: the scene, the recording, tables, pictures, films, a page of its own.

import { exportPage } from '../../export/page';
import { csv } from '../../export/csv';
import { record } from '../../export/recording';
import { film } from '../../export/film';
import { parquet } from '../../export/parquet';
import { KINDS } from '../../engine/types';
import type { Session } from '../../player/session';
import type { Stage } from '../../view/stage';
import { button, download, figures, h, toast } from '../dom';

export class ExportPanel {
  readonly root = h('div', { class: 'panel-body', attributes: { id: 'panel-export' } });
  private readonly frames: HTMLInputElement;
  private readonly state = h('p', { class: 'hint', attributes: { role: 'status', id: 'export-state' } });
  private busy = false;
  /** The same as `carom run` prints for the exported scene: the same bits. */
  private readonly digest = h('code', { text: '–', attributes: { id: 'digest' } });

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly draw: () => void,
  ) {
    this.frames = h('input', { attributes: { type: 'number', min: 1, max: 5000, value: 100, id: 'frames' } });
    const item = (label: string, hint: string, press: () => Promise<void> | void) =>
      h('div', { class: 'export-item' }, button({ label, press: () => void this.work(press) }), h('span', { class: 'hint', text: hint }));
    this.root.append(
      h('p', { class: 'hint' }, 'Digest of the run: ', this.digest),
      h('h3', { text: 'Scene' }),
      item('Scene file', 'with what you changed, as a schedule', () => this.saveScene()),
      item('Page', 'one file that plays without a server', async () => download(`${this.name}.html`, await exportPage({ ...session.source!, text: this.text }))),
      h('h3', { text: 'Recording' }),
      h('label', { class: 'field' }, h('span', { text: 'states' }), this.frames),
      item('States, Parquet', 'positions and velocities of all bodies', async () => download(`${this.name}-frames.parquet`, parquet(await this.recording()))),
      item('States, CSV', 'the same, for spreadsheets', async () => download(`${this.name}-frames.csv`, csv(await this.recording()))),
      item('Events, Parquet', 'time, kind, bodies, impulse of each', () => download(`${this.name}-events.parquet`, parquet(this.events()))),
      item('Events, CSV', 'the same, for spreadsheets', () => download(`${this.name}-events.csv`, csv(this.events()))),
      h('h3', { text: 'Pictures' }),
      item('PNG', 'what is shown now', async () => download(`${this.name}.png`, await this.png())),
      item('WebM', 'a film of the whole run, at the speed that is set', () => this.film('webm')),
      item('GIF', 'the same, for slides', () => this.film('gif')),
      this.state,
    );
    this.root.addEventListener('shown', () => void this.tellDigest());
    session.on('progress', () => this.root.offsetParent !== null && void this.tellDigest());
  }

  private async tellDigest(): Promise<void> {
    if (!this.session.status?.ended) {
      this.digest.textContent = 'not yet at its end';
      delete this.digest.dataset.digest;
      return;
    }
    const { digest } = await this.session.client.digest();
    this.digest.textContent = digest;
    this.digest.dataset.digest = digest;
  }

  private get name(): string {
    return (this.session.source?.name ?? 'scene').replace(/\.(toml|json)$/i, '');
  }

  private get text(): string {
    return this.session.played;
  }

  private async work(press: () => Promise<void> | void): Promise<void> {
    if (!this.session.source) return toast('Open a scene first');
    if (this.busy) return toast('One at a time');
    this.busy = true;
    try {
      await press();
      this.state.textContent = '';
    } catch (error) {
      toast(`It could not be exported: ${error instanceof Error ? error.message : String(error)}`, 'error');
    } finally {
      this.busy = false;
    }
  }

  saveScene(): void {
    const { source } = this.session;
    if (source) download(source.name, new Blob([this.text], { type: 'text/plain' }));
  }

  private async recording() {
    const number = Math.max(1, Math.min(5000, Number(this.frames.value) || 100));
    this.session.pause();
    const table = await record(this.session, number, (done) => (this.state.textContent = `${done} of ${number + 1} states`));
    this.session.seek(this.session.time);
    return table;
  }

  private events() {
    const { events } = this.session.client;
    const column = (index: number) => Array.from(events.column(index));
    return {
      rows: events.length,
      columns: [
        { name: 'number', kind: 'integer' as const, values: column(4) },
        { name: 'kind', kind: 'text' as const, values: column(1).map((kind) => KINDS[kind] ?? '') },
        { name: 'time', kind: 'number' as const, values: column(0) },
        { name: 'a', kind: 'integer' as const, values: column(2) },
        { name: 'b', kind: 'integer' as const, values: column(3) },
        { name: 'impulse', kind: 'number' as const, values: column(5) },
      ],
    };
  }

  private async png(): Promise<Blob> {
    this.stage.touch();
    this.draw();
    const made = await new Promise<Blob | null>((resolve) => this.stage.picture().toBlob(resolve, 'image/png'));
    if (!made) throw new Error('no picture');
    return made;
  }

  private async film(kind: 'webm' | 'gif'): Promise<void> {
    const made = await film(kind, this.session, this.stage, this.draw, (done) => (this.state.textContent = `${figures(100 * done, 2)} %`));
    download(`${this.name}.${kind}`, made);
  }
}
