// The picture: bodies by WebGL, everything that explains them on a canvas above.

import * as THREE from 'three';
import type { Body } from '../engine/types';
import { Balls } from './balls';
import { Camera, type Bounds } from './camera';
import { boundsOf, outerRooms, reach } from './geometry';
import { Pen } from './overlay';
import { colorsOf, type Theme } from './palette';
import { Solids } from './solids';

export type Annotate = (pen: Pen, width: number, height: number) => void;

export class Stage {
  readonly glCanvas = document.createElement('canvas');
  readonly overlay = document.createElement('canvas');
  private renderer: THREE.WebGLRenderer | null = null;
  private scene = new THREE.Scene();
  camera = new Camera(2, 'y');
  private balls: Balls | null = null;
  private solids: Solids | null = null;
  private ghostBalls: Balls | null = null;
  private ghostSolids: Solids | null = null;
  bodies: Body[] = [];
  byId = new Map<number, Body>();
  colors: string[] = [];
  numbers: Float32Array = new Float32Array(0);
  private extent: Bounds | null = null;
  private up: 'y' | 'z' = 'z';
  private width = 1;
  private height = 1;
  private dirty = true;
  annotate: Annotate = () => {};
  bySpeed = false;
  /** When bodies were drawn for the first time, ms of the page. */
  firstDrawn: number | null = null;
  /** How often they were drawn. */
  drawn = 0;
  /** Why nothing can be drawn, if nothing can. */
  failure = '';

