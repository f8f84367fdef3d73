// A film of the run: picture by picture at exact times, as WebM or GIF.

import { GIFEncoder, applyPalette, quantize } from 'gifenc';
import type { Session } from '../player/session';
import type { Stage } from '../view/stage';

const FILM_RATE = 30;
const GIF_RATE = 20;
const MOST_PICTURES = 600;

/** Waits for the picture of a time, and draws it. */
async function picture(session: Session, draw: () => void, time: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const arrived = session.onFrame;
    session.onFrame = (numbers) => {
      session.onFrame = arrived;
      arrived(numbers);
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
  const pictures = Math.max(2, Math.min(MOST_PICTURES, wanted));
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

async function webm(canvas: HTMLCanvasElement, times: number[], turn: (time: number) => Promise<void>, told: (part: number) => void): Promise<Blob> {
  if (typeof MediaRecorder === 'undefined') throw new Error('this browser cannot record films; a GIF is possible');
  const type = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'].find((one) => MediaRecorder.isTypeSupported(one));
  if (!type) throw new Error('this browser cannot record WebM; a GIF is possible');
  // A picture is taken when it is there, and not by a clock.
  const stream = canvas.captureStream(0);
  const track = stream.getVideoTracks()[0] as CanvasCaptureMediaStreamTrack;
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 6_000_000 });
  const parts: Blob[] = [];
  recorder.ondataavailable = (event) => parts.push(event.data);
  const ended = new Promise<void>((resolve) => (recorder.onstop = () => resolve()));
  const begun = new Promise<void>((resolve) => (recorder.onstart = () => resolve()));
  await turn(times[0] ?? 0);
  recorder.start();
  track.requestFrame();
  await begun;
  const start = performance.now();
  for (const [i, time] of times.entries()) {
    await turn(time);
    track.requestFrame();
    told(i / times.length);
    // The recorder goes by the clock on the wall.
    const wait = start + ((i + 1) * 1000) / FILM_RATE - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  recorder.stop();
  await ended;
  return new Blob(parts, { type: 'video/webm' });
}
