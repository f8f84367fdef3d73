// Makes the gallery: the sample scenes with their titles (src/generated/scenes.json), and a thumbnail of each
// (public/thumbs/). The pictures come from the engine itself.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Engine } from '../src/engine/wasm.js';
import type { Body, Facts, Form, Status } from '../src/engine/types';
import { boundsOf, outerRooms, outlines, reach, triangles } from '../src/view/geometry';
import { LIGHT, colorsOf } from '../src/view/palette';

const [folder, engineFile, thumbs, list] = process.argv.slice(2) as [string, string, string, string];
// In half pixels of the card that shows it: whole numbers are short.
const WIDTH = 640;
const HEIGHT = 400;
const MOST_BODIES = 350;
const TRAILS = 40;

type Place = [number, number];

/** What the comment at the top of a scene says, without the rows that tests refer to. */
function summary(text: string): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.startsWith('#')) break;
    lines.push(line.slice(1).trim());
  }
  const words = lines.join(' ');
  const rows = words.search(/\bRows? [A-Z]\d/);
  return (rows >= 0 ? words.slice(0, rows) : words).trim();
}

interface Frame {
  time: number;
  numbers: Float32Array;
}

class Thumbnail {
  private parts: string[] = [];
  private scale = 1;
  private middle: Place = [0, 0];

  constructor(
    private readonly dimension: 2 | 3,
    private readonly bodies: Body[],
    private readonly frames: Frame[],
    private readonly periods: number[],
  ) {}

  private flat(place: number[]): Place {
    if (this.dimension === 2) return [place[0]!, place[1]!];
    const [x, y, z] = place as [number, number, number];
    const [c, s] = [Math.cos(0.62), Math.sin(0.62)];
    const [right, away] = [c * x + s * y, -s * x + c * y];
    return [right, 0.9 * z + 0.38 * away];
  }

  private depth(place: number[]): number {
    return this.dimension === 2 ? 0 : -(-Math.sin(0.62) * place[0]! + Math.cos(0.62) * place[1]!) + 0.4 * place[2]!;
  }

  private toPicture(place: number[]): Place {
    const [x, y] = this.flat(place);
    return [WIDTH / 2 + (x - this.middle[0]) * this.scale, HEIGHT / 2 - (y - this.middle[1]) * this.scale];
  }

  private state(frame: Frame, id: number): { position: number[]; turn: number[] } | null {
    const d = this.dimension;
    const at = id * (d === 2 ? 5 : 10);
    const position = Array.from(frame.numbers.subarray(at, at + d));
    if (position.length < d || position.some((x) => !Number.isFinite(x))) return null;
    return { position, turn: Array.from(frame.numbers.subarray(at + d, at + d + (d === 2 ? 1 : 4))) };
  }

  private fit(): void {
    const low: Place = [Infinity, Infinity];
    const high: Place = [-Infinity, -Infinity];
    const take = (place: number[], reach: number) => {
      const [x, y] = this.flat(place);
      low[0] = Math.min(low[0], x - reach);
      low[1] = Math.min(low[1], y - reach);
      high[0] = Math.max(high[0], x + reach);
      high[1] = Math.max(high[1], y + reach);
    };
    const outer = outerRooms(this.bodies);
    for (const body of this.bodies) {
      const start = this.state(this.frames[0]!, body.id);
      if (!start || outer.has(body.id)) continue;
      const bounds = boundsOf(body.form, start.position, start.turn[0]!, this.dimension === 3 ? start.turn : null);
      if (bounds) bounds.forEach((corner) => take(corner, 0));
    }
    const largest = Math.max(0, ...this.bodies.filter((body) => body.motion === 'free').map((body) => reach(body.form)));
    const size = Math.max(high[0] - low[0], high[1] - low[1], 14 * largest);
    const [started, ended] = [[...low], [...high]] as [Place, Place];
    for (const frame of this.frames.slice(1, 1 + TRAILS))
      for (const body of this.bodies) {
        if (body.motion !== 'free') continue;
        const state = this.state(frame, body.id);
        if (!state) continue;
        const [x, y] = this.flat(state.position);
        const near = 1.2 * size;
        if (x > started[0] - near && x < ended[0] + near && y > started[1] - near && y < ended[1] + near) take(state.position, body.radius ?? 0);
      }
    if (this.periods.slice(0, this.dimension).every((x) => x > 0)) {
      take(new Array<number>(this.dimension).fill(0), 0);
      take(this.periods.slice(0, this.dimension), 0);
    }
    for (const body of this.bodies) {
      if (body.form.kind !== 'wall' || this.dimension === 3) continue;
      const state = this.state(this.frames[0]!, body.id);
      const axis = body.form.normal.findIndex((x) => Math.abs(x) > 0.99);
      if (!state || axis < 0) continue;
      const at = state.position[axis]!;
      if (at < low[axis]! && low[axis]! - at < size) low[axis] = at;
      if (at > high[axis]! && at - high[axis]! < size) high[axis] = at;
    }
    this.middle = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    const [wide, tall] = [Math.max(high[0] - low[0], 1e-9), Math.max(high[1] - low[1], 1e-9)];
    this.scale = 0.88 * Math.min(WIDTH / wide, HEIGHT / tall);
  }