  constructor(
    readonly host: HTMLElement,
    private theme: Theme,
  ) {
    this.glCanvas.className = 'stage-gl';
    this.overlay.className = 'stage-overlay';
    this.glCanvas.setAttribute('aria-hidden', 'true');
    this.overlay.setAttribute('aria-hidden', 'true');
    host.append(this.glCanvas, this.overlay);
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas: this.glCanvas, antialias: true, alpha: false, preserveDrawingBuffer: true });
      this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
      THREE.ColorManagement.enabled = false;
    } catch {
      this.failure = 'This browser has no WebGL 2, which the picture needs. Everything else works.';
    }
    this.setTheme(theme);
    new ResizeObserver(() => this.resize()).observe(host);
    this.resize();
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    this.renderer?.setClearColor(theme.background);
    if (this.bodies.length > 0) this.setBodies(this.bodies);
    this.dirty = true;
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.host;
    this.width = Math.max(1, clientWidth);
    this.height = Math.max(1, clientHeight);
    const ratio = this.ratio;
    this.renderer?.setPixelRatio(ratio);
    this.renderer?.setSize(this.width, this.height, false);
    this.overlay.width = Math.round(this.width * ratio);
    this.overlay.height = Math.round(this.height * ratio);
    this.camera.resize(this.width, this.height);
    this.solids?.resize(this.width, this.height);
    this.ghostSolids?.resize(this.width, this.height);
    if (this.extent && !this.camera.moved) this.camera.fit(this.extent);
    this.dirty = true;
  }

  private get ratio(): number {
    return Math.min(2, window.devicePixelRatio || 1);
  }

  /** A new scene. */
  open(dimension: 2 | 3, up: 'y' | 'z'): void {
    this.scene.clear();
    this.camera = new Camera(dimension, up);
    this.camera.resize(this.width, this.height);
    this.extent = null;
    this.balls?.dispose();
    this.balls = new Balls(dimension);
    this.up = up;
    this.solids = new Solids(dimension, null, up);
    this.scene.add(this.solids.root, this.balls.mesh);
    this.ghostBalls = null;
    this.ghostSolids = null;
    if (dimension === 3) {
      this.scene.add(new THREE.HemisphereLight(0xffffff, 0x8a96a6, 1.7));
      const sun = new THREE.DirectionalLight(0xffffff, 1.5);
      sun.position.set(0.3, -0.5, 0.81);
      this.scene.add(sun);
    }
    this.bodies = [];
    this.numbers = new Float32Array(0);
  }

  setBodies(bodies: Body[]): void {
    this.bodies = bodies;
    this.byId = new Map(bodies.map((body) => [body.id, body]));
    const count = bodies.reduce((most, body) => Math.max(most, body.id + 1), 0);
    const colors = colorsOf(bodies, this.theme);
    this.colors = new Array<string>(count).fill('#888888');
    const radii = new Float32Array(count);
    bodies.forEach((body, i) => {
      this.colors[body.id] = colors[i]!;
      if (body.form.kind === 'ball') radii[body.id] = body.form.radius;
    });
    this.balls?.set(radii, this.colors);
    this.solids?.set(bodies, this.colors, this.theme, this.size(), this.middle(), (id) => this.position(id));
    this.solids?.resize(this.width, this.height);
    if (this.ghostBalls) this.showGhost(true);
    if (this.numbers.length > 0) this.frame(this.numbers);
  }

  /** How large the scene is, m. */
  size(): number {
    if (!this.extent) return 1;
    return Math.max(...this.extent.low.map((x, i) => this.extent!.high[i]! - x), 1e-9);
  }

  private middle(): number[] {
    return this.extent ? this.extent.low.map((x, i) => 0.5 * (x + this.extent!.high[i]!)) : [0, 0, 0];
  }

  /** Fits the picture to where bodies are, and where they have been seen. */
  fit(seen: [number[], number[]] | null, periods: number[] = []): void {
    const { dimension } = this.camera;
    const low = new Array<number>(dimension).fill(Infinity);
    const high = new Array<number>(dimension).fill(-Infinity);
    const take = (from: number[], to: number[]) => {
      if (![...from, ...to].every(Number.isFinite)) return;
      for (let i = 0; i < dimension; i++) {
        low[i] = Math.min(low[i]!, from[i]!);
        high[i] = Math.max(high[i]!, to[i]!);
      }
    };
    const stride = dimension === 2 ? 5 : 10;
    let largest = 0;
    const outer = outerRooms(this.bodies);
    for (const body of this.bodies) {
      if (outer.has(body.id)) continue;
      const at = body.id * stride;
      const position = Array.from(this.numbers.subarray(at, at + dimension));
      if (position.length < dimension || position.some((x) => !Number.isFinite(x))) continue;
      if (body.motion === 'free') largest = Math.max(largest, reach(body.form));
      const bounds = boundsOf(body.form, position, dimension === 2 ? this.numbers[at + 2]! || 0 : 0, dimension === 3 ? Array.from(this.numbers.subarray(at + 3, at + 7)) : null);
      if (bounds) take(...bounds);
      else if (body.form.kind === 'tube') take(position.map((x) => x - body.radius!), position);
    }
    if (periods.length >= dimension && periods.slice(0, dimension).every((period) => period > 0)) take(new Array<number>(dimension).fill(0), periods);
    const started = low.map((x, i) => [x, high[i]!] as const);
    if (seen && seen[0].every((x) => Number.isFinite(x ?? NaN)) && low.every(Number.isFinite)) {
      // What flies off must not make the rest a speck.
      const wide = Math.max(...low.map((x, i) => high[i]! - x));
      const far = dimension === 2 ? Math.max(2.5 * wide, 25 * largest) : Math.max(0.5 * wide, 14 * largest);
      const pad = (x: number, i: number, sign: number) =>
        Math.max(started[i]![0] - far, Math.min(started[i]![1] + far, x + sign * largest));
      take(seen[0].slice(0, dimension).map((x, i) => pad(x, i, -1)), seen[1].slice(0, dimension).map((x, i) => pad(x, i, 1)));
    }
    this.takeWalls(low, high);
    if (!low.every(Number.isFinite)) return;
    this.extent = { low, high };
    if (!this.camera.moved) this.camera.fit(this.extent);
    this.setBodies(this.bodies);
    this.dirty = true;
  }

  /** Walls that are near are in the picture. */
  private takeWalls(low: number[], high: number[]): void {
    const { dimension } = this.camera;
    const stride = dimension === 2 ? 5 : 10;
    const size = Math.max(...low.map((x, i) => high[i]! - x));
    for (const body of this.bodies) {
      if (body.form.kind !== 'wall') continue;
      const axis = body.form.normal.findIndex((x) => Math.abs(x) > 0.99);
      const at = this.numbers[body.id * stride + axis];
      if (axis < 0 || at === undefined || !Number.isFinite(at)) continue;
      if (at < low[axis]! && low[axis]! - at < 1.5 * size) low[axis] = at;
      if (at > high[axis]! && at - high[axis]! < 1.5 * size) high[axis] = at;
    }
  }

  refit(): void {
    if (this.extent) this.camera.fit(this.extent);
    this.dirty = true;
  }

  frame(numbers: Float32Array): void {
    this.numbers = numbers;
    this.balls?.frame(numbers);
    this.solids?.frame(numbers);
    this.dirty = true;
  }

  showGhost(on: boolean): void {
    if (this.ghostBalls) this.scene.remove(this.ghostBalls.mesh);
    if (this.ghostSolids) this.scene.remove(this.ghostSolids.root);
    this.ghostBalls?.dispose();
    this.ghostBalls = null;
    this.ghostSolids = null;
    this.dirty = true;
    if (!on) return;
    const { dimension } = this.camera;
    this.ghostBalls = new Balls(dimension);
    this.ghostSolids = new Solids(dimension, this.theme.ghost, this.up);
    const radii = new Float32Array(this.colors.length);
    for (const body of this.bodies) {
      if (body.form.kind === 'ball' && body.motion === 'free') radii[body.id] = body.form.radius;
    }
    this.ghostBalls.set(radii, this.colors.map(() => this.theme.ghost));
    this.ghostBalls.look({ opacity: dimension === 2 ? 0.95 : 0.4, hollow: true });
    this.ghostBalls.mesh.renderOrder = 4;
    this.ghostSolids.set(this.bodies, this.colors, this.theme, this.size(), this.middle(), (id) => this.position(id));
    this.ghostSolids.resize(this.width, this.height);
    this.scene.add(this.ghostSolids.root, this.ghostBalls.mesh);
  }

  ghostFrame(numbers: Float32Array): void {
    this.ghostBalls?.frame(numbers);
    this.ghostSolids?.frame(numbers);
    this.dirty = true;
  }

  position(id: number): number[] | null {
    const { dimension } = this.camera;
    const at = id * (dimension === 2 ? 5 : 10);
    const place = Array.from(this.numbers.subarray(at, at + dimension));
    return place.length === dimension && place.every(Number.isFinite) ? place : null;
  }

  velocity(id: number): number[] | null {
    const { dimension } = this.camera;
    const at = id * (dimension === 2 ? 5 : 10) + (dimension === 2 ? 3 : 7);
    const velocity = Array.from(this.numbers.subarray(at, at + dimension));
    return velocity.length === dimension && velocity.every(Number.isFinite) ? velocity : null;
  }

  touch(): void {
    this.dirty = true;
  }

  /** Draws, where something has changed. */
  draw(fastest: number): void {
    if (!this.dirty) return;
    this.dirty = false;
    const { camera } = this;
    this.balls?.look({ bySpeed: this.bySpeed, fastest: fastest || 1 });
    this.balls?.prepare(camera.used, camera.pixel);
    this.ghostBalls?.prepare(camera.used, camera.pixel);
    this.renderer?.render(this.scene, camera.used);
    const pen = new Pen(this.overlay, camera, this.theme, this.ratio);
    this.annotate(pen, this.width, this.height);
    if (this.numbers.length === 0) return;
    pen.scaleBar(this.width, this.height);
    this.firstDrawn ??= performance.now();
    this.drawn += 1;
  }

  /** Both canvases in one. */
  picture(): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.width = this.glCanvas.width;
    canvas.height = this.glCanvas.height;
    this.compose(canvas);
    return canvas;
  }

  compose(canvas: HTMLCanvasElement): void {
    const context = canvas.getContext('2d');
    context?.drawImage(this.glCanvas, 0, 0, canvas.width, canvas.height);
    context?.drawImage(this.overlay, 0, 0, canvas.width, canvas.height);
  }
}
