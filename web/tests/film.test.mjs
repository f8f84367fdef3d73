// Films: what is exported can be decoded, has all its pictures, and they differ. node --test tests/film.test.mjs

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { closeBrowser, openScene, pause, play, savedFrom, tester } from './harness.mjs';

let server;
const folder = mkdtempSync(join(tmpdir(), 'carom-film-'));
const withPage = tester();

before(async () => {
  server = await play();
});

after(async () => {
  server?.stop();
  await closeBrowser();
});

/** A short film of a scene. */
async function filmOf(page, kind) {
  await page.setViewportSize({ width: 800, height: 600 });
  await openScene(page, server.address, 'two_discs');
  await pause(page);
  const until = parseFloat((await page.textContent('#ahead')).replace('of ', ''));
  await page.click('#tab-export');
  const bytes = readFileSync(await savedFrom(page, kind, join(folder, `film.${kind}`)));
  return { bytes, seconds: until };
}

withPage('a GIF has all its pictures', async (page) => {
  const { bytes, seconds } = await filmOf(page, 'GIF');
  assert.equal(bytes.subarray(0, 6).toString(), 'GIF89a');
  const found = await page.evaluate(async (base64) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const decoder = new ImageDecoder({ data, type: 'image/gif' });
    await decoder.tracks.ready;
    await decoder.completed;
    const { frameCount } = decoder.tracks.selectedTrack;
    const pixels = async (frameIndex) => {
      const { image } = await decoder.decode({ frameIndex });
      const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
      canvas.getContext('2d').drawImage(image, 0, 0);
      return [...new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer)];
    };
    const [first, last] = [await pixels(0), await pixels(frameCount - 1)];
    return { frameCount, differ: first.filter((pixel, i) => pixel !== last[i]).length, colors: new Set(first).size };
  }, bytes.toString('base64'));
  assert.equal(found.frameCount, Math.ceil(seconds * 20));
  assert.ok(found.differ > 200 && found.colors > 3, JSON.stringify(found));
});

withPage('a WebM film has all its pictures, at their times, from the first to the last', async (page) => {
  const { bytes, seconds } = await filmOf(page, 'WebM');
  assert.equal(bytes.subarray(0, 4).toString('hex'), '1a45dfa3');
  const found = await page.evaluate(async (base64) => {
    const data = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const video = document.createElement('video');
    video.muted = true;
    const happens = (what) => new Promise((resolve, reject) => {
      video.addEventListener(what, resolve, { once: true });
      video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true });
    });
    const loaded = happens('loadeddata');
    video.src = URL.createObjectURL(new Blob([data], { type: 'video/webm' }));
    await loaded;
    // Where it has been sought its picture may still be on the way: until it is there nothing is drawn.
    const pixels = async () => {
      const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
      for (;;) {
        canvas.getContext('2d').drawImage(video, 0, 0);
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        if (data[3] === 255 && data[0] + data[1] + data[2] > 0) return data;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    };
    const at = async (time) => {
      const there = happens('seeked');
      video.currentTime = time;
      await there;
      return pixels();
    };
    const [first, last] = [await at(0.01), await at(video.duration - 0.01)];
    let differ = 0;
    for (let i = 0; i < first.length; i += 4) if (Math.abs(first[i] - last[i]) > 40) differ += 1;
    return { width: video.videoWidth, height: video.videoHeight, seconds: video.duration, differ: differ / (first.length / 4), middle: [...first.subarray(0, 3)] };
  }, bytes.toString('base64'));
  assert.ok(found.width > 300 && found.height > 200, JSON.stringify(found));
  // Two balls have moved, on a background that has not.
  assert.ok(found.differ > 0.001 && found.differ < 0.3, JSON.stringify(found));
  assert.ok(Math.abs(found.seconds - Math.ceil(30 * seconds) / 30) < 1e-6, JSON.stringify(found));
});
