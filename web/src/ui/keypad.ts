// The keys of a game as buttons, for fingers.

import type { Session } from '../player/session';
import { h } from './dom';
import type { Driver } from './driver';

const SIGNS: Record<string, string> = { left: '←', right: '→', up: '↑', down: '↓' };

export class Keypad {
  readonly root = h('div', { class: 'keypad', attributes: { hidden: true, role: 'group', 'aria-label': 'Keys of the scene' } });

  private shown = '';

  constructor(
    private readonly session: Session,
    private readonly driver: Driver,
  ) {
    session.on('opened', () => this.show());
    session.on('selected', () => this.show());
  }

  private show(): void {
    const own = this.session.surroundings?.keys ?? [];
    const keys = own.length > 0 ? own : this.driver.keys;
    if (this.shown === keys.join(' ')) return;
    this.shown = keys.join(' ');
    this.root.hidden = keys.length === 0;
    this.root.replaceChildren(...keys.slice(0, 8).map((key) => this.key(key)));
  }

  private key(key: string): HTMLElement {
    let held = false;
    const use = (press: boolean) => {
      if (held === press) return;
      held = press;
      if (press && !this.session.playing) this.session.play();
      if ((this.session.surroundings?.keys?.length ?? 0) > 0) void this.session.change({ kind: press ? 'press' : 'release', key });
      else if (press) this.driver.press(key);
      else this.driver.release(key);
    };
    return h('button', {
      class: 'button',
      text: SIGNS[key] ?? key,
      attributes: { type: 'button', 'aria-label': `Key ${key}` },
      on: {
        pointerdown: (event) => {
          (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
          use(true);
        },
        pointerup: () => use(false),
        pointercancel: () => use(false),
        keydown: (event) => event.key === 'Enter' && use(true),
        keyup: () => use(false),
      },
    });
  }
}
