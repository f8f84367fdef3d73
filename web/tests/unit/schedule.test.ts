import { describe, expect, it } from 'vitest';
import type { Body } from '../../src/engine/types';
import { withUntil } from '../../src/scene-text';
import { action, asPlayed, exact } from '../../src/schedule';

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
    const text = asPlayed('version = 1\n', 'a.toml', { changes: [{ time: 1, edit: { kind: 'remove', body: 1 } }], bodies });
    expect(text).toContain('# At 1.0 s, which a schedule cannot say');
  });

  it('says changes of JSON scenes, and leaves their own text as it is', () => {
    const bodies = [body(0, 'a "b" \\\\')];
    const changes = [{ time: 0.5, edit: { kind: 'velocity', body: 0, velocity: [1, 2], angular_velocity: [3] } }, { time: 1, edit: { kind: 'mass', body: 0, mass: 7 } }];
    const seed = '{ "seed": 12345678901234567890,\n "title": "a ] } \\" b" }';
    const played = asPlayed(seed, 'a.json', { changes, bodies });
    expect(played).toContain('"seed": 12345678901234567890,\n "title": "a ] } \\" b"');
    const name = bodies[0]!.name;
    const wanted = [{ time: 0.5, do: { set: name, velocity: [1, 2], angular_velocity: 3 } }, { time: 1, do: { set: name, mass: 7 } }];
    expect((JSON.parse(played) as { when: unknown }).when).toEqual(wanted);
    for (const own of ['[]', '[ { "time": 0.1, "do": { "stop": true } } ]']) {
      const both = JSON.parse(asPlayed(`{ "when": ${own}, "x": [1] }`, 'a.json', { changes, bodies })) as { when: unknown[]; x: unknown };
      expect(both.when.slice(-2)).toEqual(wanted);
      expect(both.when.length).toBe(own === '[]' ? 2 : 3);
      expect(both.x).toEqual([1]);
    }
  });

  it('says the method that was chosen', () => {
    const played = (text: string, file: string) => asPlayed(text, file, { changes: [], bodies: [], method: 'forces' });
    expect(played('version = 1\n[run]\nuntil = 1\n', 'a.toml')).toBe('method = "forces"\nversion = 1\n[run]\nuntil = 1\n');
    expect(played('method = "events" # exact\n[fields]\nmethod = "euler"\n', 'a.toml')).toBe('method = "forces" # exact\n[fields]\nmethod = "euler"\n');
    expect(JSON.parse(played('{ "version": 1 }', 'a.json'))).toEqual({ version: 1, method: 'forces' });
    expect(played('{ "method": "events" }', 'a.json')).toBe('{ "method": "forces" }');
  });

  it('leaves a scene without changes as it is', () => {
    expect(asPlayed('x', 'a.toml', { changes: [], bodies: [] })).toBe('x');
  });

  it('ends later where the run was made longer', () => {
    expect(withUntil('[run]\nrest = 1\nuntil = 20.0 # s\n', '30.0', 'a.toml')).toBe('[run]\nrest = 1\nuntil = 30.0 # s\n');
    expect(withUntil('run.until = 5\n', '7.5', 'a.toml')).toBe('run.until = 7.5 \n');
    expect(withUntil('run = { rest = 1, until = 5 }\n', '7.5', 'a.toml')).toBe('run = { rest = 1, until = 7.5 }\n');
    expect(withUntil('{ "run": { "until": 5, "rest": 1 } }', '7.5', 'a.json')).toBe('{ "run": { "until": 7.5, "rest": 1 } }');
  });
});
