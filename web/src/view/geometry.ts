// Shapes as lines and triangles, in the body's own frame.

import type { Body, Form, Part, Vector } from '../engine/types';

export interface Outline {
  /** Closed where it surrounds something. */
  points: [number, number][];
  closed: boolean;
}

const TURN = 2 * Math.PI;

function circle(radius: number, centre: [number, number] = [0, 0], pieces = 72): [number, number][] {
  return Array.from({ length: pieces }, (_, i) => {
    const angle = (TURN * i) / pieces;
    return [centre[0] + radius * Math.cos(angle), centre[1] + radius * Math.sin(angle)];
  });
}

/** The corners of a convex polygon one after the other, with a ball drawn along them where it is rounded. */
export function hull(corners: Vector[], rounding: number): [number, number][] {
  const flat = corners.map((corner): [number, number] => [corner[0] ?? 0, corner[1] ?? 0]);
  if (rounding > 0) {
    const farthest = (x: number, y: number) =>
      flat.reduce((best, corner) => (corner[0] * x + corner[1] * y > best[0] * x + best[1] * y ? corner : best));
    return circle(rounding).map(([x, y]) => {
      const at = farthest(x, y);
      return [at[0] + x, at[1] + y];
    });
  }
  if (flat.length < 3) return flat;
  const middle = flat.reduce((sum, corner) => [sum[0] + corner[0] / flat.length, sum[1] + corner[1] / flat.length], [0, 0]);
  const angle = (corner: [number, number]) => Math.atan2(corner[1] - middle[1]!, corner[0] - middle[0]!);
  return flat.sort((a, b) => angle(a) - angle(b));
}

/** The outlines of a shape in 2-D. */
export function outlines(form: Form): Outline[] {
  switch (form.kind) {
    case 'ball':
    case 'hollow':
      return [{ points: circle(form.radius), closed: true }];
    case 'box': {
      const [x, y] = [form.half[0] ?? 0, form.half[1] ?? 0];
      return [{ points: [[-x, -y], [x, -y], [x, y], [-x, y]], closed: true }];
    }
    case 'line':
      return [{ points: form.points.map((point) => [point[0] ?? 0, point[1] ?? 0]), closed: false }];
    case 'parts':
      return form.parts.map((part) => {
        const points = hull(part.corners ?? [], part.rounding ?? 0);
        return { points, closed: points.length > 2 };
      });
    default:
      return [];
  }
}

function add(a: number[], b: number[], factor = 1): number[] {
  return a.map((x, i) => x + factor * (b[i] ?? 0));
}

