// Where the picture is taken from: moved and zoomed in 2-D, orbiting in 3-D.

import * as THREE from 'three';

export interface Bounds {
  low: number[];
  high: number[];
}

export class Camera {
  readonly flat = new THREE.OrthographicCamera(-1, 1, 1, -1, -10, 10);
  readonly deep = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
  private middle = new THREE.Vector3();
  /** Height of the picture in 2-D, or distance in 3-D, m. */
  private size = 1;
  private azimuth = -0.9;
  private elevation = 0.42;
  private width = 1;
  private height = 1;
  /** Whether it was moved by hand since it was last fitted. */
  moved = false;

  constructor(
    readonly dimension: 2 | 3,
    private readonly up: 'y' | 'z',
  ) {}

  get used(): THREE.Camera {
    return this.dimension === 2 ? this.flat : this.deep;
  }

  /** The width of a pixel, m, in 2-D; in 3-D where the camera looks at. */
  get pixel(): number {
    if (this.dimension === 2) return this.size / this.height;
    return (2 * this.size * Math.tan((this.deep.fov * Math.PI) / 360)) / this.height;
  }

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.update();
  }

  fit({ low, high }: Bounds): void {
    const sides = low.map((x, i) => high[i]! - x);
    const longest = Math.max(...sides, 1e-9);
    this.middle.fromArray([0, 1, 2].map((i) => 0.5 * ((low[i] ?? 0) + (high[i] ?? 0))));
    const aspect = this.width / this.height;
    if (this.dimension === 2) {
      const tall = Math.max(sides[1] ?? 0, (sides[0] ?? 0) / aspect, 0.05 * longest);
      this.size = 1.14 * tall;
    } else {
      this.update();
      const tan = Math.tan((this.deep.fov * Math.PI) / 360);
      const across = new THREE.Vector3();
      let away = 1e-9;
      // As near as all eight corners allow.
      for (let corner = 0; corner < 8; corner++) {
        across.fromArray([0, 1, 2].map((i) => (corner & (1 << i) ? 0.5 : -0.5) * (sides[i] ?? 0)));
        const [right, up, back] = [0, 1, 2].map((axis) => new THREE.Vector3().setFromMatrixColumn(this.deep.matrixWorld, axis).dot(across));
        away = Math.max(away, Math.abs(up!) / tan + back!, Math.abs(right!) / (tan * aspect) + back!);
      }
      this.size = 1.12 * away || 1;
    }
    this.moved = false;
    this.update();
  }

  pan(dx: number, dy: number): void {
    this.moved = true;
    const pixel = this.pixel;
    if (this.dimension === 2) this.middle.add(new THREE.Vector3(-dx * pixel, dy * pixel, 0));
    else {
      const side = new THREE.Vector3().setFromMatrixColumn(this.deep.matrixWorld, 0);
      const up = new THREE.Vector3().setFromMatrixColumn(this.deep.matrixWorld, 1);
      this.middle.addScaledVector(side, -dx * pixel).addScaledVector(up, dy * pixel);
    }
    this.update();
  }

  orbit(dx: number, dy: number): void {
    this.moved = true;
    this.azimuth -= dx * 0.008;
    this.elevation = Math.max(-1.5, Math.min(1.5, this.elevation + dy * 0.008));
    this.update();
  }

  /** Nearer by a factor, about a point of the picture (pixels). */
  zoom(factor: number, x: number, y: number): void {
    this.moved = true;
    const before = this.dimension === 2 ? this.toWorld(x, y) : null;
    this.size = Math.max(1e-9, Math.min(1e12, this.size / factor));
    this.update();
    if (before) {
      const after = this.toWorld(x, y);
      this.middle.add(new THREE.Vector3(before[0]! - after[0]!, before[1]! - after[1]!, 0));
      this.update();
    }
  }

  /** From above in 3-D, with x to the right: so one sees a table. */
  fromAbove(): void {
    this.azimuth = -Math.PI / 2;
    this.elevation = 1.1;
    this.update();
  }

  /** Looks at a point from where it does now. */
  lookAt(point: number[]): void {
    this.middle.fromArray([point[0] ?? 0, point[1] ?? 0, point[2] ?? 0]);
    this.update();
  }

  private update(): void {
    const aspect = this.width / this.height;
    if (this.dimension === 2) {
      const half = this.size / 2;
      Object.assign(this.flat, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
      this.flat.position.set(this.middle.x, this.middle.y, 1);
      this.flat.updateProjectionMatrix();
      this.flat.updateMatrixWorld();
      return;
    }
    const { azimuth, elevation } = this;
    const level = Math.cos(elevation);
    const [a, b, c] = [level * Math.cos(azimuth), level * Math.sin(azimuth), Math.sin(elevation)];
    const away = this.up === 'z' ? new THREE.Vector3(a, b, c) : new THREE.Vector3(a, c, -b);
    this.deep.up.set(0, this.up === 'y' ? 1 : 0, this.up === 'z' ? 1 : 0);
    this.deep.position.copy(this.middle).addScaledVector(away, this.size);
    this.deep.lookAt(this.middle);
    this.deep.aspect = aspect;
    this.deep.near = this.size / 200;
    this.deep.far = this.size * 60;
    this.deep.updateProjectionMatrix();
    this.deep.updateMatrixWorld();
  }

  /** A point of the picture (pixels) in the plane of a 2-D scene, or in the plane across the view through the middle. */
  toWorld(x: number, y: number, through?: number[]): number[] {
    const point = new THREE.Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, 0);
    if (this.dimension === 2) return point.unproject(this.flat).toArray().slice(0, 2);
    const { point: from, direction } = this.ray(x, y);
    const ahead = this.deep.getWorldDirection(new THREE.Vector3());
    const at = through ? new THREE.Vector3(...(through as [number, number, number])) : this.middle;
    const start = new THREE.Vector3(...(from as [number, number, number]));
    const along = new THREE.Vector3(...(direction as [number, number, number]));
    const distance = at.clone().sub(start).dot(ahead) / along.dot(ahead);
    return start.addScaledVector(along, distance).toArray();
  }

  ray(x: number, y: number): { point: number[]; direction: number[] } {
    const ahead = new THREE.Vector3((2 * x) / this.width - 1, 1 - (2 * y) / this.height, 0.5).unproject(this.deep);
    const direction = ahead.sub(this.deep.position).normalize();
    return { point: this.deep.position.toArray(), direction: direction.toArray() };
  }

  /** Where a place is in the picture, pixels; `null` behind the camera. */
  toScreen(place: number[]): [number, number] | null {
    const point = new THREE.Vector3(place[0] ?? 0, place[1] ?? 0, place[2] ?? 0).project(this.used);
    if (this.dimension === 3 && point.z > 1) return null;
    return [((point.x + 1) / 2) * this.width, ((1 - point.y) / 2) * this.height];
  }
}
