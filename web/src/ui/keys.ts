// The keyboard: everything that the mouse can do, and the keys of games.

import type { Session } from '../player/session';
import type { Stage } from '../view/stage';
import type { Driver } from './driver';
import type { Hands } from './hands';
import { showHelp } from './help';
import type { Tabs } from './tabs';

/** Whether the user is writing something. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['range', 'checkbox', 'radio', 'button'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable || target.classList.contains('editor-host');
}

/** The name that scenes have for a key. */
export function keyName(key: string): string {
  const names: Record<string, string> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down', ' ': 'space' };
  return names[key] ?? key.toLowerCase();
}

const ALONG = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']);

/** Whether a key is for what has the focus: a slider or a choice is moved; on the timeline the arrows step, as everywhere. */
function ownKey({ target, key }: KeyboardEvent): boolean {
  if (key === ' ') return target instanceof HTMLElement && target.matches('input[type=checkbox], input[type=radio], summary');
  return target instanceof HTMLInputElement && target.id !== 'time' && ['range', 'radio'].includes(target.type) && ALONG.has(key);
}

export class Keys {
  private held = new Set<string>();

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
    private readonly root: HTMLElement,
    private readonly tabs: Tabs,
    private readonly hands: Hands,
    private readonly driver: Driver,
    private readonly step: (direction: 1 | -1) => void,
  ) {
    document.addEventListener('keydown', (event) => this.down(event));
    document.addEventListener('keyup', (event) => this.up(event));
    window.addEventListener('blur', () => this.held.clear());
    // A slider that was moved by hand lets go of the keys again: the arrows step from collision to collision.
    document.addEventListener('pointerup', ({ target }) => target instanceof HTMLInputElement && target.type === 'range' && target.blur());
  }

  private game(event: KeyboardEvent): string | null {
    const name = keyName(event.key);
    return this.session.surroundings?.keys?.includes(name) ? name : null;
  }

  private down(event: KeyboardEvent): void {
    if (!this.root.isConnected || event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector('dialog[open]') || isWriting(event.target)) return;
    const key = this.game(event);
    if (key && this.session.playing) {
      event.preventDefault();
      if (!this.held.has(key)) {
        this.held.add(key);
        void this.session.change({ kind: 'press', key });
      }
      return;
    }
    const arrow = keyName(event.key);
    if (this.session.playing && this.driver.keys.includes(arrow)) {
      event.preventDefault();
      if (!event.repeat) this.driver.press(arrow);
      return;
    }
    if (!ownKey(event) && this.act(event)) event.preventDefault();
  }

  private up(event: KeyboardEvent): void {
    this.driver.release(keyName(event.key));
    const key = this.game(event);
    if (key && this.held.delete(key)) void this.session.change({ kind: 'release', key });
  }

  private act(event: KeyboardEvent): boolean {
    const { session, stage } = this;
    const onButton = event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement;
    const own = event.shiftKey ? session.selected : null;
    const frame = session.speed / 60;
    const { clientWidth: width, clientHeight: height } = stage.host;
    switch (event.key) {
      case ' ':
        if (onButton) return false;
        session.toggle();
        return true;
      case 'ArrowRight':
      case 'ArrowLeft': {
        const direction = event.key === 'ArrowRight' ? 1 : -1;
        if (own !== null) void session.step(direction, own);
        else this.step(direction);
        return true;
      }
      case 'ArrowUp':
        session.setSpeed(session.speed * 2);
        return true;
      case 'ArrowDown':
        session.setSpeed(session.speed / 2);
        return true;
      case ',':
      case '.':
        session.pause();
        session.seek(session.shown + (event.key === '.' ? frame : -frame));
        return true;
      case 'Home':
        session.seek(0);
        return true;
      case 'End':
        session.seek(session.ahead);
        return true;
      case '+':
      case '=':
      case '-':
        stage.camera.zoom(event.key === '-' ? 0.8 : 1.25, width / 2, height / 2);
        stage.touch();
        return true;
      case '?':
        showHelp();
        return true;
      case 'Escape':
        session.select(null);
        session.clearCollision();
        return true;
      case '[':
      case ']':
        this.selectNext(event.key === ']' ? 1 : -1);
        return true;
      case 'Delete':
        if (session.selected === null) return false;
        void session.change({ kind: 'remove', body: session.selected }).then((done) => done && session.select(null));
        return true;
    }
    return this.letter(event.key);
  }

  private letter(key: string): boolean {
    if (/^[1-8]$/.test(key)) {
      this.tabs.showNumber(Number(key));
      return true;
    }
    switch (key) {
      case 'f':
        this.stage.refit();
        return true;
      case 'n':
        void this.hands.addBall();
        return true;
      case 'u':
        void this.session.undo();
        return true;
      case 'w':
      case 'a':
      case 's':
      case 'd':
        this.turnPicture(key);
        return true;
      case 'o':
        this.root.ownerDocument.querySelector<HTMLElement>('.bar .button')?.click();
        return true;
    }
    const toggle = this.root.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    toggle?.click();
    return toggle !== null;
  }

  /** As the mouse does it on the background: moves the picture, in 3-D turns it. */
  private turnPicture(key: 'w' | 'a' | 's' | 'd'): void {
    const [dx, dy] = { w: [0, 40], a: [40, 0], s: [0, -40], d: [-40, 0] }[key] as [number, number];
    const { camera } = this.stage;
    if (camera.dimension === 3) camera.orbit(dx, dy);
    else camera.pan(dx, dy);
    this.stage.touch();
  }

  private selectNext(direction: 1 | -1): void {
    const free = this.session.bodies.filter((body) => body.motion === 'free');
    if (free.length === 0) return;
    const at = free.findIndex((body) => body.id === this.session.selected);
    const next = at < 0 ? (direction > 0 ? 0 : free.length - 1) : (at + direction + free.length) % free.length;
    this.session.select(free[next]!.id);
  }
}
