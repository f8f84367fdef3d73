// The page of a run folder: recorded frames, played and stepped through.

import { button, figures, h, icon, toast } from '../ui/dom';
import { currentTheme, onThemeChange } from '../ui/theme';
import { Stage } from '../view/stage';
import { RunEvents } from './events';
import { Recording } from './recording';

export class RunView {
  readonly root: HTMLElement;
  private readonly host = h('div', { class: 'stage', attributes: { id: 'stage', role: 'img', tabindex: 0, 'aria-label': 'Recorded run. Space plays, arrows go from frame to frame.' } });
  readonly stage: Stage;
  private readonly heading = h('h1', { class: 'scene-title', text: 'Reading the run…' });
  private readonly note = h('p', { class: 'scene-note', attributes: { role: 'status', id: 'run-note' } });
  private readonly slider: HTMLInputElement;
  private readonly clock = h('output', { class: 'time', attributes: { id: 'clock' } });
  private readonly play: HTMLButtonElement;
  private readonly ticks = h('canvas', { class: 'timeline-canvas', attributes: { 'aria-hidden': 'true' } });
  private readonly facts = h('div', { class: 'panel-body' });
  private readonly events = new RunEvents();
  private recording: Recording | null = null;
  private shown = -1;
  private wanted = 0;
  private reading = false;
  private playing = false;
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
        if (this.wanted >= this.last) this.toggle();
        else void this.show(this.wanted + 1);
      }
      this.stage.draw(this.fastest);
    };
    requestAnimationFrame(turn);
  }

  private listen(): void {
    const pointers = new Map<number, [number, number]>();
    const spread = () => {
      const [a, b] = [...pointers.values()];
      return a && b ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 0;
    };
    this.host.addEventListener('pointerdown', (event) => {
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      this.host.setPointerCapture(event.pointerId);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) this.host.addEventListener(end, (event) => pointers.delete(event.pointerId));
    this.host.addEventListener('dblclick', () => this.stage.refit());
    this.host.addEventListener('pointermove', (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const { camera } = this.stage;
      const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
      const apart = spread();
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      if (pointers.size === 2) {
        // Two fingers zoom and move.
        const box = this.host.getBoundingClientRect();
        if (apart > 0) camera.zoom(spread() / apart, event.clientX - box.left, event.clientY - box.top);
        camera.pan(dx / 2, dy / 2);
      } else if (camera.dimension === 3 && !event.shiftKey) camera.orbit(dx, dy);
      else camera.pan(dx, dy);
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
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.act(event.key)) event.preventDefault();
    });
  }

  /** The keys of the page, as far as there is something for them to do. */
  private act(key: string): boolean {
    const { camera } = this.stage;
    const { clientWidth: width, clientHeight: height } = this.host;
    const ways: Record<string, [number, number]> = { w: [0, 40], a: [40, 0], s: [0, -40], d: [-40, 0] };
    const way = ways[key];
    if (key === ' ') this.toggle();
    else if (key === 'ArrowRight' || key === '.') void this.show(this.wanted + 1);
    else if (key === 'ArrowLeft' || key === ',') void this.show(this.wanted - 1);
    else if (key === 'Home') void this.show(0);
    else if (key === 'End') void this.show(this.last);
    else if (key === 'f') this.stage.refit();
    else if (key === 'c') this.stage.bySpeed = !this.stage.bySpeed;
    else if (key === '+' || key === '=' || key === '-') camera.zoom(key === '-' ? 0.8 : 1.25, width / 2, height / 2);
    else if (way && camera.dimension === 3) camera.orbit(...way);
    else if (way) camera.pan(...way);
    else return false;
    this.stage.touch();
    return true;
  }

  private toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.wanted >= this.last) this.wanted = -1;
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

  /** The number of the last frame. */
  private get last(): number {
    return (this.recording?.times.length ?? 0) - 1;
  }

  private async read(): Promise<void> {
    const recording = await Recording.open(this.folder);
    const { manifest } = recording;
    this.heading.textContent = manifest.scene.title;
    if (recording.times.length === 0) {
      throw new Error(recording.isComplete ? 'no frames were recorded: carom run --frames 100' : 'no frame has been recorded so far; carom resume goes on with it');
    }
    this.recording = recording;
    this.stage.open(manifest.dimension, 'z');
    this.stage.setBodies(recording.bodies);
    this.stage.bySpeed = recording.perFrame > 500;
    this.slider.max = String(this.last);
    this.tell(recording);
    await this.show(0);
    this.stage.fit(null);
    await this.takeEvents(recording);
  }

  /** The ticks of the timeline, and which bodies come and go. */
  private async takeEvents(recording: Recording): Promise<void> {
    await recording.readEvents();
    this.tell(recording);
    this.drawTicks();
    this.shown = -1;
    await this.show(this.wanted);
  }

  private tell(recording: Recording): void {
    const { manifest, step } = recording;
    const rows: [string, string][] = [
      ['bodies', recording.count.toLocaleString('en')],
      ['collisions', manifest.collisions.toLocaleString('en')],
      ['until', `${figures(manifest.time)} s`],
      ['recorded frames', recording.times.length.toLocaleString('en')],
    ];
    const { events, eventCount } = recording;
    const hints = ['Frames and events are read from the run folder as they are needed. Between two frames nothing is known; to see it live, open the scene itself with carom play.'];
    if (eventCount === 0) hints.push('The run has no table of events.');
    if (events.length < eventCount) hints.push(`The timeline shows the first ${events.length.toLocaleString('en')} of ${eventCount.toLocaleString('en')} events.`);
    this.facts.replaceChildren(
      h('h2', { text: 'Recorded run' }),
      h('dl', { class: 'facts' }, ...rows.flatMap(([name, value]) => [h('dt', { text: name }), h('dd', { text: value })])),
      ...hints.map((text) => h('p', { class: 'hint', text })),
      this.events.root,
    );
    const notes: string[] = [];
    if (!recording.isComplete) {
      notes.push(`This run has not come to its end (${figures(manifest.schedule.until)} s): it goes on, or was cut off. What it has recorded so far is shown; carom resume goes on with it.`);
    }
    if (step > 1) {
      notes.push(`Thinned: one of ${step} bodies is shown, ${recording.bodies.length.toLocaleString('en')} of ${recording.count.toLocaleString('en')}.`);
    }
    this.note.textContent = notes.join(' ');
  }

  private async show(frame: number): Promise<void> {
    this.wanted = Math.max(0, Math.min(this.last, frame));
    this.slider.value = String(this.wanted);
    if (this.reading || this.shown === this.wanted || !this.recording) return;
    this.reading = true;
    const now = this.wanted;
    try {
      await this.picture(now);
    } catch (error) {
      this.playing = false;
      toast(`The frame cannot be read: ${error instanceof Error ? error.message : String(error)}`, 'error');
    } finally {
      this.shown = now;
      this.reading = false;
    }
    if (this.wanted !== this.shown) void this.show(this.wanted);
  }

  private async picture(frame: number): Promise<void> {
    const read = async () => this.recording!.states(frame);
    const states = await read().catch(async () => {
      // A run that goes on replaces its last part, and has other files at its end: once more, as it is now.
      this.recording = await Recording.open(this.folder);
      this.slider.max = String(this.last);
      await this.recording.readEvents();
      this.tell(this.recording);
      return read();
    });
    this.fastest = Math.max(this.fastest, states.fastest);
    this.stage.frame(states.numbers);
    this.events.show(this.recording!, frame);
    this.clock.textContent = `${figures(this.recording!.times[frame]!, 6)} s · frame ${frame} of ${this.last}`;
  }

  private drawTicks(): void {
    const { clientWidth: width, clientHeight: height } = this.ticks.parentElement!;
    this.ticks.width = width;
    this.ticks.height = height;
    const context = this.ticks.getContext('2d');
    const { times, events } = this.recording!;
    const end = times[times.length - 1] || 1;
    if (!context) return;
    const style = getComputedStyle(this.root);
    context.fillStyle = style.getPropertyValue('--computed');
    context.fillRect(0, height / 2 - 9, width, 18);
    context.fillStyle = style.getPropertyValue('--tick');
    context.globalAlpha = 0.5;
    for (const time of events) context.fillRect((time / end) * width, height / 2 - 6, 1, 12);
  }
}
