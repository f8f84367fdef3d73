// A scene that is open: the picture, the controls below, the panels beside.

import type { EngineFiles } from '../engine/client';
import { EngineError } from '../engine/client';
import { ACTION, type SceneSource } from '../engine/types';
import { Session } from '../player/session';
import { Sound } from '../sound';
import { pack } from '../share';
import type { Theme } from '../view/palette';
import { Stage } from '../view/stage';
import { Annotations } from './annotations';
import { Badge } from './badge';
import { button, h, toast } from './dom';
import { Driver } from './driver';
import { Hands } from './hands';
import { Keypad } from './keypad';
import { Keys } from './keys';
import { Pool } from './pool';
import { LessonPanel } from './lesson';
import { BodyPanel } from './panels/body';
import { ChangePanel } from './panels/change';
import { ChartsPanel } from './panels/charts';
import { CollisionPanel } from './panels/collision';
import { ComparePanel } from './panels/compare';
import { ExportPanel } from './panels/export';
import { ScenePanel } from './panels/scene';
import { Tabs } from './tabs';
import { calm } from './theme';
import { Transport } from './transport';

/** For so long the engine may be busy with one thing, ms, before the page says so. */
const SILENCE = 4000;

/** A picture may still be fitted anew for so long after a scene was opened, ms. */
const SOON = 3000;

export class Workbench {
  readonly root: HTMLElement;
  readonly session: Session;
  readonly stage: Stage;
  readonly annotations: Annotations;
  readonly sound: Sound;
  private readonly tabs: Tabs;
  private readonly host = h('div', { class: 'stage', attributes: { id: 'stage', tabindex: 0, role: 'img', 'aria-label': 'The scene' } });
  private readonly heading = h('h1', { class: 'scene-title' });
  private readonly note = h('p', { class: 'scene-note', attributes: { role: 'status' } });
  private readonly busy = h('p', { class: 'scene-note', attributes: { role: 'status', id: 'busy' } });
  private readonly scores = h('div', { class: 'scores', attributes: { 'aria-live': 'polite' } });
  private readonly scenePanel: ScenePanel;
  private readonly lessonPanel: LessonPanel;
  private readonly compare: ComparePanel;
  private readonly hands: Hands;
  private readonly pool: Pool;
  private fitted = 0;
  private openedAt = 0;
  title = '';

  constructor(
    readonly files: EngineFiles,
    private theme: Theme,
  ) {
    this.session = new Session(files);
    this.stage = new Stage(this.host, theme);
    this.annotations = new Annotations(this.session, this.stage, () => this.theme);
    this.sound = new Sound(this.session, this.stage);
    const step = (direction: 1 | -1) => void this.step(direction);
    const transport = new Transport(this.session, step);
    this.hands = new Hands(this.session, this.stage, this.annotations, () => this.theme);
    const driver = new Driver(this.session, this.stage);
    this.pool = new Pool(this.session, this.stage, this.annotations, this.hands, () => this.theme);
    this.lessonPanel = new LessonPanel(this.session, files);
    this.scenePanel = new ScenePanel(this.session, (source) => this.open(source, null));
    this.compare = new ComparePanel(this.session, this.stage, files);
    const exports = new ExportPanel(this.session, this.stage, () => this.draw());
    this.tabs = new Tabs([
      { id: 'lesson', label: 'Lesson', root: this.lessonPanel.root },
      { id: 'collision', label: 'Collision', root: new CollisionPanel(this.session).root },
      { id: 'body', label: 'Body', root: new BodyPanel(this.session).root },
      { id: 'change', label: 'Change', root: new ChangePanel(this.session, () => this.hands.addBall(), () => exports.saveScene()).root },
      { id: 'charts', label: 'Charts', root: new ChartsPanel(this.session, this.stage).root },
      { id: 'compare', label: 'Compare', root: this.compare.root },
      { id: 'scene', label: 'Scene', root: this.scenePanel.root },
      { id: 'export', label: 'Export', root: exports.root },
    ]);
    this.tabs.toggle('lesson', false);
    this.tabs.show('collision');
    const tools = h(
      'div',
      { class: 'tools', attributes: { role: 'toolbar', 'aria-label': 'Picture' } },
      button({ label: 'Fit the picture', icon: 'fit', iconOnly: true, key: 'f', press: () => this.stage.refit() }),
      this.toggle('Colour by speed', 'colors', 'c', (on) => ((this.stage.bySpeed = on), this.stage.touch())),
      this.toggle('Velocities as arrows', 'velocity', 'v', (on) => ((this.annotations.shown.velocities = on), this.stage.touch())),
      this.toggle('Momenta as arrows', 'momentum', 'p', (on) => ((this.annotations.shown.momenta = on), this.stage.touch())),
      this.toggle('Paths of all bodies', 'path', 't', (on) => ((this.annotations.shown.paths = on), this.session.emit('time'), this.stage.touch())),
      this.toggle('Centre of mass', 'centre', 'x', (on) => ((this.annotations.shown.centre = on), this.stage.touch())),
      this.toggle('Names', 'names', 'l', (on) => ((this.annotations.shown.names = on), this.stage.touch())),
      this.toggle('Flick bodies instead of moving them', 'flick', 'k', (on) => (this.hands.flicking = on)),
      this.toggle('Sound', 'sound', 'm', (on) => this.sound.set(on)),
    );
    const top = h('div', { class: 'stage-top' }, h('div', {}, this.heading, this.note, this.busy), h('span', { class: 'space' }), this.scores, new Badge(this.session).root);
    this.root = h(
      'main',
      { class: 'workbench', attributes: { id: 'main', tabindex: -1 } },
      h('div', { class: 'stage-column' }, top, h('div', { class: 'stage-frame' }, this.host, tools, this.pool.root, new Keypad(this.session, driver).root), transport.root),
      h('aside', { class: 'side', attributes: { 'aria-label': 'Panels' } }, this.tabs.root),
    );
    this.listen();
    new Keys(this.session, this.stage, this.root, this.tabs, this.hands, driver, step);
    const turn = (now: number) => {
      requestAnimationFrame(turn);
      if (!this.root.isConnected) return;
      this.session.tick(now);
      this.compare.tick();
      this.draw();
      this.tellSilence();
    };
    requestAnimationFrame(turn);
  }

