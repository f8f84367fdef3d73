import { describe, expect, it } from 'vitest';
import type { Body } from '../../src/engine/types';
import { action, exact, withSchedule, withUntil } from '../../src/schedule';

const body = (id: number, name: string): Body => ({ id, name, shape: 'ball', form: { kind: 'ball', radius: 0.1 }, material: 'steel', motion: 'free', sensor: false, radius: 0.1, mass: 2, inertia: 1 });

describe('changes as a schedule', () => {
  it('writes numbers that are read back to the same bits', () => {
    for (const number of [1, -0.1, 1 / 3, 1e-300, 123456789.123, 1e21, 5e-324]) {
      const text = exact(number);
      expect(Number(text)).toBe(number);
      expect(text).toMatch(/^-?\d+\.\d+(e-?\d+)?$/);
    }
  });

  it('says each change as an action', () => {
    const bodies = [body(0, 'cue'), body(1, 'twin'), body(2, 'twin')];
    expect(action({ kind: 'gravity', gravity: [0, -1.62] }, bodies)).toBe('{ gravity = [0.0, -1.62] }');
    expect(action({ kind: 'velocity', body: 0, velocity: [1, 2], angular_velocity: [3] }, bodies)).toBe('{ set = "cue", velocity = [1.0, 2.0], angular_velocity = 3.0 }');
    expect(action({ kind: 'remove', body: 0 }, bodies)).toBe('{ remove = "cue" }');
    expect(action({ kind: 'press', key: 'left' }, bodies)).toBe('{ press = "left" }');
    expect(action({ kind: 'material', material: 'steel', restitution: 0.5 }, bodies)).toBe('{ material = "steel", restitution = 0.5 }');
    expect(action({ kind: 'move', body: 0, velocity: null }, bodies)).toBe('{ set = "cue", motion = "static" }');
  });

  it('does not say what would mean others too', () => {
    const bodies = [body(1, 'twin'), body(2, 'twin')];
    expect(action({ kind: 'remove', body: 1 }, bodies)).toBeNull();
    const text = withSchedule('version = 1\n', [{ time: 1, edit: { kind: 'remove', body: 1 } }], bodies, 'a.toml');
    expect(text).toContain('# At 1.0 s, which a schedule cannot say');
  });

  it('leaves a scene without changes as it is', () => {
    expect(withSchedule('x', [], [], 'a.toml')).toBe('x');
  });

  it('ends later where the run was made longer', () => {
    expect(withUntil('[run]\nrest = 1\nuntil = 20.0 # s\n', 30)).toBe('[run]\nrest = 1\nuntil = 30.0 # s\n');
    expect(withUntil('run.until = 5\n', 7.5)).toBe('run.until = 7.5 \n');
  });
});
