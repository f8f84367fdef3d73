// Everything that is no ball: walls, boxes, lines, rigid bodies. Bodies of the same shape are drawn in one call.

import * as THREE from 'three';
import { Line2 } from 'three/addons/lines/Line2.js';
import { LineGeometry } from 'three/addons/lines/LineGeometry.js';
import { LineMaterial } from 'three/addons/lines/LineMaterial.js';
import type { Body, Form } from '../engine/types';
import { across, outerRooms, outlines, triangles } from './geometry';
import type { Theme } from './palette';

interface Group {
  mesh: THREE.InstancedMesh;
  ids: number[];
}

interface Placed {
  object: THREE.Object3D;
  id: number;
}

/** More lines than this are left out where bodies of the shape are filled anyway. */
const MOST_LINES = 400;

export class Solids {
  readonly root = new THREE.Group();
  private groups: Group[] = [];
  private placed: Placed[] = [];
  private lines = new Map<string, LineMaterial>();
  /** The length of a dash of what is dashed, m. */
  private dash = 1;
  private readonly matrix = new THREE.Matrix4();
  private readonly turn = new THREE.Quaternion();
  private readonly place = new THREE.Vector3();
  private readonly one = new THREE.Vector3(1, 1, 1);
  private readonly axis = new THREE.Vector3(0, 0, 1);
  private middle: number[] = [0, 0, 0];
  private at: (id: number) => number[] | null = () => null;

  constructor(
    private readonly dimension: 2 | 3,
    private readonly ghost: string | null,
    private readonly up: 'y' | 'z',
  ) {}

  /** The bodies, their colours, and how large the scene is, m. */
  set(bodies: Body[], colors: string[], theme: Theme, size: number, middle: number[], at: (id: number) => number[] | null): void {
    this.clear();
    this.dash = 0.015 * size;
    this.middle = middle;
    this.at = at;
    const byForm = new Map<string, Body[]>();
    const outer = outerRooms(bodies);
    for (const body of bodies) {
      if (body.form.kind === 'ball' || body.form.kind === 'none') continue;
      if (this.ghost && body.motion !== 'free') continue;
      if (outer.has(body.id)) continue;
      const key = JSON.stringify([body.form, colors[body.id], body.sensor, body.motion === 'free']);
      byForm.set(key, [...(byForm.get(key) ?? []), body]);
    }
    for (const same of byForm.values()) {
      const body = same[0]!;
      const color = this.ghost ?? colors[body.id] ?? theme.edge;
      if (this.dimension === 2) this.addFlat(same, color, theme, size);
      else this.addRound(same, color, theme, size);
    }
  }

  private clear(): void {
    for (const { mesh } of this.groups) {
      mesh.geometry.dispose();
      (mesh.material as THREE.Material).dispose();
    }
    for (const { object } of this.placed) {
      const drawn = object as THREE.Mesh;
      drawn.geometry?.dispose();
    }
    this.root.clear();
    this.groups = [];
    this.placed = [];
  }

  private lineMaterial(color: string, width: number, dashed: boolean): LineMaterial {
    const key = `${color} ${width} ${dashed ? this.dash : 0}`;
    let material = this.lines.get(key);
    if (!material) {
      material = new LineMaterial({ color, linewidth: width, dashed, dashSize: this.dash, gapSize: 0.7 * this.dash, transparent: this.ghost !== null, opacity: this.ghost ? 0.7 : 1 });
      material.depthTest = this.dimension === 3;
      this.lines.set(key, material);
    }
    return material;
  }

  private line(points: number[], color: string, width: number, dashed = false): Line2 {
    const geometry = new LineGeometry();
    geometry.setPositions(points);
    const line = new Line2(geometry, this.lineMaterial(color, width, dashed));
    if (dashed) line.computeLineDistances();
    line.frustumCulled = false;
    return line;
  }

  private put(object: THREE.Object3D, id: number, order: number): void {
    object.renderOrder = order;
    object.traverse((child) => (child.renderOrder = order));
    this.root.add(object);
    this.placed.push({ object, id });
  }