function cross(a: number[], b: number[]): number[] {
  return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

function unit(a: number[]): number[] {
  const length = Math.hypot(...a) || 1;
  return a.map((x) => x / length);
}

/** Two unit vectors across an axis and each other. */
export function across(axis: number[]): [number[], number[]] {
  const other = Math.abs(axis[0]!) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const first = unit(cross(axis, other));
  return [first, cross(axis, first)];
}

/** Triangles, nine numbers each. */
export function triangles(form: Form): number[] {
  switch (form.kind) {
    case 'box': {
      const [x, y, z] = form.half as [number, number, number];
      const corner = (bits: number) => [bits & 1 ? x : -x, bits & 2 ? y : -y, bits & 4 ? z : -z];
      const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
      return faces.flatMap((face) => fan(face.map(corner)));
    }
    case 'parts':
      return form.parts.flatMap(partTriangles);
    default:
      return [];
  }
}

function fan(corners: number[][]): number[] {
  const all: number[] = [];
  for (let i = 2; i < corners.length; i++) all.push(...corners[0]!, ...corners[i - 1]!, ...corners[i]!);
  return all;
}

function partTriangles(part: Part): number[] {
  if (part.axis && part.radius !== undefined && part.half !== undefined) return cylinder(part);
  const corners = part.corners ?? [];
  if ((part.rounding ?? 0) > 0) return rounded(corners, part.rounding!);
  const all = (part.faces ?? []).flatMap((face) => fan(face.map((index) => corners[index]!)));
  if (!part.thin) return all;
  return [...all, ...(part.faces ?? []).flatMap((face) => fan(face.map((index) => corners[index]!).reverse()))];
}

function cylinder(part: Part): number[] {
  const axis = unit(part.axis!);
  const [first, second] = across(axis);
  const centre = part.centre ?? [0, 0, 0];
  const pieces = 40;
  const at = (i: number, side: number) => {
    const angle = (TURN * i) / pieces;
    const out = add(first.map((x) => x * Math.cos(angle)), second, Math.sin(angle));
    return add(add(centre, axis, side * part.half!), out, part.radius!);
  };
  const all: number[] = [];
  const ends = [add(centre, axis, -part.half!), add(centre, axis, part.half!)];
  for (let i = 0; i < pieces; i++) {
    all.push(...fan([at(i, -1), at(i + 1, -1), at(i + 1, 1), at(i, 1)]));
    all.push(...ends[1]!, ...at(i, 1), ...at(i + 1, 1), ...ends[0]!, ...at(i + 1, -1), ...at(i, -1));
  }
  return all;
}

/** The surface of a hull with a ball drawn along it: its farthest places in directions all around. */
function rounded(corners: Vector[], radius: number): number[] {
  const rings = 17;
  const spokes = 34;
  const first = corners[0] ?? [0, 0, 0];
  const last = corners[corners.length - 1] ?? first;
  const span = add(last, first, -1);
  const along = Math.hypot(...span) > 0 ? unit(span) : [0, 0, 1];
  const [side, other] = across(along);
  const place = (ring: number, spoke: number) => {
    const polar = (Math.PI * ring) / rings;
    const angle = (TURN * spoke) / spokes;
    let direction = along.map((x) => -x * Math.cos(polar));
    direction = add(direction, side, Math.sin(polar) * Math.cos(angle));
    direction = add(direction, other, Math.sin(polar) * Math.sin(angle));
    const ahead = (corner: Vector) => corner.reduce((sum, x, i) => sum + x * direction[i]!, 0);
    const farthest = corners.reduce((best, corner) => (ahead(corner) > ahead(best) ? corner : best));
    return add(farthest, direction, radius);
  };
  const all: number[] = [];
  for (let ring = 0; ring < rings; ring++)
    for (let spoke = 0; spoke < spokes; spoke++)
      all.push(...fan([place(ring, spoke), place(ring, spoke + 1), place(ring + 1, spoke + 1), place(ring + 1, spoke)]));
  return all;
}

/**
 * Rooms around all fixtures that a wall cuts, by number: they keep from flying on what falls off a table, and would hide
 * everything else.
 */
export function outerRooms(bodies: Body[]): Set<number> {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const { form, stands } of bodies) {
    const far = reach(form);
    if (!stands || form.kind === 'hollow' || !Number.isFinite(far)) continue;
    stands.position.forEach((x, i) => {
      low[i] = Math.min(low[i]!, x - far);
      high[i] = Math.max(high[i]!, x + far);
    });
  }
  const size = Math.max(...high.map((x, i) => x - low[i]!));
  const isCut = (radius: number, centre: Vector) =>
    bodies.some(({ form, stands }) => form.kind === 'wall' && stands && Math.abs(form.normal.reduce((sum, n, i) => sum + n * (centre[i]! - stands.position[i]!), 0)) < radius);
  return new Set(bodies.filter(({ form, stands }) => form.kind === 'hollow' && stands && size > 0 && form.radius > 0.5 * size && isCut(form.radius, stands.position)).map(({ id }) => id));
}

/** How far a shape reaches from its origin, m; infinite for walls and tubes. */
export function reach(form: Form): number {
  switch (form.kind) {
    case 'ball':
    case 'hollow':
      return form.radius;
    case 'box':
      return Math.hypot(...form.half);
    case 'line':
      return Math.max(...form.points.map((point) => Math.hypot(...point)));
    case 'parts':
      return Math.max(
        0,
        ...form.parts.map((part) =>
          part.axis
            ? Math.hypot(...(part.centre ?? [0, 0, 0])) + Math.hypot(part.half ?? 0, part.radius ?? 0)
            : Math.max(...(part.corners ?? [[0]]).map((corner) => Math.hypot(...corner))) + (part.rounding ?? 0),
        ),
      );
    case 'none':
      return 0;
    default:
      return Infinity;
  }
}

/** A vector turned by a quaternion (x, y, z, w). */
function turned(point: number[], [x, y, z, w]: number[]): number[] {
  const axis = [x!, y!, z!];
  const twice = cross(axis, point).map((part) => 2 * part);
  return add(add(point, twice, w!), cross(axis, twice));
}

/**
 * Two opposite corners of a shape at a place, turned by an angle in 2-D, or by a quaternion in 3-D; `null` for what has
 * no end.
 */
export function boundsOf(form: Form, position: number[], angle: number, turn: number[] | null = null): [number[], number[]] | null {
  const far = reach(form);
  if (!Number.isFinite(far)) return null;
  if (position.length === 3 && form.kind === 'box' && turn) {
    const half = form.half as [number, number, number];
    const sides = [0, 1, 2].map((axis) => turned([0, 1, 2].map((i) => (i === axis ? half[axis]! : 0)), turn));
    const far = [0, 1, 2].map((i) => sides.reduce((sum, side) => sum + Math.abs(side[i]!), 0));
    return [add(position, far, -1), add(position, far)];
  }
  if (position.length === 2 && form.kind !== 'ball' && form.kind !== 'hollow') {
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const points = outlines(form).flatMap((outline) => outline.points);
    const xs = points.map(([x, y]) => position[0]! + c * x - s * y);
    const ys = points.map(([x, y]) => position[1]! + s * x + c * y);
    return [[Math.min(...xs), Math.min(...ys)], [Math.max(...xs), Math.max(...ys)]];
  }
  return [position.map((x) => x - far), position.map((x) => x + far)];
}
