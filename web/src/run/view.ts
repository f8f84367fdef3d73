// A run folder: recorded frames and events, streamed from disk. Nothing is computed.

import { engineFiles } from '../embedded';
import { Client } from '../engine/client';
import type { Body } from '../engine/types';
import { button, figures, h, icon, toast } from '../ui/dom';
import { currentTheme, onThemeChange } from '../ui/theme';
import { Stage } from '../view/stage';
import { RunTable } from './tables';

/** As many bodies as are drawn; of more, every second, third, … is. */
export const MOST_DRAWN = 100_000;
/** A scene with more bodies is not read again for its shapes. */
const MOST_SHAPES = 20_000;
/** As many events as the timeline shows. */
const MOST_EVENTS = 500_000;

/** Every how many bodies one is drawn. */
export function thinning(bodies: number): number {
  return Math.max(1, Math.ceil(bodies / MOST_DRAWN));
}

interface Manifest {
  dimension: 2 | 3;
  scene: { title: string; file: string };
  collisions: number;
  time: number;
  stage?: string;
}

export class RunView {
  readonly root: HTMLElement;
  private readonly host = h('div', { class: 'stage', attributes: { id: 'stage', role: 'img', 'aria-label': 'Recorded run' } });
  private readonly stage: Stage;
  private readonly heading = h('h1', { class: 'scene-title', text: 'Reading the run…' });
  private readonly note = h('p', { class: 'scene-note', attributes: { role: 'status', id: 'run-note' } });
  private readonly slider: HTMLInputElement;
  private readonly clock = h('output', { class: 'time', attributes: { id: 'clock' } });
  private readonly play: HTMLButtonElement;
  private readonly ticks = h('canvas', { class: 'timeline-canvas', attributes: { 'aria-hidden': 'true' } });
  private readonly facts = h('div', { class: 'panel-body' });
  private frames: RunTable | null = null;
  private times: Float64Array = new Float64Array(0);
  private events: Float64Array = new Float64Array(0);
  private perFrame = 0;
  private dimension: 2 | 3 = 2;
  private shown = -1;
  private wanted = 0;
  private reading = false;
  private playing = false;
  private step = 1;
  private fastest = 1e-9;

  constructor(private readonly folder: string) {
    this.stage = new Stage(this.host, currentTheme());
    onThemeChange((theme) => this.stage.setTheme(theme));
    this.slider = h('input', { class: 'timeline-slider', attributes: { type: 'range', min: 0, max: 0, step: 1, value: 0, 'aria-label': 'Recorded frame', id: 'time' }, on: { input: () => void this.show(Number(this.slider.value)) } });
    this.play = button({ label: 'Play', icon: 'play', iconOnly: true, class: 'primary round', press: () => this.toggle() });
    this.play.id = 'play';
    const frame = (by: number) => void this.show(this.wanted + by);
    this.root = h(
      'main',
      { class: 'workbench', attributes: { id: 'main', tabindex: -1 } },
      h(
        'div',
        { class: 'stage-column' },
        h('div', { class: 'stage-top' }, h('div', {}, this.heading, this.note)),
        h('div', { class: 'stage-frame' }, this.host),
        h(
          'div',
          { class: 'transport', attributes: { role: 'group', 'aria-label': 'Playback' } },
          h('div', { class: 'transport-buttons' }, button({ label: 'Previous frame', icon: 'previous', iconOnly: true, press: () => frame(-1) }), this.play, button({ label: 'Next frame', icon: 'next', iconOnly: true, press: () => frame(1) })),
          h('div', { class: 'clock' }, this.clock),
          h('div', { class: 'timeline' }, this.ticks, this.slider),
        ),
      ),
      h('aside', { class: 'side', attributes: { 'aria-label': 'Facts' } }, this.facts),
    );
    this.listen();
    let last = 0;
    const turn = (now: number) => {
      requestAnimationFrame(turn);
      if (!this.root.isConnected) return;
      if (this.playing && !this.reading && now - last > 33) {
        last = now;
        if (this.wanted >= this.times.length - 1) this.toggle();
        else void this.show(this.wanted + 1);
      }
      this.stage.draw(this.fastest);
    };
    requestAnimationFrame(turn);
  }

