// The real command and a real browser, for the tests of the page.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { chromium } from 'playwright-core';

export const carom = process.env.CAROM ?? '../target/release/carom';
export const scenes = process.env.SCENES ?? '../scenes';

/** Starts `carom play`; its address, and how to end it. */
export async function play(...given) {
  const child = spawn(carom, ['play', '--no-open', ...given], { stdio: ['ignore', 'pipe', 'inherit'] });
  // Also where a test fails: whoever waits for its output would wait for the server's, too.
  process.on('exit', () => child.kill());
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
  await page.waitForFunction(() => /collision|stopped/.test(document.getElementById('ahead')?.textContent ?? ''), null, { timeout: 60_000 });
}

/** World time of the picture, s. */
export async function time(page) {
  return parseFloat(await page.textContent('#clock'));
}

export async function pause(page) {
  if ((await page.getAttribute('#play', 'aria-label')) === 'Pause') await page.click('#play');
}

/** Goes to a time, s. */
export async function seek(page, to) {
  await page.locator('#time').evaluate((slider, wanted) => {
    slider.value = String(wanted);
    slider.dispatchEvent(new Event('input'));
  }, to);
  await page.waitForFunction((wanted) => Math.abs(parseFloat(document.getElementById('clock').textContent) - wanted) < 0.01, to);
  await settled(page);
}

/** Tests with a page of their own each, which must end without an error. */
export function tester() {
  return (name, body, options = {}) =>
    test(name, { timeout: 180_000 }, async () => {
      const { page, errors, close } = await newPage(options);
      try {
        await body(page, errors);
        assert.deepEqual(errors, []);
      } finally {
        await close();
      }
    });
}

/** The collisions that the command prints for a scene, and its summary. */
export function collisionsOf(file, ...more) {
  const out = execFileSync(carom, ['run', file, '--json', '--events', '--quiet', ...more], { maxBuffer: 1 << 28 }).toString();
  const lines = out.trim().split('\n').map((line) => JSON.parse(line));
  return { all: lines.filter((line) => line.collision).map((line) => line.collision), summary: lines[lines.length - 1] };
}

/** The number of a body by its name. */
export async function bodyOf(page, name) {
  await page.waitForFunction((wanted) => window.caromTest?.bodies().some((body) => body.name === wanted), name);
  return page.evaluate((wanted) => window.caromTest.bodies().find((body) => body.name === wanted).id, name);
}

/** Waits until the list of changes has something in it. */
export const changed = (page, pattern) => page.waitForFunction((text) => new RegExp(text, 's').test(document.getElementById('changes').textContent), pattern);

/** Where a body is in the picture and how it moves; `null` where it is not there. */
export function stateOf(page, id) {
  return page.evaluate((body) => window.caromTest.state(body), id);
}

/** What axe finds that is serious. The page must have been opened with `bypassCSP`. */
export async function flaws(page) {
  await page.evaluate(readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8'));
  const { violations } = await page.evaluate(() => window.axe.run());
  const serious = violations.filter((found) => ['serious', 'critical'].includes(found.impact));
  return serious.map((found) => `${found.id}: ${found.nodes[0].html} ${found.nodes[0].any[0]?.message ?? ''}`);
}

/** Waits until what is to be drawn has been drawn. */
export function settled(page) {
  return page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)))));
}

/** Sets a slider as the mouse does: moved, then let go. */
export function slide(page, id, value) {
  return page.locator(`#${id}`).evaluate((slider, to) => {
    slider.value = to;
    slider.dispatchEvent(new Event('input'));
    slider.dispatchEvent(new Event('change'));
  }, String(value));
}

/** Presses a button that hands out a file, and keeps it. */
export async function savedFrom(page, label, path) {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 120_000 }), page.click(`button:has-text("${label}")`)]);
  await download.saveAs(path);
  return path;
}