  private silent = false;

  /** Says so where the engine is busy with one thing for long. */
  private tellSilence(): void {
    const silent = this.session.client.silence > SILENCE;
    if (silent === this.silent) return;
    this.silent = silent;
    this.busy.textContent = silent ? 'The engine has been busy with one step for some seconds. Another scene can be opened at any time.' : '';
  }

  private draw(): void {
    if (this.session.follow && this.session.selected !== null) {
      const place = this.stage.position(this.session.selected);
      if (place) this.stage.camera.lookAt(place);
    }
    this.stage.draw(this.session.fastest);
  }

  private toggle(label: string, picture: string, key: string, set: (on: boolean) => void): HTMLButtonElement {
    let on = false;
    const made = button({
      label,
      icon: picture,
      iconOnly: true,
      key,
      press: () => {
        on = !on;
        made.setAttribute('aria-pressed', String(on));
        set(on);
      },
    });
    made.dataset.key = key;
    made.setAttribute('aria-pressed', 'false');
    return made;
  }

  private listen(): void {
    const { session, stage } = this;
    session.onFrame = (numbers) => {
      stage.frame(numbers);
      this.measure(numbers);
      if (this.fitted === 0) {
        this.fitted = 1;
        stage.fit(null, session.surroundings?.periods);
        this.progress();
      }
      const count = numbers.length / (session.facts?.dimension === 3 ? 10 : 5);
      if (count > stage.colors.length) void session.refreshBodies();
      if (this.scored) this.showScores();
    };
    session.on('opened', () => this.preparing());
    session.on('bodies', () => stage.setBodies(session.bodies));
    session.on('progress', () => this.progress());
    session.on('selected', () => stage.touch());
    session.on('selected', () => session.selected !== null && !session.collision && !this.lessonPanel.active && this.tabs.show('body'));
    session.on('collision', () => stage.touch());
    session.on('failed', () => {
      toast(session.failure, 'error');
      this.note.textContent = session.failure;
      if (session.source) void session.open(session.source).catch(() => {});
    });
    session.refused = (message) => toast(`Not possible: ${message}`, 'error');
  }

  /** Whether anything has been done by rules so far, and how many events have been looked at for that. */
  private scored = false;
  private looked = 0;
  private scoring = false;

  private lookForScores(): void {
    const { events } = this.session.client;
    for (; this.looked < events.length && !this.scored; this.looked++) this.scored = events.at(this.looked, 1) === ACTION;
  }

  /** The scores at the instant of the picture, a few times a second at most. */
  private showScores(): void {
    if (this.scoring) return;
    this.scoring = true;
    setTimeout(() => {
      this.scoring = false;
      void this.session.client.call<{ scores: [string, number][] }>({ do: 'status' }).then(({ value }) => {
        this.scores.replaceChildren(...value.scores.map(([name, points]) => h('span', { class: 'score' }, h('b', { text: String(points) }), ` ${name}`)));
      });
    }, 150);
  }

