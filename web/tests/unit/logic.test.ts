import { describe, expect, it } from 'vitest';
import { csvText } from '../../src/export/csv';
import { parquetBytes } from '../../src/export/parquet';
import { safeJson } from '../../src/export/page';
import { Growing } from '../../src/growing';
import { nextUp } from '../../src/player/session';
import { histogram, maxwell } from '../../src/statistics';
import { worstResidual, CLOSES } from '../../src/ui/badge';
import { figures, vector } from '../../src/ui/dom';
import { toUnits } from '../../src/ui/editor';
import { keyName } from '../../src/ui/keys';
import { changeWords, downOf } from '../../src/ui/panels/change';
import { headToTail } from '../../src/ui/panels/momenta';
import { clock, speedWords } from '../../src/ui/transport';
import { shownOf, thinning, MOST_DRAWN } from '../../src/run/thinning';
import { parquetReadObjects } from 'hyparquet';

describe('rows that become more', () => {
  it('keeps rows in order, and forgets those that are put in anew', () => {
    const rows = new Growing(2);
    rows.put(0, Float64Array.of(1, 10, 2, 20, 3, 30));
    rows.put(3, Float64Array.of(4, 40));
    expect(rows.length).toBe(4);
    expect(rows.at(3, 1)).toBe(40);
    rows.put(1, Float64Array.of(2.5, 25));
    expect(rows.length).toBe(2);
    expect([...rows.column(0)]).toEqual([1, 2.5]);
    expect(rows.at(5, 0)).toBeNaN();
  });

  it('finds the first row from a number on, or after it', () => {
    const rows = new Growing(1);
    rows.put(0, Float64Array.of(0, 1, 1, 1, 2));
    expect([rows.find(1), rows.find(1, true), rows.find(-1), rows.find(9)]).toEqual([1, 4, 0, 5]);
  });

  it('grows far beyond its first size', () => {
    const rows = new Growing(6);
    for (let i = 0; i < 100; i++) rows.put(i * 100, new Float64Array(600).fill(i));
    expect(rows.length).toBe(10_000);
    expect(rows.at(9_999, 5)).toBe(99);
    expect(rows.at(150, 0)).toBe(1);
  });
});

describe('the next instant', () => {
  it('is the next number there is', () => {
    for (const number of [0, 1, 0.3, 1e9, 5e-324]) {
      const next = nextUp(number);
      expect(next).toBeGreaterThan(number);
      expect(number + (next - number) / 2 === number || number + (next - number) / 2 === next).toBe(true);
    }
  });
});

describe('numbers for people', () => {
  it('has as many figures as asked for', () => {
    expect(figures(0)).toBe('0');
    expect(figures(1234.5678, 6)).toBe('1234.57');
    expect(figures(-1e-12, 4)).toBe('-1e-12');
    expect(figures(NaN)).toBe('–');
    expect(vector([1, -0.5])).toBe('(1, -0.5)');
  });

  it('says speeds as fractions below one', () => {
    expect([speedWords(1), speedWords(100), speedWords(0.001), speedWords(0.5)]).toEqual(['1×', '100×', '1/1000×', '1/2×']);
  });

  it('shows more digits of short runs', () => {
    expect(clock(1.23456789, 10)).toBe('1.23 s');
    expect(clock(1.23456789e-3, 1e-2)).toBe('0.00123 s');
  });
});

describe('statistics', () => {
  it('counts everything once', () => {
    const { counts, middles, width } = histogram([0, 0.1, 0.5, 1, 1], 4);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(5);
    expect(counts[3]).toBe(2);
    expect(middles[0]).toBeCloseTo(width / 2);
    expect(histogram([], 3).counts).toEqual([0, 0, 0]);
  });

  it.each([2, 3])('has densities of speeds in %i-D that add up to one, with the energy of the temperature', (dimension) => {
    const [mass, temperature, step] = [2.5, 0.7, 1e-3];
    let [sum, energy] = [0, 0];
    for (let v = step / 2; v < 8; v += step) {
      sum += step * maxwell(v, mass, temperature, dimension);
      energy += step * 0.5 * mass * v * v * maxwell(v, mass, temperature, dimension);
    }
    expect(sum).toBeCloseTo(1, 6);
    expect(energy).toBeCloseTo((dimension / 2) * temperature, 6);
  });
});

describe('the badge', () => {
  it('is red only where the budget does not close', () => {
    const samples = new Growing(13);
    const row = (time: number, residual: number) => [time, 1, 0, 0, 0, 0, residual, 0, 0, 0, 0, 0, 2];
    samples.put(0, Float64Array.from([...row(0, 0), ...row(1, 1e-15)]));
    expect(worstResidual(samples, Infinity)).toBeLessThan(CLOSES);
    samples.put(2, Float64Array.from(row(2, -1e-3)));
    expect(worstResidual(samples, Infinity)).toBeCloseTo(5e-4);
    expect(worstResidual(samples, 1.5)).toBeLessThan(CLOSES);
  });
});