  private points(places: number[][]): string {
    return places.map((place) => this.toPicture(place).map(Math.round).join(',')).join(' ');
  }

  private turned(point: number[], state: { position: number[]; turn: number[] }): number[] {
    if (this.dimension === 2) {
      const [c, s] = [Math.cos(state.turn[0]!), Math.sin(state.turn[0]!)];
      return [state.position[0]! + c * point[0]! - s * point[1]!, state.position[1]! + s * point[0]! + c * point[1]!];
    }
    const [qx, qy, qz, qw] = state.turn as [number, number, number, number];
    const [x, y, z] = point as [number, number, number];
    const t = [2 * (qy * z - qz * y), 2 * (qz * x - qx * z), 2 * (qx * y - qy * x)];
    return [
      state.position[0]! + x + qw * t[0]! + qy * t[2]! - qz * t[1]!,
      state.position[1]! + y + qw * t[1]! + qz * t[0]! - qx * t[2]!,
      state.position[2]! + z + qw * t[2]! + qx * t[1]! - qy * t[0]!,
    ];
  }

  private wall(form: Extract<Form, { kind: 'wall' }>, position: number[]): void {
    if (this.dimension === 3) return;
    const [x, y] = [form.normal[0]!, form.normal[1]!];
    const far = (2 * (WIDTH + HEIGHT)) / this.scale;
    const along = (sign: number, back: number) => [position[0]! - sign * y * far - x * back, position[1]! + sign * x * far - y * back];
    if (!form.bare) this.parts.push(`<polygon points="${this.points([along(-1, 0), along(1, 0), along(1, far), along(-1, far)])}" fill="#8592a3" fill-opacity=".28"/>`);
    this.parts.push(`<polyline points="${this.points([along(-1, 0), along(1, 0)])}" fill="none" stroke="#8592a3" stroke-width="2"/>`);
  }

  private body(body: Body, color: string, frame: Frame): void {
    const state = this.state(frame, body.id);
    if (!state) return;
    const { form } = body;
    if (form.kind === 'wall') return this.wall(form, state.position);
    if (form.kind === 'ball') {
      const [x, y] = this.toPicture(state.position).map(Math.round) as Place;
      const r = Math.max(2, Math.round(form.radius * this.scale));
      const gradient = this.dimension === 3 && r > 4 ? ` stroke="#000" stroke-opacity=".25"` : '';
      this.parts.push(`<circle cx="${x}" cy="${y}" r="${r}" fill="${color}"${gradient}/>`);
      return;
    }
    if (this.dimension === 3) return this.faces(form, color, state, body.sensor);
    for (const outline of outlines(form)) {
      const places = outline.points.map((point) => this.turned(point, state));
      const shape = outline.closed && form.kind !== 'hollow';
      const fill = shape ? `fill="${color}" fill-opacity="${body.sensor ? 0.15 : 0.85}"` : 'fill="none"';
      const tag = outline.closed ? 'polygon' : 'polyline';
      this.parts.push(`<${tag} points="${this.points(places)}" ${fill} stroke="${shape ? color : '#8592a3'}" stroke-width="${shape ? 2 : 4}"/>`);
    }
  }

