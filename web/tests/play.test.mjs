// Games, fingers and sound: the real command, the real browser. node --test tests/play.test.mjs

import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { bodyOf, closeBrowser, collisionsOf, computed, openScene, pause, play, savedFrom, scenes, seek, settled, stateOf, tester } from './harness.mjs';

let server;
const folder = mkdtempSync(join(tmpdir(), 'carom-play-'));
const withPage = tester();
const PHONE = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };

before(async () => {
  server = await play();
});

after(async () => {
  server?.stop();
  await closeBrowser();
});

/** The scene with all changes, saved, run by the command: the same digest as in the page. */
async function runsTheSame(page, name) {
  await page.click('#tab-change');
  const saved = await savedFrom(page, 'Save the scene with them', join(folder, name));
  const { summary } = collisionsOf(saved);
  await page.click('#tab-export');
  await page.waitForFunction(() => document.getElementById('digest').dataset.digest);
  assert.equal(await page.getAttribute('#digest', 'data-digest'), summary.digest);
}

/** Waits until a flipper is turned by so much or more (rad) from where it was; back there, by nothing. */
function swung(page, id, from, by) {
  return page.waitForFunction(([body, start, angle]) => {
    const turned = Math.abs(window.caromTest.turn(body) - start);
    return angle === 0 ? turned < 1e-5 : turned >= angle;
  }, [id, from, by]);
}

withPage('pinball: the keys swing the flippers, the score counts, the balls come one after the other', async (page) => {
  await page.goto(`${server.address}#/scene/pinball`);
  const left = await bodyOf(page, 'left flipper');
  await page.waitForFunction(() => parseFloat(document.getElementById('clock')?.textContent ?? '0') > 0.2);
  // A key changes what comes: no more than a few events are computed in advance.
  const [shown, computed] = await page.evaluate(() => [document.getElementById('clock'), document.getElementById('ahead')].map((said) => parseFloat(said.textContent.replace('computed to ', ''))));
  assert.ok(computed >= shown && computed < shown + 2, `${shown} s, computed to ${computed} s`);
  const down = await page.evaluate((id) => window.caromTest.turn(id), left);
  await page.keyboard.down('ArrowLeft');
  await swung(page, left, down, 0.9);
  await page.keyboard.up('ArrowLeft');
  await swung(page, left, down, 0);
  await page.click('#tab-change');
  assert.match(await page.textContent('#changes'), /key left pressed.*key left released/s);
  // Fast: up to where something was hit that counts.
  for (let turn = 0; turn < 4; turn++) await page.keyboard.press('ArrowUp');
  await page.waitForFunction(() => Number(document.querySelector('.scores .score b')?.textContent ?? 0) > 0, null, { timeout: 60_000 });
});

withPage('breakout: the arrows drive the bat as far as the walls, and it can be run again to the same bits', async (page) => {
  await openScene(page, server.address, 'breakout');
  await page.keyboard.press('Home');
  if ((await page.getAttribute('#play', 'aria-label')) === 'Play') await page.click('#play');
  const bat = await bodyOf(page, 'bat');
  await page.keyboard.down('ArrowRight');
  await page.waitForFunction((id) => window.caromTest.state(id)?.velocity[0] > 2, bat);
  // Its right end stays within the wall at x = 4 m, however long the key is held.
  await page.waitForFunction((id) => window.caromTest.state(id)?.velocity[0] === 0, bat);
  await page.keyboard.up('ArrowRight');
  const { position } = await stateOf(page, bat);
  assert.ok(Math.abs(position[0] - 3.5) < 1e-5, String(position));
  await page.keyboard.down('ArrowLeft');
  await page.waitForFunction((id) => window.caromTest.state(id)?.velocity[0] < -2, bat);
  await page.keyboard.up('ArrowLeft');
  await page.waitForFunction((id) => window.caromTest.state(id)?.velocity[0] === 0, bat);
  assert.ok((await stateOf(page, bat)).position[0] < position[0]);
  await pause(page);
  await computed(page);
  await page.click('#tab-change');
  assert.match(await page.textContent('#changes'), /bat moves at/);
  await runsTheSame(page, 'breakout.toml');
});

