// Lessons: the list, and the panel that leads through one.

import { Client, type EngineFiles } from '../engine/client';
import { lessons, type Lesson } from '../lessons';
import type { Session } from '../player/session';
import { button, figures, h } from './dom';

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

export function lessonList(): HTMLElement {
  return h(
    'main',
    { class: 'gallery', attributes: { id: 'main', tabindex: -1 } },
    h('header', { class: 'intro' }, h('h1', { text: 'Lessons' }), h('p', { text: 'Each asks you to predict something first, and measures it then: with an engine that is exact, so that what you see is the physics and not the program.' })),
    h(
      'div',
      { class: 'cards' },
      ...lessons.map((lesson, i) =>
        h('a', { class: 'card lesson', attributes: { href: `#/lesson/${lesson.id}` } }, h('span', { class: 'card-number', text: String(i + 1) }), h('span', { class: 'card-title', text: lesson.title }), h('span', { class: 'card-text', text: lesson.summary })),
      ),
    ),
  );
}

/** Whether a prediction is near enough. */
export function isRight(lesson: Lesson, predicted: number, measured: number): boolean {
  if ('options' in lesson.answers) return predicted === measured;
  return Math.abs(predicted - measured) <= 0.02 * Math.abs(measured) + 1e-9;
}

export class LessonPanel {
  readonly root = h('div', { class: 'panel-body lesson-panel', attributes: { id: 'panel-lesson' } });
  private lesson: Lesson | null = null;

  constructor(
    private readonly session: Session,
    private readonly files: EngineFiles,
  ) {}

  /** The same scene by springs, computed to its end. */
  private async bySprings(): Promise<Client> {
    const client = new Client(this.files);
    await client.load({ ...this.session.source!, method: 'forces' });
    client.run(true, Infinity);
    for (let turn = 0; turn < 1200 && !client.status?.ended && !client.status?.failed; turn++) await pause();
    return client;
  }

  get active(): boolean {
    return this.lesson !== null;
  }

  set(id: string | null): void {
    this.lesson = lessons.find((lesson) => lesson.id === id) ?? null;
    this.show();
  }

  private show(): void {
    const { lesson } = this;
    if (!lesson) return this.root.replaceChildren();
    const result = h('div', { attributes: { 'aria-live': 'polite' } });
    const form = h(
      'form',
      {
        on: {
          submit: (event) => {
            event.preventDefault();
            const answer = new FormData(form).get('answer');
            if (answer === null || answer === '') return;
            void this.measure(lesson, Number(answer), result);
          },
        },
      },
      this.answers(lesson),
      h('button', { class: 'button primary', text: 'Predict, then measure', attributes: { type: 'submit' } }),
    );
    this.root.replaceChildren(
      h('a', { class: 'link', text: '‹ All lessons', attributes: { href: '#/lessons' } }),
      h('h2', { text: lesson.title }),
      h('p', { text: lesson.text }),
      h('div', { class: 'row' }, button({ label: 'Watch it', icon: 'play', press: () => this.session.play() })),
      h('h3', { text: lesson.question }),
      form,
      result,
    );
  }

  private answers(lesson: Lesson): HTMLElement {
    if ('options' in lesson.answers) {
      return h(
        'fieldset',
        { class: 'choices' },
        h('legend', { class: 'visually-hidden', text: lesson.question }),
        ...lesson.answers.options.map((option, i) => h('label', { class: 'check' }, h('input', { attributes: { type: 'radio', name: 'answer', value: i } }), h('span', { text: option }))),
      );
    }
    return h('label', { class: 'field' }, h('span', { class: 'visually-hidden', text: lesson.question }), h('input', { attributes: { name: 'answer', type: 'number', step: 'any', required: true } }), h('span', { text: lesson.answers.unit }));
  }

  /** Waits for the run to be computed, then measures. */
  private async measure(lesson: Lesson, predicted: number, result: HTMLElement): Promise<void> {
    const { session } = this;
    result.replaceChildren(h('p', { class: 'hint', text: 'Measuring…' }));
    for (let turn = 0; turn < 600 && !session.status?.ended && !session.status?.failed; turn++) await pause();
    try {
      const { value, words } = await lesson.measure(session.client, () => this.bySprings());
      const right = isRight(lesson, predicted, value);
      const name = (number: number) => ('options' in lesson.answers ? (lesson.answers.options[number] ?? '–') : `${figures(number, 5)} ${lesson.answers.unit}`);
      result.replaceChildren(
        h('dl', { class: 'facts' }, h('dt', { text: 'you predicted' }), h('dd', { text: name(predicted) }), h('dt', { text: 'measured' }), h('dd', { text: name(value), attributes: { id: 'measured' } })),
        h('p', { class: right ? 'verdict right' : 'verdict wrong', text: right ? 'As predicted.' : 'Not as predicted: good, there is something to find out.' }),
        h('p', { text: words }),
        h('h3', { text: 'Why' }),
        h('p', { text: lesson.why }),
        h('h3', { text: 'Try' }),
        h('ul', {}, ...lesson.tries.map((text) => h('li', { text }))),
      );
      session.seek(0);
      session.play();
    } catch (error) {
      result.replaceChildren(h('p', { class: 'verdict wrong', text: `It could not be measured: ${error instanceof Error ? error.message : String(error)}` }));
    }
  }
}
