// A click for each collision, louder the harder it is.

import { COLLISION } from './engine/types';
import type { Session } from './player/session';
import type { Stage } from './view/stage';

/** More clicks at once than these cannot be told apart. */
const MOST_AT_ONCE = 6;

export class Sound {
  private context: AudioContext | null = null;
  private on = false;
  private last = 0;
  private loudest = 1e-12;

  constructor(
    private readonly session: Session,
    private readonly stage: Stage,
  ) {
    session.on('time', () => this.play());
    session.on('opened', () => {
      this.last = 0;
      this.loudest = 1e-12;
    });
  }

  set(on: boolean): void {
    this.on = on;
    if (on) {
      this.context ??= new AudioContext();
      void this.context.resume();
    }
    this.last = this.session.shown;
  }

  private play(): void {
    const { session } = this;
    const [from, to] = [this.last, session.shown];
    this.last = to;
    if (!this.on || !session.playing || to <= from || !this.context) return;
    const { events } = session.client;
    const first = events.find(from);
    const end = events.find(to);
    let played = 0;
    for (let row = first; row < end && played < MOST_AT_ONCE; row++) {
      if (events.at(row, 1) !== COLLISION) continue;
      const strength = events.at(row, 5);
      this.loudest = Math.max(this.loudest, strength);
      const loud = Math.sqrt(strength / this.loudest);
      if (loud < 0.03) continue;
      played += 1;
      const delay = (events.at(row, 0) - from) / session.speed;
      this.click(this.context, loud, events.at(row, 2), events.at(row, 3), Math.min(0.1, delay));
    }
  }

  private click(context: AudioContext, loud: number, a: number, b: number, delay: number): void {
    const start = context.currentTime + delay;
    const both = [a, b].map((id) => this.stage.byId.get(id));
    const balls = both.every((body) => body?.motion === 'free' && body.form.kind === 'ball');
    const tone = context.createOscillator();
    const gain = context.createGain();
    const size = both[0]?.radius ?? 0.05;
    // Small balls ring higher; walls sound dull.
    tone.frequency.value = (balls ? 1500 : 420) * Math.min(2.2, Math.max(0.45, (0.03 / Math.max(size, 1e-4)) ** 0.3));
    tone.type = balls ? 'sine' : 'triangle';
    const length = balls ? 0.07 : 0.12;
    gain.gain.setValueAtTime(0.35 * loud, start);
    gain.gain.exponentialRampToValueAtTime(1e-4, start + length);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + length);
  }
}