withPage('breakout: a brick that was hit is gone from the picture, and back before', async (page) => {
  await openScene(page, server.address, 'breakout');
  await pause(page);
  const brick = await bodyOf(page, 'brick 7');
  await seek(page, 0);
  const color = async () => {
    const [x, y] = await page.evaluate(() => window.caromTest.place([3.25, 4.3]));
    const box = await page.locator('#stage').boundingBox();
    return (await page.screenshot({ clip: { x: box.x + x - 2, y: box.y + y - 2, width: 4, height: 4 } })).toString('base64');
  };
  await page.waitForFunction((id) => window.caromTest.state(id) !== null, brick);
  await settled(page);
  const there = await color();
  await page.keyboard.press('End');
  await page.waitForFunction((id) => window.caromTest.state(id) === null, brick);
  await settled(page);
  assert.notEqual(await color(), there);
  await page.waitForFunction(() => /32 bricks/.test(document.querySelector('.scores').textContent));
  await seek(page, 0);
  await page.waitForFunction((id) => window.caromTest.state(id) !== null, brick);
  await settled(page);
  assert.equal(await color(), there);
});

withPage('pool: aim, strength and spin make a stroke, which can be run again to the same bits', async (page) => {
  await page.goto(`${server.address}#/scene/pool`);
  await computed(page);
  await pause(page);
  await page.keyboard.press('End');
  await page.waitForSelector('.pool:not([hidden])');
  // Pocketed balls are not there any more.
  const { summary } = collisionsOf(join(scenes, 'pool.toml'));
  const gone = summary.bodies.filter((body) => body.present === false).map((body) => body.name);
  assert.ok(gone.length > 0);
  for (const name of gone) await page.waitForFunction((id) => window.caromTest.state(id) === null, await bodyOf(page, name));
  const cue = await bodyOf(page, 'cue ball');
  assert.ok(!gone.includes('cue ball'));
  const set = (id, value) => page.locator(`#${id}`).evaluate((input, to) => {
    input.value = to;
    input.dispatchEvent(new Event('input'));
  }, String(value));
  await set('cue-angle', 30);
  await set('cue-speed', 3);
  await set('cue-top', 0.3);
  await set('cue-side', -0.2);
  assert.equal(await page.textContent('.pool output'), '3 m/s');
  await page.click('.pool button:has-text("Shoot")');
  await page.waitForFunction((id) => Math.hypot(...(window.caromTest.state(id)?.velocity ?? [0])) > 1, cue);
  await page.click('#tab-change');
  const words = await page.textContent('#changes');
  assert.match(words, /cue ball: velocity \(2\.5981?, 1\.5, 0\) m\/s, angular velocity/);
  await pause(page);
  await computed(page);
  await runsTheSame(page, 'pool.toml');
});

withPage('pool: the cue ball is aimed by pulling at it', async (page) => {
  await page.goto(`${server.address}#/scene/pool`);
  await computed(page);
  await pause(page);
  await page.keyboard.press('End');
  await page.waitForSelector('.pool:not([hidden])');
  const cue = await bodyOf(page, 'cue ball');
  // The picture is at the end once the balls lie still.
  await page.waitForFunction((id) => Math.hypot(...window.caromTest.state(id).velocity) < 1e-6, cue);
  await settled(page);
  const box = await page.locator('#stage').boundingBox();
  const [x, y] = await page.evaluate((id) => window.caromTest.screen(id), cue);
  await page.mouse.move(box.x + x, box.y + y);
  await page.mouse.down();
  await page.mouse.move(box.x + x + 60, box.y + y - 60, { steps: 4 });
  await page.mouse.up();
  // The table is seen from above, x to the right: a pull to the upper right is a stroke to there.
  const pulled = Number(await page.inputValue('#cue-angle'));
  assert.ok(pulled > 20 && pulled < 70, String(pulled));
  assert.equal(await page.textContent('#changes').then((text) => /cue ball/.test(text)), false, 'nothing was changed by aiming');
});

