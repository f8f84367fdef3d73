import { describe, expect, it } from 'vitest';
import { webmParts, type EncodedPicture } from '../../src/export/webm';

/** The elements of a range of bytes: their numbers, and what is in them. */
function read(bytes: Uint8Array): { id: number; inside: Uint8Array; at: number }[] {
  const found: { id: number; inside: Uint8Array; at: number }[] = [];
  for (let at = 0; at < bytes.length; ) {
    const wide = Math.clz32(bytes[at]!) - 24 + 1;
    const id = bytes.subarray(at, at + wide).reduce((sum, byte) => sum * 256 + byte, 0);
    expect(bytes[at + wide]).toBe(1);
    const length = bytes.subarray(at + wide + 1, at + wide + 8).reduce((sum, byte) => sum * 256 + byte, 0);
    const start = at + wide + 8;
    expect(start + length).toBeLessThanOrEqual(bytes.length);
    found.push({ id, inside: bytes.subarray(start, start + length), at });
    at = start + length;
  }
  return found;
}

const number = (bytes: Uint8Array) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

describe('a WebM file', () => {
  const pictures: EncodedPicture[] = Array.from({ length: 7 }, (_, i) => ({ time: (i * 1000) / 30, key: i % 3 === 0, bytes: Uint8Array.of(i, i, i) }));
  const parts = webmParts({ codec: 'V_VP8', width: 640, height: 480, duration: 7000 / 30, pictures });
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
  const [header, segment] = read(bytes);
  const inside = read(segment!.inside);

  it('has its elements one after the other, whole', () => {
    expect([header!.id, segment!.id]).toEqual([0x1a45dfa3, 0x18538067]);
    expect(inside.map(({ id }) => id)).toEqual([0x1549a966, 0x1654ae6b, 0x1c53bb6b, 0x1f43b675, 0x1f43b675, 0x1f43b675]);
    expect(read(read(inside[1]!.inside)[0]!.inside).map(({ id }) => id)).toEqual([0xd7, 0x73c5, 0x83, 0x9c, 0x86, 0xe0]);
  });

  it('says where its clusters are', () => {
    const clusters = inside.filter(({ id }) => id === 0x1f43b675);
    const places = read(inside[2]!.inside).map((point) => number(read(read(point.inside)[1]!.inside)[1]!.inside));
    expect(places).toEqual(clusters.map(({ at }) => at));
  });

  it('has all pictures at their times', () => {
    const times: number[] = [];
    for (const cluster of inside.filter(({ id }) => id === 0x1f43b675)) {
      const [start, ...blocks] = read(cluster.inside);
      for (const { inside: block } of blocks) times.push(number(start!.inside) + number(block.subarray(1, 3)));
    }
    expect(times).toEqual(pictures.map(({ time }) => Math.round(time)));
  });
});
