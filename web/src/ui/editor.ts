// The text of a scene: coloured, completed from the schema, with errors underlined where they are.

import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Problem } from '../engine/types';
import { Completions } from '../schema';

/** Bytes of UTF-8 are what the engine counts; the editor counts UTF-16. */
export function toUnits(text: string, byte: number): number {
  let bytes = 0;
  let units = 0;
  for (const letter of text) {
    if (bytes >= byte) break;
    const code = letter.codePointAt(0)!;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    units += letter.length;
  }
  return units;
}

function theme(dark: boolean) {
  const ink = dark ? '#e8edf3' : '#1b2430';
  return EditorView.theme(
    {
      '&': { color: ink, backgroundColor: 'transparent', fontSize: '12.5px', height: '100%' },
      '.cm-content': { fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, monospace', caretColor: ink },
      '.cm-gutters': { backgroundColor: 'transparent', color: dark ? '#8b98ab' : '#5f6b7b', border: 'none' },
      '.cm-activeLine': { backgroundColor: dark ? '#ffffff0b' : '#0000000a' },
      '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: dark ? '#2b4a6b' : '#cfe3f7' },
      '.cm-tooltip': { backgroundColor: dark ? '#1d2530' : '#ffffff', color: ink, border: `1px solid ${dark ? '#323d4b' : '#d5dbe3'}`, borderRadius: '6px' },
      '.cm-diagnostic': { padding: '6px 10px' },
    },
    { dark },
  );
}

function colors(dark: boolean) {
  const [key, text, number, comment, word] = dark ? ['#8cc4ff', '#8fd6a4', '#f0b37a', '#93a0b3', '#c9a8f5'] : ['#0b5cad', '#1f6f3d', '#9a4a07', '#5f6b7b', '#6b3fb0'];
  return syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.propertyName, tags.heading], color: key },
      { tag: tags.string, color: text },
      { tag: tags.number, color: number },
      { tag: tags.comment, color: comment, fontStyle: 'italic' },
      { tag: [tags.atom, tags.bool, tags.keyword], color: word },
    ]),
  );
}

export class Editor {
  /** In a shadow of its own: there its styles need no permission to be written into the page. */
  readonly root: HTMLElement;
  private view: EditorView;
  private looks = new Compartment();
  completions = new Completions(null);

  constructor(changed: (text: string) => void, run: () => void, dark: boolean) {
    this.root = document.createElement('div');
    this.root.className = 'editor-host';
    const shadow = this.root.attachShadow({ mode: 'open' });
    const inside = document.createElement('div');
    shadow.append(inside);
    this.view = new EditorView({
      parent: inside,
      root: shadow,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          lintGutter(),
          StreamLanguage.define(toml),
          autocompletion({ override: [(context) => this.complete(context)] }),
          keymap.of([{ key: 'Mod-Enter', run: () => (run(), true) }, indentWithTab, ...defaultKeymap, ...historyKeymap]),
          this.looks.of([theme(dark), colors(dark)]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Text of the scene' }),
          EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    if (text === this.text) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  setDark(dark: boolean): void {
    this.view.dispatch({ effects: this.looks.reconfigure([theme(dark), colors(dark)]) });
  }

  show(problems: Problem[]): void {
    const text = this.text;
    const diagnostics: Diagnostic[] = problems.map((problem) => {
      const from = problem.from === null ? 0 : toUnits(text, problem.from);
      const to = problem.to === null ? 0 : toUnits(text, problem.to);
      const message = [problem.message, problem.label, problem.help ? `help: ${problem.help}` : ''].filter(Boolean).join('\n');
      const start = Math.min(from, text.length);
      return { from: start, to: Math.min(text.length, Math.max(to, start + (problem.from === null ? 0 : 1))), severity: 'error', message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  goTo(byte: number): void {
    const at = Math.min(this.view.state.doc.length, toUnits(this.text, byte));
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.view.focus();
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const before = context.state.sliceDoc(0, context.pos);
    const word = /[\w$]*$/.exec(before)?.[0] ?? '';
    if (!context.explicit && word === '' && !/["[]$/.test(before)) return null;
    const options: Completion[] = this.completions.at(before).map((option) => ({ label: option.label, type: option.kind === 'key' ? 'property' : 'enum', info: option.info, apply: option.apply }));
    return options.length > 0 ? { from: context.pos - word.length, options, validFor: /^[\w$]*$/ } : null;
  }
}
