import { describe, expect, it } from 'vitest';
import { Completions } from '../../src/schema';
import { boundsOf, hull, outlines, reach, triangles } from '../../src/view/geometry';
import { DARK, LIGHT, colorsOf, namedColor, rgb } from '../../src/view/palette';

/** The volume that triangles enclose, where all of them look outwards. */
function volume(corners: number[]): number {
  let six = 0;
  for (let i = 0; i < corners.length; i += 9) {
    const [a, b, c] = [0, 3, 6].map((k) => corners.slice(i + k, i + k + 3)) as [number[], number[], number[]];
    six += a[0]! * (b[1]! * c[2]! - b[2]! * c[1]!) + a[1]! * (b[2]! * c[0]! - b[0]! * c[2]!) + a[2]! * (b[0]! * c[1]! - b[1]! * c[0]!);
  }
  return six / 6;
}

describe('shapes', () => {
  it('are closed and look outwards', () => {
    expect(volume(triangles({ kind: 'box', half: [1, 2, 3] }))).toBeCloseTo(48);
    const cylinder = triangles({ kind: 'parts', parts: [{ centre: [1, 0, 0], axis: [0, 0, 1], half: 2, radius: 1 }] });
    expect(volume(cylinder)).toBeGreaterThan(0.99 * 4 * Math.PI);
    const capsule = triangles({ kind: 'parts', parts: [{ corners: [[0, 0, -1], [0, 0, 1]], faces: [], rounding: 1 }] });
    expect(volume(capsule)).toBeGreaterThan(0.9 * (2 * Math.PI + (4 / 3) * Math.PI));
  });

  it('have corners in order, and round ones where they are rounded', () => {
    const square = hull([[0, 0], [1, 1], [1, 0], [0, 1]], 0);
    expect(square.map(([x, y]) => `${x}${y}`).sort()).toEqual(['00', '01', '10', '11']);
    for (let i = 0; i < 4; i++) expect(Math.hypot(square[i]![0] - square[(i + 1) % 4]![0], square[i]![1] - square[(i + 1) % 4]![1])).toBe(1);
    expect(Math.max(...hull([[0, 0], [2, 0]], 0.5).map(([x]) => x))).toBeCloseTo(2.5);
  });

  it('know how far they reach', () => {
    expect(reach({ kind: 'box', half: [3, 4] })).toBe(5);
    expect(reach({ kind: 'wall', normal: [0, 1], bare: false })).toBe(Infinity);
    expect(boundsOf({ kind: 'wall', normal: [0, 1], bare: false }, [0, 0], 0)).toBeNull();
    expect(boundsOf({ kind: 'ball', radius: 2 }, [1, 1], 0)).toEqual([[-1, -1], [3, 3]]);
    const turned = boundsOf({ kind: 'box', half: [2, 1] }, [0, 0], Math.PI / 2)!;
    expect(turned[1]![0]).toBeCloseTo(1);
    expect(outlines({ kind: 'line', points: [[0, 0], [1, 0]] })[0]!.closed).toBe(false);
  });
});

describe('colours', () => {
  it('follow names, then materials', () => {
    const ball = (name: string, material: string) => ({ name, material, motion: 'free' as const });
    const colors = colorsOf([ball('red', 'a'), ball('cue ball', 'a'), ball('x', 'a'), ball('y', 'b')], LIGHT);
    expect(colors[0]).toBe('#cf3a32');
    expect(colors[2]).not.toBe(colors[3]);
    expect(colorsOf([{ ...ball('x', 'a'), color: '#123456' }], DARK)).toEqual(['#123456']);
    expect(namedColor('bored')).toBeNull();
    expect(rgb('#ff8000')).toEqual([1, 128 / 255, 0]);
  });
});

describe('completion', () => {
  const schema = {
    properties: {
      dimension: { enum: [2, 3], description: 'How many.' },
      bodies: { items: { $ref: '#/$defs/body' } },
      materials: { additionalProperties: { properties: { restitution: { description: 'ε' } } } },
    },
    $defs: { body: { oneOf: [{ properties: { shape: { const: 'ball' }, radius: {} } }, { properties: { shape: { const: 'wall' }, normal: {} } }] } },
  };
  const completions = new Completions(JSON.stringify(schema));
  const labels = (before: string) => completions.at(before).map((option) => option.label);

  it('knows keys at the top, in tables and in lists of tables', () => {
    expect(labels('dim')).toContain('dimension');
    expect(labels('[[bodies]]\n')).toEqual(expect.arrayContaining(['shape', 'radius', 'normal']));
    expect(labels('[materials.steel]\nres')).toEqual(['restitution']);
  });

  it('knows values', () => {
    expect(labels('dimension = ')).toEqual(['2', '3']);
    expect(labels('[[bodies]]\nshape = "')).toEqual(['ball', 'wall']);
    expect(completions.at('[[bodies]]\nshape = ')[0]!.apply).toBe('"ball"');
  });

  it('says nothing without a schema', () => {
    expect(new Completions(null).at('x')).toEqual([]);
  });
});
