// A WebM file from encoded pictures: the few elements of Matroska (RFC 9559) that a silent film needs.

export interface EncodedPicture {
  /** From the start of the film, ms. */
  time: number;
  /** Whether it can be decoded without those before it. */
  key: boolean;
  bytes: Uint8Array;
}

export interface Film {
  codec: 'V_VP8' | 'V_VP9';
  width: number;
  height: number;
  /** ms. */
  duration: number;
  pictures: EncodedPicture[];
}

type Element = Uint8Array[];

function big(number: number, bytes: number): Uint8Array {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(Math.round(number)));
  return new Uint8Array(view.buffer, 8 - bytes);
}

function lengthOf(element: Element): number {
  return element.reduce((sum, part) => sum + part.length, 0);
}

/** An element: its number, its length (in eight bytes, the first of which says so), what is in it. */
function element(id: number, ...content: Element[]): Element {
  const inside = content.flat();
  const size = big(lengthOf(inside), 8);
  size[0] = 0x01;
  const name = big(id, id > 0xffffff ? 4 : id > 0xffff ? 3 : id > 0xff ? 2 : 1);
  return [name, size, ...inside];
}

const number = (id: number, value: number): Element => element(id, [big(value, 8)]);
const text = (id: number, value: string): Element => element(id, [new TextEncoder().encode(value)]);

function real(id: number, value: number): Element {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return element(id, [new Uint8Array(view.buffer)]);
}

const HEADER = element(0x1a45dfa3, number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8), text(0x4282, 'webm'), number(0x4287, 4), number(0x4285, 2));

/** Clusters begin with a picture that needs no other, so that a player can begin at each. */
function clusters(pictures: EncodedPicture[]): { time: number; element: Element }[] {
  const groups: EncodedPicture[][] = [];
  for (const picture of pictures) {
    if (picture.key || groups.length === 0) groups.push([]);
    groups[groups.length - 1]!.push(picture);
  }
  return groups.map((group) => {
    const time = Math.round(group[0]!.time);
    const blocks = group.map((picture) => {
      // The track, the time after that of the cluster, and whether it needs no other.
      const head = Uint8Array.of(0x81, ...big(Math.round(picture.time) - time, 2), picture.key ? 0x80 : 0);
      return element(0xa3, [head, picture.bytes]);
    });
    return { time, element: element(0x1f43b675, number(0xe7, time), ...blocks) };
  });
}

/** Where each cluster begins, bytes from the start of what is in the segment. */
function cues(times: number[], places: number[]): Element {
  const points = times.map((time, i) => element(0xbb, number(0xb3, time), element(0xb7, number(0xf7, 1), number(0xf1, places[i] ?? 0))));
  return element(0x1c53bb6b, ...points);
}

export function webmParts(film: Film): Uint8Array[] {
  // Times are in milliseconds: 1e6 ns.
  const info = element(0x1549a966, number(0x2ad7b1, 1e6), real(0x4489, film.duration), text(0x4d80, 'carom'), text(0x5741, 'carom'));
  const video = element(0xe0, number(0xb0, film.width), number(0xba, film.height));
  const track = element(0xae, number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), number(0x9c, 0), text(0x86, film.codec), video);
  const before = [...info, ...element(0x1654ae6b, track)];
  const all = clusters(film.pictures);
  const times = all.map(({ time }) => time);
  let at = lengthOf(before) + lengthOf(cues(times, []));
  const places = all.map(({ element: cluster }) => {
    const place = at;
    at += lengthOf(cluster);
    return place;
  });
  return [...HEADER, ...element(0x18538067, before, cues(times, places), ...all.map(({ element: cluster }) => cluster))];
}
