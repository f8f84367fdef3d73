import { describe, expect, it } from 'vitest';
import { uncovered, zigzag } from '../../src/view/joints';

describe('joints', () => {
  it('end where balls cover them', () => {
    expect(uncovered([0, 0], [4, 0], [1, 0.5])).toEqual([
      [1, 0],
      [3.5, 0],
    ]);
    expect(uncovered([0, 0], [4, 0], [2, 2])).toBeNull();
    expect(uncovered([1, 1, 1], [1, 1, 1], [0, 0])).toBeNull();
  });

  it('are zigzags from end to end where they are springs', () => {
    const points = zigzag([0, 0], [10, 0], 2);
    expect(points[0]).toEqual([0, 0]);
    expect(points.at(-1)).toEqual([10, 0]);
    expect(Math.max(...points.map(([, y]) => y))).toBeCloseTo(2, 12);
    expect(Math.min(...points.map(([, y]) => y))).toBeCloseTo(-2, 12);
  });
});
