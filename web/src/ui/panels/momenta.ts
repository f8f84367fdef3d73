// The momenta of all bodies, head to tail, and their sum: what a collision leaves as it was.

import type { Stage } from '../../view/stage';
import { figures, h, vector } from '../dom';

/** Of more bodies the largest momenta are drawn one by one, the rest as one. */
const MOST = 24;
const HEIGHT = 170;

export interface Momentum {
  color: string;
  /** Along x and y, kg m/s. */
  along: [number, number];
}

/** The largest momenta, one by one, and the sum of the rest as the last; and the sum of all. */
export function headToTail(all: Momentum[], rest: string, most = MOST): { parts: Momentum[]; sum: [number, number] } {
  const add = (list: Momentum[]): [number, number] => list.reduce(([x, y], { along }) => [x + along[0], y + along[1]], [0, 0]);
  const size = ({ along }: Momentum) => Math.hypot(...along);
  const sum = add(all);
  if (all.length <= most) return { parts: all, sum };
  const large = new Set([...all].sort((a, b) => size(b) - size(a)).slice(0, most - 1));
  return { parts: [...large, { color: rest, along: add(all.filter((one) => !large.has(one))) }], sum };
}

export class Momenta {
  private readonly canvas = h('canvas', { class: 'momenta', attributes: { role: 'img', 'aria-label': 'Momenta of all bodies, head to tail' } });
  private readonly words = h('p', { class: 'hint' });
  readonly root = h('div', { class: 'chart' }, this.canvas, this.words);

  constructor(private readonly stage: Stage) {}

  /** Draws them as they are in the picture. */
  draw(width: number, color: (name: string) => string): void {
    const { stage, canvas } = this;
    const all = stage.bodies.flatMap((body): Momentum[] => {
      const velocity = body.motion === 'free' && body.mass ? stage.velocity(body.id) : null;
      return velocity ? [{ color: stage.colors[body.id] ?? '#888888', along: [body.mass! * velocity[0]!, body.mass! * velocity[1]!] }] : [];
    });
    const { parts, sum } = headToTail(all, color('--ink-soft'));
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(HEIGHT * ratio);
    canvas.style.aspectRatio = `${width} / ${HEIGHT}`;
    const context = canvas.getContext('2d');
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);
    const heads: [number, number][] = [[0, 0]];
    for (const { along } of parts) heads.push([heads.at(-1)![0] + along[0], heads.at(-1)![1] + along[1]]);
    const range = (axis: 0 | 1) => [Math.min(...heads.map((head) => head[axis])), Math.max(...heads.map((head) => head[axis]))] as const;
    const [[left, right], [low, high]] = [range(0), range(1)];
    const scale = Math.min((width - 40) / Math.max(right - left, 1e-300), (HEIGHT - 40) / Math.max(high - low, 1e-300), 1e300);
    const place = ([x, y]: [number, number]): [number, number] => [0.5 * width + (x - 0.5 * (left + right)) * scale, 0.5 * HEIGHT - (y - 0.5 * (low + high)) * scale];
    parts.forEach((part, i) => {
      // A rim, so that a white ball's is seen.
      arrow(context, place(heads[i]!), place(heads[i + 1]!), color('--ink-soft'), 4, 0);
      arrow(context, place(heads[i]!), place(heads[i + 1]!), part.color, 2.5, 0);
    });
    // Beside the others, where all are in one line.
    const inLine = right - left < 1e-9 * (high - low) || high - low < 1e-9 * (right - left);
    arrow(context, place([0, 0]), place(sum), color('--ink'), 1.5, inLine ? 9 : 0, [5, 3]);
    const more = all.length > MOST ? ` The ${MOST - 1} largest are drawn one by one, the rest as one.` : '';
    const flat = stage.camera.dimension === 3 ? ' Along x and y.' : '';
    this.words.textContent = `Dashed: their sum, ${vector(sum, 4)} kg m/s, of size ${figures(Math.hypot(...sum), 4)} kg m/s.${more}${flat}`;
  }
}

/** An arrow, put aside by so many pixels across it. */
function arrow(context: CanvasRenderingContext2D, from: [number, number], to: [number, number], color: string, width: number, aside: number, dash: number[] = []): void {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy);
  if (!(length > 1)) return;
  const [ux, uy] = [dx / length, dy / length];
  const [ax, ay] = [-uy * aside, ux * aside];
  const head = Math.min(9, 0.5 * length + 1);
  const [x, y] = [to[0] + ax, to[1] + ay];
  context.strokeStyle = context.fillStyle = color;
  context.lineWidth = width;
  context.setLineDash(dash);
  context.beginPath();
  context.moveTo(from[0] + ax, from[1] + ay);
  context.lineTo(x - 0.8 * head * ux, y - 0.8 * head * uy);
  context.stroke();
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x - head * ux - 0.45 * head * uy, y - head * uy + 0.45 * head * ux);
  context.lineTo(x - head * ux + 0.45 * head * uy, y - head * uy - 0.45 * head * ux);
  context.fill();
}
