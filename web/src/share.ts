// Links that carry a scene in their fragment: nothing is sent to anyone.

/** A scene with what is needed to open it elsewhere. */
export interface Shared {
  name: string;
  text: string;
  files: [string, string][];
  method?: 'events' | 'forces' | null;
}

/** What a scene in a link may have at most, bytes: unpacking must not fill memory. */
export const MOST_BYTES = 4 << 20;
/** A longer fragment is no scene that anyone shared. */
const LONGEST_FRAGMENT = 4 << 20;

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}

/** Reads a stream to its end, but no further than a number of bytes. */
async function readUpTo(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      await reader.cancel();
      throw new Error(`the link holds more than ${most} bytes`);
    }
    parts.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

export async function pack(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return toBase64(await readUpTo(stream, 4 * MOST_BYTES));
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((word) => typeof word === 'string');
}

/** The scene of a link; an error that says what is wrong with it otherwise. */
export async function unpack(fragment: string): Promise<Shared> {
  if (fragment.length > LONGEST_FRAGMENT) throw new Error('the link is too long');
  let bytes: Uint8Array;
  try {
    const packed = fromBase64(fragment);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    bytes = await readUpTo(stream, MOST_BYTES);
  } catch (error) {
    const reason = error instanceof Error && error.message.startsWith('the link') ? error.message : 'the link is damaged or was cut off';
    throw new Error(reason);
  }
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error('the link holds no scene');
  }
  const { name, text, files, method } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || typeof text !== 'string' || name.length > 200) throw new Error('the link holds no scene');
  return {
    name: name.replace(/[^\w. -]/g, '_') || 'shared.toml',
    text,
    files: Array.isArray(files) ? files.filter(isPair).slice(0, 20) : [],
    method: method === 'events' || method === 'forces' ? method : null,
  };
}