  private listen(): void {
    let at: [number, number] | null = null;
    this.host.addEventListener('pointerdown', (event) => ((at = [event.clientX, event.clientY]), this.host.setPointerCapture(event.pointerId)));
    this.host.addEventListener('pointerup', () => (at = null));
    this.host.addEventListener('pointermove', (event) => {
      if (!at) return;
      const [dx, dy] = [event.clientX - at[0], event.clientY - at[1]];
      at = [event.clientX, event.clientY];
      if (this.dimension === 3 && !event.shiftKey) this.stage.camera.orbit(dx, dy);
      else this.stage.camera.pan(dx, dy);
      this.stage.touch();
    });
    this.host.addEventListener('wheel', (event) => {
      event.preventDefault();
      const box = this.host.getBoundingClientRect();
      this.stage.camera.zoom(Math.exp(-event.deltaY * 0.0016), event.clientX - box.left, event.clientY - box.top);
      this.stage.touch();
    }, { passive: false });
    document.addEventListener('keydown', (event) => {
      if (!this.root.isConnected || event.target instanceof HTMLInputElement || event.target instanceof HTMLButtonElement) return;
      if (event.key === ' ') this.toggle();
      else if (event.key === 'ArrowRight') void this.show(this.wanted + 1);
      else if (event.key === 'ArrowLeft') void this.show(this.wanted - 1);
      else if (event.key === 'f') this.stage.refit();
      else return;
      event.preventDefault();
    });
  }

