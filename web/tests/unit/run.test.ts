import { describe, expect, it } from 'vitest';
import { presence } from '../../src/run/presence';
import { countBy } from '../../src/run/tables';

describe('bodies of a recorded run', () => {
  const kinds = ['collision', 'removed', 'inserted', 'removed', 'inserted'];
  const times = [0.5, 1, 2, 3, 4];
  const bodies = [7, 7, 7, 8, 9];
  const { isThere } = presence(kinds, times, bodies);

  it('are there from the start, where nothing else is said', () => {
    expect(isThere(1, 0, true)).toBe(true);
    expect(isThere(1, 0, false)).toBe(false);
  });

  it('go and come at their instants', () => {
    expect([0.9, 1, 1.5, 2, 5].map((time) => isThere(7, time, true))).toEqual([true, false, false, true, true]);
    expect([2.9, 3, 9].map((time) => isThere(8, time, true))).toEqual([true, false, false]);
    expect([3.9, 4].map((time) => isThere(9, time, false))).toEqual([false, true]);
  });
});

describe('parts of a table', () => {
  it('are counted without asking for each', async () => {
    for (const count of [0, 1, 2, 3, 7, 8, 9, 100, 1000]) {
      let asked = 0;
      const found = await countBy(async (number) => ((asked += 1), number < count));
      expect(found).toBe(count);
      expect(asked).toBeLessThan(4 + 2 * Math.log2(count + 1));
    }
  });
});