withPage(
  'fingers: keys of a game as buttons, a tap selects, a drag moves a ball, two fingers zoom',
  async (page) => {
    await page.goto(`${server.address}#/scene/pinball`);
    const left = await bodyOf(page, 'left flipper');
    await page.waitForFunction(() => parseFloat(document.getElementById('clock')?.textContent ?? '0') > 0.1);
    const session = await page.context().newCDPSession(page);
    const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
    const button = await page.locator('.keypad button[aria-label="Key left"]').boundingBox();
    const at = [button.x + button.width / 2, button.y + button.height / 2];
    const down = await page.evaluate((id) => window.caromTest.turn(id), left);
    await touch('touchStart', at);
    await swung(page, left, down, 0.9);
    await touch('touchEnd');
    await swung(page, left, down, 0);

    await openScene(page, server.address, 'two_discs');
    await pause(page);
    await seek(page, 0);
    await page.locator('#stage').scrollIntoViewIfNeeded();
    const box = await page.locator('#stage').boundingBox();
    const ball = async () => {
      const [x, y] = await page.evaluate(() => window.caromTest.screen(0));
      return [box.x + x, box.y + y];
    };
    await page.waitForFunction(() => window.caromTest.screen(0) !== null);
    const [x, y] = await ball();
    await page.touchscreen.tap(x, y);
    await page.waitForFunction(() => document.querySelector('#body-choice')?.value === '0');
    await touch('touchStart', [x, y]);
    for (const step of [8, 16, 24, 32, 40]) await touch('touchMove', [x, y - step]);
    await touch('touchEnd');
    await page.waitForFunction((before) => window.caromTest.screen(0)[1] < before - 25, y - box.y);

    const before = await page.evaluate(() => window.caromTest.pixel());
    const [cx, cy] = [box.x + box.width / 2, box.y + box.height * 0.8];
    await touch('touchStart', [cx - 20, cy], [cx + 20, cy]);
    for (const step of [30, 45, 60]) await touch('touchMove', [cx - step, cy], [cx + step, cy]);
    await touch('touchEnd');
    const ratio = before / (await page.evaluate(() => window.caromTest.pixel()));
    assert.ok(ratio > 2 && ratio < 4.5, `zoomed by ${ratio}`);
  },
  PHONE,
);

/** What the page plays is listened to at its only exit, and every tone is counted. */
const LISTEN = () => {
  window.heard = { tones: [], peak: 0, on: [] };
  const connect = AudioNode.prototype.connect;
  AudioNode.prototype.connect = function (to, ...more) {
    if (to instanceof AudioDestinationNode) {
      const ear = new AnalyserNode(this.context, { fftSize: 2048 });
      connect.call(this, ear);
      const numbers = new Float32Array(ear.fftSize);
      const listen = () => {
        ear.getFloatTimeDomainData(numbers);
        for (const number of numbers) window.heard.peak = Math.max(window.heard.peak, Math.abs(number));
        if (window.heard.peak === 0) setTimeout(listen, 5);
      };
      listen();
    }
    return connect.call(this, to, ...more);
  };
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (when) {
    window.heard.tones.push({ hertz: this.frequency.value, when });
    return start.call(this, when);
  };
};

withPage('collisions are heard when sound is on, and not when it is off', async (page) => {
  await page.addInitScript(LISTEN);
  await openScene(page, server.address, 'newton_cradle');
  await pause(page);
  const tones = () => page.evaluate(() => window.heard.tones.length);
  const run = async () => {
    await seek(page, 0);
    await page.click('#play');
    await page.waitForFunction(() => document.getElementById('play').getAttribute('aria-label') === 'Play', null, { timeout: 60_000 });
  };
  await run();
  assert.equal(await tones(), 0);
  await page.keyboard.press('m');
  await run();
  const heard = await tones();
  const { all } = collisionsOf(join(scenes, 'newton_cradle.toml'));
  assert.ok(heard > 0 && heard <= all.length, `${heard} tones for ${all.length} collisions`);
  await page.waitForFunction(() => window.heard.peak > 0.01);
  for (const { hertz } of await page.evaluate(() => window.heard.tones)) assert.ok(hertz > 100 && hertz < 5000, String(hertz));
  await page.keyboard.press('m');
  await run();
  assert.equal(await tones(), heard);
});