  private toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.wanted >= this.times.length - 1) this.wanted = -1;
    this.play.replaceChildren(icon(this.playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', this.playing ? 'Pause' : 'Play');
  }

  async open(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      this.heading.textContent = 'This run cannot be shown';
      this.note.textContent = error instanceof Error ? error.message : String(error);
    }
  }

  private async read(): Promise<void> {
    const manifest = (await (await fetch(`${this.folder}run.json`)).json()) as Manifest;
    this.dimension = manifest.dimension;
    this.heading.textContent = manifest.scene.title;
    const bodies = await RunTable.open(`${this.folder}bodies.parquet`);
    const [radii, masses] = (await bodies.numbers(['radius', 'mass'], 0, bodies.rows)) as [Float64Array, Float64Array];
    const shapes = await this.shapes(manifest, bodies.rows);
    this.stage.open(manifest.dimension, 'z');
    this.frames = await RunTable.open(`${this.folder}frames.parquet`);
    const audit = await RunTable.open(`${this.folder}audit.parquet`);
    this.times = (await audit.numbers(['time'], 0, audit.rows))[0]!;
    if (this.times.length === 0) throw new Error('no frames were recorded: carom run --frames 100');
    this.perFrame = Math.round(this.frames.rows / this.times.length);
    this.step = thinning(this.perFrame);
    const balls = (): Body[] => Array.from(radii, (radius, id) => ({ id, name: '', shape: 'ball', form: Number.isFinite(radius) ? { kind: 'ball', radius } : { kind: 'none' }, material: '', motion: Number.isFinite(masses[id]!) ? 'free' : 'static', sensor: false, radius, mass: masses[id]!, inertia: null }));
    this.stage.setBodies(shapes ?? balls());
    this.stage.bySpeed = this.perFrame > 500;
    this.slider.max = String(this.times.length - 1);
    this.tell(manifest, bodies.rows);
    await this.show(0);
    this.stage.fit(null);
    void this.readEvents();
  }

  /** The shapes of all bodies, from the scene in the folder; `null` where there are too many, or it cannot be read. */
  private async shapes(manifest: Manifest, count: number): Promise<Body[] | null> {
    if (count > MOST_SHAPES) return null;
    const client = new Client(engineFiles());
    try {
      const text = await (await fetch(`${this.folder}${manifest.scene.file}`)).text();
      await client.load({ name: manifest.scene.file, text, files: [] });
      const bodies = await client.bodies();
      client.frame(0);
      this.still = await new Promise<Float32Array>((resolve) => (client.onFrame = (_, numbers) => resolve(numbers)));
      return bodies.length === count ? bodies : null;
    } catch {
      return null;
    } finally {
      client.close();
    }
  }

  /** Where everything is at time 0: frames leave out what does not move. */
  private still: Float32Array | null = null;

  private tell(manifest: Manifest, bodies: number): void {
    const rows: [string, string][] = [
      ['bodies', bodies.toLocaleString('en')],
      ['collisions', manifest.collisions.toLocaleString('en')],
      ['until', `${figures(manifest.time)} s`],
      ['recorded frames', this.times.length.toLocaleString('en')],
    ];
    this.facts.replaceChildren(
      h('h2', { text: 'Recorded run' }),
      h('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => [h('dt', { text: name }), h('dd', { text: value })])),
      h('p', { class: 'hint', text: 'Frames and events are read from the run folder as they are needed. Between two frames nothing is known; to see it live, open the scene itself with carom play.' }),
    );
    if (this.step > 1) {
      this.note.textContent = `Thinned: one of ${this.step} bodies is shown, ${Math.ceil(this.perFrame / this.step).toLocaleString('en')} of ${this.perFrame.toLocaleString('en')}.`;
    }
  }

  private async show(frame: number): Promise<void> {
    this.wanted = Math.max(0, Math.min(this.times.length - 1, frame));
    this.slider.value = String(this.wanted);
    if (this.reading || this.shown === this.wanted || !this.frames) return;
    this.reading = true;
    try {
      const now = this.wanted;
      const numbers = await this.states(now);
      this.stage.frame(numbers);
      this.shown = now;
      this.clock.textContent = `${figures(this.times[now]!, 6)} s · frame ${now} of ${this.times.length - 1}`;
    } catch (error) {
      this.playing = false;
      toast(`The frame cannot be read: ${error instanceof Error ? error.message : String(error)}`, 'error');
      this.shown = this.wanted;
    } finally {
      this.reading = false;
    }
    if (this.wanted !== this.shown) void this.show(this.wanted);
  }

  private async states(frame: number): Promise<Float32Array> {
    const flat = this.dimension === 2;
    const turns = flat ? ['angle'] : ['orientation_x', 'orientation_y', 'orientation_z', 'orientation_w'];
    const axes = flat ? ['x', 'y'] : ['x', 'y', 'z'];
    const columns = ['body', ...axes, ...turns, ...axes.map((axis) => `velocity_${axis}`)];
    const from = frame * this.perFrame;
    const [ids, ...values] = await this.frames!.numbers(columns, from, from + this.perFrame);
    const stride = values.length;
    const most = ids!.reduce((largest, id) => Math.max(largest, id), -1) + 1;
    const count = Math.max(most, this.stage.colors.length);
    const numbers = new Float32Array(count * stride).fill(NaN);
    if (this.still && this.still.length <= numbers.length) numbers.set(this.still);
    for (let row = 0; row < ids!.length; row += this.step) {
      const at = ids![row]! * stride;
      let square = 0;
      for (let k = 0; k < stride; k++) {
        numbers[at + k] = values[k]![row]!;
        if (k >= axes.length + turns.length) square += values[k]![row]! ** 2;
      }
      this.fastest = Math.max(this.fastest, Math.sqrt(square));
    }
    return numbers;
  }

  private async readEvents(): Promise<void> {
    try {
      const events = await RunTable.open(`${this.folder}events.parquet`);
      const count = Math.min(events.rows, MOST_EVENTS);
      this.events = (await events.numbers(['time'], 0, count))[0]!;
      if (count < events.rows) this.facts.append(h('p', { class: 'hint', text: `The timeline shows the first ${count.toLocaleString('en')} of ${events.rows.toLocaleString('en')} events.` }));
      this.drawTicks();
    } catch {
      this.facts.append(h('p', { class: 'hint', text: 'The run has no table of events.' }));
    }
  }

  private drawTicks(): void {
    const { clientWidth: width, clientHeight: height } = this.ticks.parentElement!;
    this.ticks.width = width;
    this.ticks.height = height;
    const context = this.ticks.getContext('2d');
    const end = this.times[this.times.length - 1] || 1;
    if (!context) return;
    const style = getComputedStyle(this.root);
    context.fillStyle = style.getPropertyValue('--computed');
    context.fillRect(0, height / 2 - 9, width, 18);
    context.fillStyle = style.getPropertyValue('--tick');
    context.globalAlpha = 0.5;
    for (const time of this.events) context.fillRect((time / end) * width, height / 2 - 6, 1, 12);
  }
}