  /** The largest speed so far, for colours and arrows. */
  private measure(numbers: Float32Array): void {
    const flat = this.stage.camera.dimension === 2;
    const [stride, from, many] = flat ? [5, 3, 2] : [10, 7, 3];
    let most = 0;
    for (const body of this.stage.bodies) {
      if (body.motion !== 'free') continue;
      const at = body.id * stride + from;
      let square = 0;
      for (let k = 0; k < many; k++) square += numbers[at + k]! ** 2;
      if (square > most) most = square;
    }
    this.session.fastest = Math.max(this.session.fastest, Math.sqrt(most));
  }

  private progress(): void {
    const { session, stage } = this;
    const { status } = session;
    if (!status) return;
    // Once more, when it is known where bodies go; and at the end of the run, unless someone has looked at it for long.
    const known = status.ended || status.ahead > 0.25 * status.until;
    const soon = performance.now() - this.openedAt < SOON;
    if ((this.fitted === 1 && known) || (this.fitted === 2 && status.ended && soon)) {
      this.fitted = status.ended ? 3 : 2;
      stage.fit(status.extent, session.surroundings?.periods);
    }
    if (status.failed) this.note.textContent = status.failed;
    this.lookForScores();
    if (this.scored) this.showScores();
  }

  async step(direction: 1 | -1): Promise<void> {
    const found = await this.session.step(direction);
    if (!found) toast(direction < 0 ? 'There is no earlier collision' : this.session.status?.ended ? 'There is no later collision' : 'There is no later collision so far');
    else if (!this.lessonPanel.active) this.tabs.show('collision');
  }

  /** Opens a scene. */
  async open(source: SceneSource, lesson: string | null): Promise<void> {
    const { session, stage } = this;
    this.compare.off();
    this.fitted = 0;
    this.openedAt = performance.now();
    let opened = false;
    const prepare = () => {
      if (opened) return;
      opened = true;
      // A picture of the scene before may have come meanwhile, and was fitted.
      this.fitted = 0;
      const facts = session.facts!;
      const gravity = session.surroundings?.gravity ?? [];
      stage.open(facts.dimension, Math.abs(gravity[1] ?? 0) > Math.abs(gravity[2] ?? 0) ? 'y' : 'z');
      stage.setBodies(session.bodies);
      stage.bySpeed = this.root.querySelector('[data-key=c]')?.getAttribute('aria-pressed') === 'true';
    };
    this.preparing = prepare;
    try {
      await session.open(source);
    } catch (error) {
      if (error instanceof EngineError && error.value.problems) this.scenePanel.show(source, error.value.problems);
      throw error;
    }
    const facts = session.facts!;
    this.title = facts.title;
    this.heading.textContent = facts.title;
    this.note.textContent = facts.notes[0] ?? '';
    this.scores.replaceChildren();
    this.scored = false;
    this.looked = 0;
    this.host.setAttribute('aria-label', `${facts.title}: ${facts.bodies} bodies in ${facts.dimension}-D. Space plays, arrows step from collision to collision.`);
    this.scenePanel.show(source, []);
    this.lessonPanel.set(lesson);
    this.tabs.toggle('lesson', lesson !== null);
    this.tabs.show(lesson ? 'lesson' : this.tabs.chosen === 'lesson' ? 'collision' : this.tabs.chosen);
    this.pool.opened();
    if (!calm() && !lesson) session.play();
  }

  private preparing: () => void = () => {};

  /** Shows a text that cannot be run, in the editor. */
  edit(source: SceneSource): void {
    this.scenePanel.show(source, null);
    this.tabs.show('scene');
  }

  leave(): void {
    this.session.pause();
    this.compare.off();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.stage.setTheme(theme);
    this.scenePanel.setTheme(theme);
  }

  /** A link that carries the scene. */
  async share(): Promise<void> {
    const { source } = this.session;
    if (!source || !this.root.isConnected) return toast('Open a scene first');
    const text = this.scenePanel.textWithChanges();
    const fragment = await pack({ name: source.name, text, files: source.files, method: source.method ?? null });
    const address = `${location.href.split('#')[0]}#s=${fragment}`;
    history.replaceState(null, '', `#s=${fragment}`);
    try {
      await navigator.clipboard.writeText(address);
      toast('The link is in the clipboard. It carries the whole scene.');
    } catch {
      toast('The link is in the address bar. It carries the whole scene.');
    }
  }
}
