// Play, pause, step, speed, and the time.

import { FASTEST, SLOWEST, type Session } from '../player/session';
import { button, figures, h, icon } from './dom';
import { Timeline } from './timeline';

/** A speed as people say it. */
export function speedWords(speed: number): string {
  if (speed >= 1) return `${+speed.toPrecision(3)}×`;
  return `1/${+(1 / speed).toPrecision(3)}×`;
}

/** A time with as many digits as a run of that length needs. */
export function clock(time: number, until: number): string {
  const digits = Math.max(2, Math.min(9, 3 - Math.floor(Math.log10(Math.max(until, 1e-12)))));
  return `${time.toFixed(digits)} s`;
}

export class Transport {
  readonly root: HTMLElement;
  private play: HTMLButtonElement;
  private time = h('output', { class: 'time', attributes: { id: 'clock', 'aria-label': 'World time' } });
  private ahead = h('span', { class: 'ahead', attributes: { id: 'ahead' } });
  private speedText = h('output', { class: 'speed-text', attributes: { id: 'speed-text' } });
  private speed: HTMLInputElement;

  constructor(
    private readonly session: Session,
    step: (direction: 1 | -1) => void,
  ) {
    this.play = button({ label: 'Play', icon: 'play', iconOnly: true, key: 'space', class: 'primary round', press: () => session.toggle() });
    this.play.id = 'play';
    const span = Math.log10(FASTEST / SLOWEST);
    this.speed = h('input', {
      attributes: { type: 'range', min: 0, max: span, step: 0.01, value: 3, id: 'speed', 'aria-label': 'Speed' },
      on: {
        input: () => {
          const exact = SLOWEST * 10 ** Number(this.speed.value);
          // Round speeds are easy to hit.
          const power = 10 ** Math.floor(Math.log10(exact));
          const near = [1, 2, 5, 10].map((n) => n * power).find((n) => Math.abs(Math.log10(exact / n)) < 0.06);
          session.setSpeed(near ?? exact);
        },
      },
    });
    const buttons = h(
      'div',
      { class: 'transport-buttons' },
      button({ label: 'Back to the start', icon: 'start', iconOnly: true, key: 'Home', press: () => session.seek(0) }),
      button({ label: 'Previous collision', icon: 'previous', iconOnly: true, key: '←', class: 'step-previous', press: () => step(-1) }),
      this.play,
      button({ label: 'Next collision', icon: 'next', iconOnly: true, key: '→', class: 'step-next', press: () => step(1) }),
    );
    this.root = h(
      'div',
      { class: 'transport', attributes: { role: 'group', 'aria-label': 'Playback' } },
      buttons,
      h('div', { class: 'clock' }, this.time, this.ahead),
      new Timeline(session).root,
      h('label', { class: 'speed' }, h('span', { class: 'visually-hidden', text: 'Speed' }), this.speed, this.speedText),
    );
    session.on('playing', () => this.update());
    session.on('time', () => this.tell());
    session.on('progress', () => this.tell());
    session.on('opened', () => this.tell());
    session.on('speed', () => this.showSpeed());
    this.showSpeed();
    this.update();
  }

  private update(): void {
    const { playing } = this.session;
    this.play.replaceChildren(icon(playing ? 'pause' : 'play'));
    this.play.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.play.title = playing ? 'Pause (space)' : 'Play (space)';
  }

  private tell(): void {
    const { session } = this;
    this.time.textContent = clock(session.shown, session.until);
    const { status } = session;
    if (!status) return;
    const count = status.collisions === 1 ? '1 collision' : `${status.collisions.toLocaleString('en')} collisions`;
    if (status.failed) this.ahead.textContent = `stopped at ${figures(status.ahead, 4)} s`;
    else if (status.ended) this.ahead.textContent = `of ${clock(status.ahead, session.until)} · ${count}`;
    else this.ahead.textContent = `computed to ${figures(status.ahead, 4)} s of ${figures(status.until, 4)} s`;
    this.ahead.title = status.failed ?? '';
    this.ahead.classList.toggle('bad', status.failed !== null);
  }

  private showSpeed(): void {
    const { speed } = this.session;
    this.speedText.textContent = speedWords(speed);
    this.speed.value = String(Math.log10(speed / SLOWEST));
    this.speed.setAttribute('aria-valuetext', `${speedWords(speed)} real time`);
  }
}