  private faces(form: Form, color: string, state: { position: number[]; turn: number[] }, sensor: boolean): void {
    const all = triangles(form);
    if (all.length > 9 * 400) return;
    // A face of a pixel or two is as good as none.
    const smallest = all.length > 9 * 60 ? 6 : 0;
    const shaded: [number, string][] = [];
    const [red, green, blue] = [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)) as [number, number, number];
    for (let i = 0; i < all.length; i += 9) {
      const corners = [0, 3, 6].map((k) => this.turned(all.slice(i + k, i + k + 3), state));
      const [a, b, c] = corners.map((corner) => this.toPicture(corner)) as [Place, Place, Place];
      const area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
      if (area >= -smallest) continue;
      const u = corners[1]!.map((x, k) => x - corners[0]![k]!);
      const v = corners[2]!.map((x, k) => x - corners[0]![k]!);
      const n = [u[1]! * v[2]! - u[2]! * v[1]!, u[2]! * v[0]! - u[0]! * v[2]!, u[0]! * v[1]! - u[1]! * v[0]!];
      const light = 0.55 + 0.45 * ((0.3 * n[0]! - 0.5 * n[1]! + 0.81 * n[2]!) / (Math.hypot(...n) || 1));
      const shade = `rgb(${[red, green, blue].map((x) => Math.round(x * light)).join(',')})`;
      const near = corners.reduce((sum, corner) => sum + this.depth(corner), 0);
      shaded.push([near, `<polygon points="${this.points(corners)}" fill="${shade}" stroke="${shade}"${sensor ? ' opacity=".3"' : ''}/>`]);
    }
    shaded.sort((one, other) => one[0] - other[0]);
    this.parts.push(...shaded.map(([, part]) => part));
  }

  private trails(colors: string[]): void {
    const free = this.bodies.filter((body) => body.motion === 'free');
    if (free.length > 30) return;
    free.forEach((body) => {
      const places: number[][] = [];
      for (const frame of this.frames) {
        const state = this.state(frame, body.id);
        if (state) places.push(state.position);
      }
      const jumps = places.some((place, i) => i > 0 && this.periods.some((period, k) => period > 0 && Math.abs(place[k]! - places[i - 1]![k]!) > period / 2));
      if (places.length > 1 && !jumps) this.parts.push(`<polyline points="${this.points(places)}" fill="none" stroke="${colors[this.bodies.indexOf(body)]}" stroke-opacity=".38" stroke-width="2"/>`);
    });
  }

  draw(): string {
    this.fit();
    const colors = colorsOf(this.bodies, LIGHT);
    const order = this.bodies.map((body, i) => [body, i] as const);
    const shown = order.filter(([body]) => body.motion !== 'free');
    const free = order.filter(([body]) => body.motion === 'free');
    const step = Math.ceil(free.length / MOST_BODIES);
    const last = this.frames[Math.min(this.frames.length - 1, 6)]!;
    shown.forEach(([body, i]) => this.body(body, colors[i]!, last));
    this.trails(colors);
    const visible = free.filter((_, i) => i % step === 0);
    if (this.dimension === 3) {
      const near = (body: Body) => this.depth(this.state(last, body.id)?.position ?? [0, 0, 0]);
      visible.sort(([a], [b]) => near(a) - near(b));
    }
    visible.forEach(([body, i]) => this.body(body, colors[i]!, last));
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">${this.parts.join('')}</svg>\n`;
  }
}

async function main(): Promise<void> {
  const module = new WebAssembly.Module(readFileSync(engineFile));
  rmSync(thumbs, { recursive: true, force: true });
  mkdirSync(thumbs, { recursive: true });
  const meshes = readdirSync(folder).filter((name) => name.endsWith('.obj'));
  const scenes = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.toml')).sort()) {
    const name = file.replace(/\.toml$/, '');
    const text = readFileSync(`${folder}/${file}`, 'utf8');
    const files = meshes.filter((mesh) => text.includes(`"${mesh}"`)).map((mesh) => [mesh, readFileSync(`${folder}/${mesh}`, 'utf8')] as [string, string]);
    const engine = await Engine.from(module);
    const facts = engine.call({ do: 'load', name: file, text, files }).value as Facts;
    const bodies = engine.call({ do: 'bodies' }).value as Body[];
    const { periods } = engine.call({ do: 'surroundings' }).value as { periods: number[] };
    // A few seconds of it are enough for a picture.
    for (let turn = 0; turn < 40 && engine.ahead(250) === 0; turn++);
    const { ahead } = engine.call({ do: 'status' }).value as Status;
    const frames = Array.from({ length: TRAILS + 1 }, (_, i) => engine.frame((ahead * i) / TRAILS));
    const svg = new Thumbnail(facts.dimension, bodies, frames, periods).draw();
    writeFileSync(`${thumbs}/${name}.svg`, svg);
    scenes.push({ name, title: facts.title, summary: summary(text), dimension: facts.dimension, bodies: facts.bodies, method: facts.method, text, files });
  }
  writeFileSync(list, JSON.stringify(scenes));
  console.log(`${scenes.length} scenes`);
}

await main();
