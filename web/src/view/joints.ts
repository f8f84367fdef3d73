// Joints, over the picture: a rod as a line, a spring as a zigzag, a hinge as a pin.

import type { JointFacts } from '../engine/types';
import type { Pen } from './overlay';
import type { Stage } from './stage';

/** Joints at most. */
const MOST = 2000;
/** Turns of a spring, whatever its length. */
const TURNS = 8;

/** A point of a body's frame where it is now; null where the body is not there. */
function pointOf(stage: Stage, id: number | null, at: number[]): number[] | null {
  if (id === null) return at;
  const place = stage.position(id);
  if (!place) return null;
  const { numbers } = stage;
  if (place.length === 2) {
    const angle = numbers[id * 5 + 2]!;
    const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
    return [place[0]! + cosine * at[0]! - sine * at[1]!, place[1]! + sine * at[0]! + cosine * at[1]!];
  }
  const [x, y, z, w] = [3, 4, 5, 6].map((i) => numbers[id * 10 + i]!) as [number, number, number, number];
  const [px, py, pz] = at as [number, number, number];
  const [tx, ty, tz] = [2 * (y * pz - z * py), 2 * (z * px - x * pz), 2 * (x * py - y * px)];
  const turned = [px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx];
  return turned.map((part, i) => part + place[i]!);
}

/** The part of a line outside of the balls at its ends; null where they cover it. */
export function uncovered(from: number[], to: number[], cut: [number, number]): [number[], number[]] | null {
  const apart = to.map((x, i) => x - from[i]!);
  const length = Math.hypot(...apart);
  if (!(length > cut[0] + cut[1])) return null;
  const at = (part: number): number[] => from.map((x, i) => x + part * apart[i]!);
  return [at(cut[0] / length), at(1 - cut[1] / length)];
}

/** The points of a spring on the screen, so wide (pixels). */
export function zigzag(from: [number, number], to: [number, number], wide: number): [number, number][] {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const share = wide / Math.max(Math.hypot(dx, dy), 1e-9);
  const at = (part: number, side: number): [number, number] => [from[0] + part * dx - side * share * dy, from[1] + part * dy + side * share * dx];
  const points = [from, at(0.1, 0)];
  for (let turn = 0; turn < 2 * TURNS; turn++) points.push(at(0.1 + (0.8 * (turn + 0.5)) / (2 * TURNS), turn % 2 ? -1 : 1));
  points.push(at(0.9, 0), to);
  return points;
}

export function drawJoints(pen: Pen, stage: Stage, joints: JointFacts[], color: string, paper: string): void {
  const { context, camera } = pen;
  for (const joint of joints.slice(0, MOST)) {
    const ends = joint.ends.map(({ body, at }) => pointOf(stage, body, at));
    const [from, to] = ends;
    if (!from || !to) continue;
    if (joint.kind === 'hinge') {
      pen.dot(from, color, 5);
      pen.dot(from, paper, 3);
      continue;
    }
    const radius = (side: number): number => {
      const { body, at } = joint.ends[side]!;
      return body !== null && at.every((x) => x === 0) ? (stage.byId.get(body)?.radius ?? 0) : 0;
    };
    const line = uncovered(from, to, [radius(0), radius(1)]);
    if (!line) continue;
    const [a, b] = line.map((place) => camera.toScreen(place));
    if (!a || !b) continue;
    context.strokeStyle = color;
    context.lineWidth = 2;
    context.beginPath();
    const points = joint.kind === 'spring' ? zigzag(a, b, 7) : [a, b];
    points.forEach((point, i) => (i ? context.lineTo(...point) : context.moveTo(...point)));
    context.stroke();
    joint.ends.forEach(({ body }, side) => {
      if (body === null) pen.dot(ends[side]!, color, 3.5);
    });
  }
}
