// The scene's text: edited, checked while it is written, run.

import { EngineError } from '../../engine/client';
import type { Problem, SceneSource } from '../../engine/types';
import type { Session } from '../../player/session';
import { Completions } from '../../schema';
import type { Theme } from '../../view/palette';
import { button, h } from '../dom';
import { Editor } from '../editor';

export class ScenePanel {
  readonly root = h('div', { class: 'panel-body scene-panel', attributes: { id: 'panel-scene' } });
  private editor: Editor | null = null;
  private readonly place = h('div', { class: 'editor' });
  private readonly state = h('p', { class: 'scene-state', attributes: { id: 'scene-state', role: 'status' } });
  private readonly problems = h('ul', { class: 'problems', attributes: { id: 'problems' } });
  private source: SceneSource | null = null;
  private pending: { text: string; problems: Problem[] | null } | null = null;
  private timer = 0;
  private dark = document.documentElement.dataset.theme === 'dark';

  constructor(
    private readonly session: Session,
    private readonly run: (source: SceneSource) => Promise<void>,
  ) {
    const method = h(
      'select',
      { attributes: { id: 'method', 'aria-label': 'Method' }, on: { change: () => void this.apply() } },
      h('option', { text: 'method: as the scene says', attributes: { value: '' } }),
      h('option', { text: 'impulses at exact instants', attributes: { value: 'events' } }),
      h('option', { text: 'springs, step by step', attributes: { value: 'forces' } }),
    );
    this.method = method;
    this.root.append(
      h('div', { class: 'row' }, button({ label: 'Run it', class: 'primary', key: 'Ctrl+Enter', press: () => void this.apply() }), method),
      this.state,
      this.problems,
      this.place,
    );
    // The editor is made when it is first looked at: it is half of the page's code.
    this.root.addEventListener('shown', () => this.make());
  }

  private readonly method: HTMLSelectElement;

  private make(): Editor {
    if (this.editor) return this.editor;
    const editor = new Editor(() => this.changed(), () => void this.apply(), this.dark);
    this.editor = editor;
    this.place.append(editor.root);
    void this.session.client.schema().then((text) => (editor.completions = new Completions(text)));
    if (this.pending) {
      editor.text = this.pending.text;
      if (this.pending.problems) this.tell(this.pending.problems);
      else this.changed();
    }
    return editor;
  }

  /** Shows a text; `null` where it has to be checked first. */
  show(source: SceneSource, problems: Problem[] | null): void {
    const same = this.source?.text === source.text && this.source.name === source.name;
    this.source = source;
    this.method.value = source.method ?? '';
    this.pending = { text: source.text, problems };
    if (this.editor && !same) this.editor.text = source.text;
    window.clearTimeout(this.timer);
    if (problems) this.tell(problems);
    else this.changed();
  }

  setTheme(theme: Theme): void {
    this.dark = theme.dark;
    this.editor?.setDark(theme.dark);
  }

  private get text(): string {
    return this.editor?.text ?? this.pending?.text ?? '';
  }

  /** The text as it was run, with the changes that were made as a schedule. */
  textWithChanges(): string {
    return this.session.source ? this.session.played : this.text;
  }

  private changed(): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.check(), 350);
  }

  private async check(): Promise<void> {
    if (!this.source) return;
    const text = this.text;
    try {
      const facts = await this.session.client.check({ ...this.source, text, method: null });
      if (text !== this.text) return;
      this.tell([]);
      const changed = text !== this.session.source?.text;
      this.state.textContent = `${facts.bodies} bodies, ${facts.dimension}-D, until ${facts.until} s.${changed ? ' Not run yet.' : ''}`;
    } catch (error) {
      if (text !== this.text || !(error instanceof EngineError)) return;
      this.tell(error.value.problems ?? [], error.value.problems ? '' : error.message);
    }
  }

  private tell(problems: Problem[], message = ''): void {
    this.editor?.show(problems);
    const number = problems.length;
    this.state.textContent = message || (number === 0 ? '' : number === 1 ? '1 error' : `${number} errors`);
    this.state.classList.toggle('bad', number > 0 || message !== '');
    this.problems.replaceChildren(
      ...problems.slice(0, 20).map((problem) =>
        h(
          'li',
          {},
          h('button', {
            class: 'link',
            text: problem.line === null ? 'file' : `line ${problem.line}`,
            attributes: { type: 'button' },
            on: { click: () => this.make().goTo(problem.from ?? 0) },
          }),
          h('span', { text: `${problem.message}${problem.label ? ` – ${problem.label}` : ''}${problem.help ? ` (${problem.help})` : ''}` }),
        ),
      ),
    );
  }

  private async apply(): Promise<void> {
    if (!this.source) return;
    const method = (this.method.value || null) as SceneSource['method'];
    const source = { ...this.source, text: this.text, method };
    try {
      await this.run(source);
      this.state.textContent = 'It runs.';
      this.state.classList.remove('bad');
    } catch (error) {
      const value = error instanceof EngineError ? error.value : null;
      this.tell(value?.problems ?? [], value?.problems ? '' : error instanceof Error ? error.message : String(error));
    }
  }
}
