// The keys of a game as buttons, for fingers.

import type { Session } from '../player/session';
import { h } from './dom';

const SIGNS: Record<string, string> = { left: '←', right: '→', up: '↑', down: '↓' };

export class Keypad {
  readonly root = h('div', { class: 'keypad', attributes: { hidden: true, role: 'group', 'aria-label': 'Keys of the scene' } });

  constructor(private readonly session: Session) {
    session.on('opened', () => this.show());
  }

  private show(): void {
    const keys = this.session.surroundings?.keys ?? [];
    this.root.hidden = keys.length === 0;
    this.root.replaceChildren(...keys.slice(0, 8).map((key) => this.key(key)));
  }

  private key(key: string): HTMLElement {
    let held = false;
    const use = (press: boolean) => {
      if (held === press) return;
      held = press;
      if (press && !this.session.playing) this.session.play();
      void this.session.change({ kind: press ? 'press' : 'release', key });
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