describe('tables', () => {
  const table = {
    rows: 2,
    columns: [
      { name: 'time', kind: 'number' as const, values: [0.1, NaN] },
      { name: 'name', kind: 'text' as const, values: ['=cmd()', 'a "b", c'] },
    ],
  };

  it('writes CSV with all digits, without formulas', () => {
    expect(csvText(table)).toBe('time,name\n0.1,\'=cmd()\n,"a ""b"", c"\n');
  });

  it('writes Parquet that is read back to the same bits', async () => {
    const numbers = [0.1 + 0.2, -0, 1e-300, Math.PI];
    const bytes = parquetBytes({
      rows: 4,
      columns: [
        { name: 'x', kind: 'number', values: numbers },
        { name: 'body', kind: 'integer', values: [0, 1, 2, 3] },
        { name: 'kind', kind: 'text', values: ['collision', 'left', 'ä', ''] },
      ],
    });
    const rows = await parquetReadObjects({ file: { byteLength: bytes.byteLength, slice: (from, to) => bytes.slice(from, to) } });
    expect(rows.map((row) => row.x as number).every((x, i) => Object.is(x, numbers[i]))).toBe(true);
    expect(rows[2]!.kind).toBe('ä');
    expect(Number(rows[3]!.body)).toBe(3);
  });

  it('puts JSON into a page that cannot end its element', () => {
    expect(safeJson({ text: '</script><script>alert(1)</script>' })).not.toContain('<');
    expect(JSON.parse(safeJson({ text: '</script>' }))).toEqual({ text: '</script>' });
  });
});

describe('places in a text', () => {
  it('counts bytes of UTF-8 as the editor counts', () => {
    const text = 'a = "äö🎱" # ε';
    const bytes = (part: string) => new TextEncoder().encode(part).length;
    for (const part of ['', 'a = ', 'a = "ä', 'a = "äö🎱', text]) expect(toUnits(text, bytes(part))).toBe(part.length);
  });
});

describe('words', () => {
  it('names keys as scenes do', () => {
    expect(['ArrowLeft', ' ', 'A', 'z'].map(keyName)).toEqual(['left', 'space', 'a', 'z']);
  });

  it('says what was changed', () => {
    const name = (id: number) => `ball ${id}`;
    expect(changeWords({ kind: 'gravity', gravity: [0, -1.62] }, name)).toBe('gravity (0, -1.62) m/s²');
    expect(changeWords({ kind: 'velocity', body: 3, velocity: [1, 2] }, name)).toBe('ball 3: velocity (1, 2) m/s');
    expect(changeWords({ kind: 'press', key: 'left' }, name)).toBe('key left pressed');
  });
});

describe('run folders', () => {
  it('thins out only what is too much', () => {
    expect(thinning(10)).toBe(1);
    expect(thinning(MOST_DRAWN)).toBe(1);
    expect(thinning(1_000_000)).toBe(10);
  });
});

describe('down', () => {
  it('is where gravity points, and stays along its axis', () => {
    expect(downOf([0, -9.81])).toEqual([0, -1]);
    expect(downOf([0, 0, 3.71])).toEqual([0, 0, 1]);
    expect(downOf([3, -4])).toEqual([0.6, -0.8]);
    expect(downOf([0, 0])).toBeNull();
  });
});

describe('those that are shown of very many', () => {
  it('is one of each group, and all of them where none is left out', () => {
    for (const step of [1, 2, 7, 10]) {
      const places = new Set<number>();
      for (let group = 0; group < 200; group++) {
        expect(Math.floor(shownOf(group, step) / step)).toBe(group);
        places.add(shownOf(group, step) % step);
      }
      // Every place within a group has its turn: no stripes.
      expect(places.size).toBe(step);
    }
  });
});

describe('momenta, head to tail', () => {
  it('has the largest one by one, and loses nothing', () => {
    const all = Array.from({ length: 30 }, (_, i) => ({ color: `c${i}`, along: [i, -1] as [number, number] }));
    const few = headToTail(all.slice(0, 3), 'rest');
    expect(few.parts).toEqual(all.slice(0, 3));
    expect(few.sum).toEqual([3, -3]);
    const { parts, sum } = headToTail(all, 'rest', 10);
    expect(parts.length).toBe(10);
    expect(parts[0]!.color).toBe('c29');
    expect(parts[9]).toEqual({ color: 'rest', along: [(20 * 21) / 2, -21] });
    expect(sum).toEqual([(29 * 30) / 2, -30]);
  });
});