  private addFlat(same: Body[], color: string, theme: Theme, size: number): void {
    const { form, sensor, motion, color: own } = same[0]!;
    if (form.kind === 'wall') {
      for (const body of same) this.put(this.flatWall(form, own ?? theme.wall, theme, size), body.id, 0);
      return;
    }
    const all = outlines(form);
    const shapes = all
      .filter((outline) => outline.closed && form.kind !== 'hollow')
      .map((outline) => new THREE.Shape(outline.points.map(([x, y]) => new THREE.Vector2(x, y))));
    if (shapes.length > 0) {
      const fill = new THREE.MeshBasicMaterial({
        color,
        transparent: true,
        opacity: sensor ? 0.16 : this.ghost ? 0.2 : motion === 'static' ? 0.75 : 0.92,
        depthTest: false,
      });
      this.instanced(new THREE.ShapeGeometry(shapes), fill, same, motion === 'static' ? 1 : 2);
    }
    if (same.length > MOST_LINES && shapes.length > 0) return;
    const edge = shapes.length > 0 ? new THREE.Color(color).multiplyScalar(theme.dark ? 1.25 : 0.68) : new THREE.Color(color);
    const drawn = form.kind === 'line' || form.kind === 'hollow' ? new THREE.Color(motion === 'static' ? theme.edge : color) : edge;
    for (const body of same) {
      const group = new THREE.Group();
      for (const outline of all) {
        const points = outline.closed ? [...outline.points, outline.points[0]!] : outline.points;
        const flat = points.flatMap(([x, y]) => [x, y, 0]);
        if (points.length > 1) group.add(this.line(flat, `#${drawn.getHexString()}`, shapes.length > 0 ? 1.3 : 2.6, sensor));
      }
      this.put(group, body.id, 2);
    }
  }

  private flatWall(form: Extract<Form, { kind: 'wall' }>, color: string, theme: Theme, size: number): THREE.Object3D {
    const [x, y] = [form.normal[0] ?? 0, form.normal[1] ?? 1];
    const far = 40 * size;
    const group = new THREE.Group();
    if (!form.bare) {
      const plane = new THREE.PlaneGeometry(2 * far, far);
      plane.translate(0, -far / 2, 0);
      plane.rotateZ(Math.atan2(y, x) - Math.PI / 2);
      group.add(new THREE.Mesh(plane, new THREE.MeshBasicMaterial({ color, depthTest: false })));
    }
    group.add(this.line([-y * far, x * far, 0, y * far, -x * far, 0], theme.edge, 1.6));
    return group;
  }

