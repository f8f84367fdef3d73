import { describe, expect, it } from 'vitest';
import { presence } from '../../src/run/presence';

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
