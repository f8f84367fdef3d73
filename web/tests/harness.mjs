// The real command and a real browser, for the tests of the page.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

export const carom = process.env.CAROM ?? '../target/release/carom';
export const scenes = process.env.SCENES ?? '../scenes';

/** Starts `carom play`; its address, and how to end it. */
export async function play(...given) {
  const child = spawn(carom, ['play', '--no-open', ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const [address] = await Promise.race([
    once(lines, 'line'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`carom play ended with ${code}`))),
  ]);
  return { address, child, stop: () => child.kill() };
}

let browser = null;

/** A page whose errors fail the test. */
export async function newPage(options = {}) {
  browser ??= await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--enable-unsafe-swiftshader', '--use-gl=angle', '--use-angle=swiftshader'],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // What the graphics driver says about itself is no error of the page.
    if (message.type() === 'error' && !/WebGL|GPU stall|GL Driver/.test(message.text())) errors.push(message.text());
  });
  page.on('request', (request) => {
    if (!/^(http:\/\/127\.0\.0\.1:|blob:|data:|file:)/.test(request.url())) errors.push(`a request to ${request.url()}`);
  });
  return { page, errors, close: () => context.close() };
}

export async function closeBrowser() {
  await browser?.close();
  browser = null;
}

/** Opens a scene of the gallery, computed to its end. */
export async function openScene(page, address, name) {
  await page.goto(`${address}#/scene/${name}`);
  await computed(page);
}

export async function computed(page) {
  await page.waitForFunction(() => /collisions|stopped/.test(document.getElementById('ahead')?.textContent ?? ''), null, { timeout: 60_000 });
}

/** World time of the picture, s. */
export async function time(page) {
  return parseFloat(await page.textContent('#clock'));
}

export async function pause(page) {
  if ((await page.getAttribute('#play', 'aria-label')) === 'Pause') await page.click('#play');
}