  private addRound(same: Body[], color: string, theme: Theme, size: number): void {
    const { form, sensor, color: own } = same[0]!;
    if (form.kind === 'wall') {
      for (const body of same) this.put(this.roundWall(form, body.id, own ?? (theme.dark ? '#2a3441' : '#e9edf2'), theme, size), body.id, 0);
      return;
    }
    if (form.kind === 'hollow' || form.kind === 'tube') {
      const material = new THREE.MeshLambertMaterial({ color: theme.edge, side: THREE.BackSide, transparent: true, opacity: 0.35 });
      let geometry: THREE.BufferGeometry;
      if (form.kind === 'hollow') geometry = new THREE.SphereGeometry(form.radius, 48, 32);
      else {
        geometry = new THREE.CylinderGeometry(form.radius, form.radius, 4 * size, 64, 1, true);
        const to = new THREE.Vector3(...(form.axis as [number, number, number]));
        geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), to.normalize()));
      }
      for (const body of same) this.put(new THREE.Mesh(geometry, material), body.id, 1);
      return;
    }
    const corners = triangles(form);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.Float32BufferAttribute(corners, 3));
    geometry.computeVertexNormals();
    const opacity = sensor ? 0.18 : this.ghost ? 0.3 : 1;
    const material = new THREE.MeshLambertMaterial({ color, flatShading: true, transparent: opacity < 1, opacity });
    this.instanced(geometry, material, same, 2);
  }

  /** A wall without end is shown as far as the scene goes: floors as floors, others as panes that are barely there. */
  private roundWall(form: Extract<Form, { kind: 'wall' }>, id: number, color: string, theme: Theme, size: number): THREE.Object3D {
    const normal = new THREE.Vector3(...(form.normal as [number, number, number])).normalize();
    const isFloor = normal[this.up] > 0.5;
    const wide = (isFloor ? 1.1 : 0.62) * size;
    const group = new THREE.Group();
    const material = new THREE.MeshLambertMaterial({
      color,
      side: form.bare ? THREE.DoubleSide : THREE.FrontSide,
      transparent: true,
      opacity: isFloor ? 0.9 : 0.22,
      depthWrite: isFloor,
      // What rests on it is not to flicker.
      polygonOffset: true,
      polygonOffsetFactor: 2,
      polygonOffsetUnits: 2,
    });
    const plane = new THREE.PlaneGeometry(2 * wide, 2 * wide);
    plane.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), normal));
    group.add(new THREE.Mesh(plane, material));
    if (isFloor) group.add(this.grid(normal, wide, theme));
    // Below the middle of the scene, wherever the point is that the wall goes through.
    const own = this.at(id) ?? [0, 0, 0];
    const away = new THREE.Vector3(...(this.middle.map((x, i) => x - (own[i] ?? 0)) as [number, number, number]));
    away.addScaledVector(normal, -away.dot(normal));
    group.children.forEach((child) => child.position.copy(away));
    const outer = new THREE.Group();
    outer.add(group);
    return outer;
  }

  private grid(normal: THREE.Vector3, wide: number, theme: Theme): THREE.Object3D {
    const [first, second] = across(normal.toArray());
    const points: number[] = [];
    const power = 10 ** Math.floor(Math.log10(wide / 5));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= wide / 8) ?? power;
    const count = Math.min(40, Math.floor(wide / step));
    for (let i = -count; i <= count; i++) {
      for (const [along, side] of [[first, second], [second, first]] as const) {
        for (const end of [-1, 1]) points.push(...[0, 1, 2].map((k) => i * step * side[k]! + end * count * step * along[k]!));
      }
    }
    const grid = new THREE.BufferGeometry();
    grid.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
    return new THREE.LineSegments(grid, new THREE.LineBasicMaterial({ color: theme.edge, transparent: true, opacity: 0.3 }));
  }

  private instanced(geometry: THREE.BufferGeometry, material: THREE.Material, same: Body[], order: number): void {
    const mesh = new THREE.InstancedMesh(geometry, material, same.length);
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    this.root.add(mesh);
    this.groups.push({ mesh, ids: same.map((body) => body.id) });
  }

  private stand(numbers: Float32Array, id: number): boolean {
    const at = id * (this.dimension === 2 ? 5 : 10);
    const x = numbers[at];
    if (x === undefined || Number.isNaN(x)) return false;
    if (this.dimension === 2) {
      this.place.set(x, numbers[at + 1]!, 0);
      this.turn.setFromAxisAngle(this.axis, numbers[at + 2]!);
    } else {
      this.place.set(x, numbers[at + 1]!, numbers[at + 2]!);
      this.turn.set(numbers[at + 3]!, numbers[at + 4]!, numbers[at + 5]!, numbers[at + 6]!);
    }
    return true;
  }

  frame(numbers: Float32Array): void {
    for (const { mesh, ids } of this.groups) {
      ids.forEach((id, index) => {
        if (this.stand(numbers, id)) this.matrix.compose(this.place, this.turn, this.one);
        else this.matrix.makeScale(0, 0, 0);
        mesh.setMatrixAt(index, this.matrix);
      });
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { object, id } of this.placed) {
      object.visible = this.stand(numbers, id);
      if (object.visible) {
        object.position.copy(this.place);
        object.quaternion.copy(this.turn);
      }
    }
  }

  /** The size of the picture, pixels: lines are as wide as they are on the screen. */
  resize(width: number, height: number): void {
    for (const material of this.lines.values()) material.resolution.set(width, height);
  }
}
