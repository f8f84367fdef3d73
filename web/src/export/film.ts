// A film of the run: picture by picture at exact times, as WebM or GIF.

import { GIFEncoder, applyPalette, quantize } from 'gifenc';
import type { Session } from '../player/session';
import type { Stage } from '../view/stage';
import { webmParts, type EncodedPicture } from './webm';

const FILM_RATE = 30;
const GIF_RATE = 20;
/** Of a longer run a film shows as many pictures, farther apart. */
const MOST_PICTURES = { webm: 1800, gif: 600 };

/** Waits for the picture of a time, and draws it. */
async function picture(session: Session, draw: () => void, time: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const arrived = session.onFrame;
    session.onFrame = (numbers) => {
      arrived(numbers);
      // One that was asked for before may come first.
      if (session.client.pending) return;
      session.onFrame = arrived;
      resolve();
    };
    session.seek(time);
  });
  draw();
}

export async function film(kind: 'webm' | 'gif', session: Session, stage: Stage, draw: () => void, told: (part: number) => void): Promise<Blob> {
  session.pause();
  const before = session.time;
  const rate = kind === 'gif' ? GIF_RATE : FILM_RATE;
  const wanted = Math.ceil((session.ahead / session.speed) * rate);
  const pictures = Math.max(2, Math.min(MOST_PICTURES[kind], wanted));
  const times = Array.from({ length: pictures }, (_, i) => (session.ahead * i) / (pictures - 1));
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, (kind === 'gif' ? 640 : 1280) / stage.glCanvas.width);
  canvas.width = 2 * Math.round((stage.glCanvas.width * scale) / 2);
  canvas.height = 2 * Math.round((stage.glCanvas.height * scale) / 2);
  const turn = async (time: number) => {
    await picture(session, draw, time);
    stage.compose(canvas);
  };
  try {
    return kind === 'gif' ? await gif(canvas, times, turn, told) : await webm(canvas, times, turn, told);
  } finally {
    session.seek(before);
  }
}

async function gif(canvas: HTMLCanvasElement, times: number[], turn: (time: number) => Promise<void>, told: (part: number) => void): Promise<Blob> {
  const encoder = GIFEncoder();
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('no canvas');
  for (const [i, time] of times.entries()) {
    await turn(time);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const palette = quantize(data, 128);
    encoder.writeFrame(applyPalette(data, palette), canvas.width, canvas.height, { palette, delay: 1000 / GIF_RATE });
    told(i / times.length);
  }
  encoder.finish();
  return new Blob([encoder.bytes() as Uint8Array<ArrayBuffer>], { type: 'image/gif' });
}

/** A picture of its own every so many: a player can begin there. */
const KEY_EVERY = 60;
/** So many pictures wait to be encoded at most. */
const MOST_WAITING = 6;

const CODECS = [
  { codec: 'vp09.00.31.08', name: 'V_VP9' as const },
  { codec: 'vp8', name: 'V_VP8' as const },
];

async function encoding(canvas: HTMLCanvasElement) {
  if (typeof VideoEncoder === 'undefined') throw new Error('this browser cannot encode films (it has no WebCodecs here); a GIF is possible');
  for (const { codec, name } of CODECS) {
    const config: VideoEncoderConfig = { codec, width: canvas.width, height: canvas.height, bitrate: 6_000_000, framerate: FILM_RATE, latencyMode: 'realtime' };
    if ((await VideoEncoder.isConfigSupported(config)).supported) return { config, name };
  }
  throw new Error('this browser cannot encode WebM; a GIF is possible');
}

/** Picture by picture, each at its own time: however long one takes, the film has them all, equally long. */
async function webm(canvas: HTMLCanvasElement, times: number[], turn: (time: number) => Promise<void>, told: (part: number) => void): Promise<Blob> {
  const { config, name } = await encoding(canvas);
  const pictures: EncodedPicture[] = [];
  let failure: Error | null = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      pictures.push({ time: chunk.timestamp / 1000, key: chunk.type === 'key', bytes });
    },
    error: (error) => (failure = error),
  });
  try {
    encoder.configure(config);
    for (const [i, time] of times.entries()) {
      await turn(time);
      if (failure) throw failure;
      const frame = new VideoFrame(canvas, { timestamp: (i * 1e6) / FILM_RATE, duration: 1e6 / FILM_RATE });
      encoder.encode(frame, { keyFrame: i % KEY_EVERY === 0 });
      frame.close();
      if (encoder.encodeQueueSize > MOST_WAITING) await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }));
      told(i / times.length);
    }
    await encoder.flush();
  } finally {
    if (encoder.state !== 'closed') encoder.close();
  }
  if (failure) throw failure;
  const { width, height } = canvas;
  const parts = webmParts({ codec: name, width, height, duration: (times.length * 1000) / FILM_RATE, pictures });
  return new Blob(parts as Uint8Array<ArrayBuffer>[], { type: 'video/webm' });
}
