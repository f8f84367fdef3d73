// Lines, arrows and words over the picture, on a canvas of their own.

import type { Camera } from './camera';
import type { Theme } from './palette';

const FONT = '600 12px system-ui, sans-serif';
/** From one line of words to the next, pixels. */
const LINE = 15;

export class Pen {
  readonly context: CanvasRenderingContext2D;

  constructor(
    canvas: HTMLCanvasElement,
    readonly camera: Camera,
    readonly theme: Theme,
    readonly ratio: number,
  ) {
    const context = canvas.getContext('2d');
    if (!context) throw new Error('no canvas');
    this.context = context;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.lineJoin = context.lineCap = 'round';
  }

  /** A line through places of the world. It breaks where it would jump across (`jump` pixels), as in periodic boxes. */
  path(places: number[][], color: string, width: number, dash: number[] = [], jump = Infinity): void {
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    let last: [number, number] | null = null;
    for (const place of places) {
      const at = this.camera.toScreen(place);
      if (!at) {
        last = null;
        continue;
      }
      if (last && Math.hypot(at[0] - last[0], at[1] - last[1]) < jump) context.lineTo(...at);
      else context.moveTo(...at);
      last = at;
    }
    context.stroke();
    context.setLineDash([]);
  }

  ring(place: number[], radius: number, color: string, width: number, dash: number[] = []): void {
    const at = this.camera.toScreen(place);
    if (!at) return;
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    context.arc(at[0], at[1], Math.max(radius / this.camera.pixel, 4) + 3, 0, 2 * Math.PI);
    context.stroke();
    context.setLineDash([]);
  }

  dot(place: number[], color: string, radius: number): void {
    const at = this.camera.toScreen(place);
    if (!at) return;
    this.context.fillStyle = color;
    this.context.beginPath();
    this.context.arc(at[0], at[1], radius, 0, 2 * Math.PI);
    this.context.fill();
  }

  cross(place: number[], color: string, size: number): void {
    const at = this.camera.toScreen(place);
    if (!at) return;
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(at[0] - size, at[1]);
    context.lineTo(at[0] + size, at[1]);
    context.moveTo(at[0], at[1] - size);
    context.lineTo(at[0], at[1] + size);
    context.stroke();
  }

  /** A short text on a light spot in the middle of a ball of so many pixels. */
  badge(text: string, x: number, y: number, radius: number): void {
    const { context } = this;
    context.fillStyle = '#fffffff0';
    context.beginPath();
    context.arc(x, y, 0.55 * radius, 0, 2 * Math.PI);
    context.fill();
    context.font = `600 ${Math.min(14, (text.length > 1 ? 0.65 : 0.8) * radius)}px system-ui, sans-serif`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    context.fillStyle = '#1b2430';
    context.fillText(text, x, y + 0.5);
  }

  /** An arrow from a place along a vector of the world, so many pixels a unit, its label so many pixels aside; says where it ends. */
  arrow(from: number[], vector: number[], scale: number, color: string, label = '', dashed = false, aside = 0): [number, number] | null {
    const start = this.camera.toScreen(from);
    const step = this.camera.pixel * scale;
    const end = this.camera.toScreen(from.map((x, i) => x + (vector[i] ?? 0) * step));
    if (!start || !end) return null;
    const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
    const length = Math.hypot(dx, dy);
    if (length < 1.5) return end;
    const { context } = this;
    const [ux, uy] = [dx / length, dy / length];
    const head = Math.min(10, 0.5 * length + 2);
    const shaft = new Path2D();
    shaft.moveTo(...start);
    shaft.lineTo(end[0] - 0.8 * head * ux, end[1] - 0.8 * head * uy);
    const point = new Path2D();
    point.moveTo(...end);
    point.lineTo(end[0] - head * ux - 0.42 * head * uy, end[1] - head * uy + 0.42 * head * ux);
    point.lineTo(end[0] - head * ux + 0.42 * head * uy, end[1] - head * uy - 0.42 * head * ux);
    point.closePath();
    // A rim, so that it is seen on a body of its own colour.
    context.strokeStyle = this.theme.background;
    context.lineWidth = 5;
    context.stroke(shaft);
    context.lineWidth = 3;
    context.stroke(point);
    context.strokeStyle = context.fillStyle = color;
    context.lineWidth = 2.25;
    context.setLineDash(dashed ? [5, 4] : []);
    context.stroke(shaft);
    context.setLineDash([]);
    context.fill(point);
    if (label) this.label(label, end[0] + 8 * ux - aside * uy, end[1] + 8 * uy + aside * ux, color, ux < -0.3 ? 'right' : ux > 0.3 ? 'left' : aside === 0 ? 'center' : aside * uy > 0 ? 'right' : 'left');
    return end;
  }

  /** Where labels are: left, right and middle of each, pixels. */
  private readonly labels: [number, number, number][] = [];

  /** Words where no other label is: a line or two higher or lower, if need be. */
  private label(text: string, x: number, y: number, color: string, align: CanvasTextAlign): void {
    this.context.font = FONT;
    const wide = this.context.measureText(text).width + 4;
    const left = align === 'left' ? x : align === 'right' ? x - wide : x - wide / 2;
    const free = (at: number) => this.labels.every(([from, to, line]) => left > to || left + wide < from || Math.abs(at - line) >= LINE);
    const at = [0, 1, -1, 2, -2, 3, -3].map((lines) => y + lines * LINE).find(free) ?? y;
    this.labels.push([left, left + wide, at]);
    this.words(text, x, at, color, align);
  }

  words(text: string, x: number, y: number, color: string, align: CanvasTextAlign = 'left'): void {
    const { context } = this;
    context.font = FONT;
    context.textAlign = align;
    context.textBaseline = 'middle';
    context.lineWidth = 4;
    context.strokeStyle = this.theme.background;
    context.strokeText(text, x, y);
    context.fillStyle = color;
    context.fillText(text, x, y);
  }

  /** A bar of a round length in a corner. */
  scaleBar(width: number, height: number): void {
    if (this.camera.dimension === 3) return;
    const wanted = 110 * this.camera.pixel;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const length = [5, 2, 1].map((n) => n * power).find((n) => n <= wanted) ?? power;
    const pixels = length / this.camera.pixel;
    const [x, y] = [width - pixels - 16, height - 16];
    const { context } = this;
    context.strokeStyle = this.theme.faint;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, y - 4);
    context.lineTo(x, y);
    context.lineTo(x + pixels, y);
    context.lineTo(x + pixels, y - 4);
    context.stroke();
    this.words(metres(length), x + pixels / 2, y - 10, this.theme.faint, 'center');
  }
}

export function metres(length: number): string {
  if (length >= 1000) return `${+(length / 1000).toPrecision(3)} km`;
  if (length >= 1) return `${+length.toPrecision(3)} m`;
  if (length >= 0.01) return `${+(length * 100).toPrecision(3)} cm`;
  if (length >= 0.001) return `${+(length * 1000).toPrecision(3)} mm`;
  return `${+(length * 1e6).toPrecision(3)} µm`;
}
