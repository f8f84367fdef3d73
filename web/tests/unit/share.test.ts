import { describe, expect, it } from 'vitest';
import { MOST_BYTES, pack, unpack } from '../../src/share';

async function deflated(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  return bytes.toString('base64url');
}

describe('links that carry a scene', () => {
  it('come back as they were', async () => {
    const scene = { name: 'a.toml', text: 'version = 1\n# ε 🎱\n', files: [['m.obj', 'v 0 0 0']] as [string, string][], method: 'forces' as const };
    expect(await unpack(await pack(scene))).toEqual(scene);
  });

  it('are short for sample scenes', async () => {
    const text = 'version = 1\n' + '[[bodies]]\nshape = "ball"\nradius = 0.1\n'.repeat(100);
    expect((await pack({ name: 'a.toml', text, files: [] })).length).toBeLessThan(400);
  });

  it.each(['', '!!!', 'AAAA', 'x'.repeat(100), '%00', '../../etc'])('refuses %s with a reason', async (fragment) => {
    await expect(unpack(fragment)).rejects.toThrow(/the link/);
  });

  it('refuses what unpacks to more than fits', async () => {
    const bomb = await deflated(JSON.stringify({ name: 'a.toml', text: ' '.repeat(MOST_BYTES + 10), files: [] }));
    expect(bomb.length).toBeLessThan(20_000);
    await expect(unpack(bomb)).rejects.toThrow(/more than/);
  });

  it('refuses JSON that is no scene', async () => {
    for (const value of ['null', '[]', '{"name":1}', '{"name":"a","text":5}', '"a"', '{'])
      await expect(unpack(await deflated(value))).rejects.toThrow('the link holds no scene');
  });

  it('takes only what it knows', async () => {
    const value = { name: '../<b>.toml', text: 'x', files: [['a', 'b'], ['a'], 'c', [1, 2]], method: 'magic', extra: 1 };
    expect(await unpack(await deflated(JSON.stringify(value)))).toEqual({ name: '..__b_.toml', text: 'x', files: [['a', 'b']], method: null });
  });
});
