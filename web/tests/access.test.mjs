// For all users: the keyboard alone, a phone, little motion, screen readers. node --test tests/access.test.mjs

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { bodyOf, changed, closeBrowser, computed, flaws, openScene, pause, play, settled, tester, time } from './harness.mjs';

let server;
const withPage = tester();

before(async () => {
  server = await play();
});

after(async () => {
  server?.stop();
  await closeBrowser();
});

withPage(
  'where little motion is wanted nothing plays by itself',
  async (page) => {
    await openScene(page, server.address, 'break');
    await page.waitForTimeout(400);
    assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play');
    assert.equal(await time(page), 0);
  },
  { reducedMotion: 'reduce' },
);

withPage('everything can be reached by the keyboard alone', async (page) => {
  await page.goto(server.address);
  await page.waitForSelector('.card');
  for (let turn = 0; turn < 60; turn++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement?.getAttribute('href') === '#/scene/break')) break;
  }
  await page.keyboard.press('Enter');
  await computed(page);
  await page.keyboard.press('Space');
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowRight');
  await page.waitForSelector('#collision-title');
  await page.keyboard.press(']');
  await page.keyboard.press('3');
  assert.equal(await page.getAttribute('#tab-change', 'aria-selected'), 'true');
  // To a slider and along it, and back again.
  const reach = async (wanted) => {
    for (let turn = 0; turn < 80; turn++) {
      if (await page.evaluate((selector) => document.activeElement?.matches(selector), wanted)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail(`${wanted} is not reached`);
  };
  await reach('#gravity');
  await page.keyboard.press('ArrowRight');
  await changed(page, 'gravity \\(0, -0.01\\)');
  await reach('#panel-change button.quiet.small');
  await page.keyboard.press('Enter');
  await changed(page, 'None');
  await page.locator('#stage').focus();
  // A box is ticked by space, which plays and pauses elsewhere.
  await page.keyboard.press('2');
  await reach('#follow');
  await page.keyboard.press('Space');
  assert.ok(await page.isChecked('#follow'));
  assert.equal(await page.getAttribute('#play', 'aria-label'), 'Play');
  await page.locator('#stage').focus();
  await page.keyboard.press('?');
  await page.waitForSelector('dialog.help[open]');
  await page.keyboard.press('Escape');
});

/** Waits until what an address leads to is there: cards, or a scene that is computed. */
async function shownAt(page, address) {
  await (/scene|lesson\//.test(address) ? computed(page) : page.waitForSelector('.card'));
  await settled(page);
}

withPage(
  'it fits a phone',
  async (page) => {
    for (const address of ['', '#/scene/break', '#/lesson/gas']) {
      await page.goto('about:blank');
      await page.goto(server.address + address);
      await shownAt(page, address);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(wide <= 0, `${address}: ${wide} pixels too wide`);
    }
    assert.ok(await page.locator('#play').isVisible());
    assert.deepEqual(await flaws(page), []);
  },
  { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true, bypassCSP: true },
);

for (const [how, viewport] of [['upright', { width: 360, height: 740 }], ['on its side', { width: 780, height: 390 }]]) {
  withPage(
    `on a phone ${how} nothing covers the picture of a game`,
    async (page) => {
      // From another scene that is playing, whose pictures may still be on their way.
      await openScene(page, server.address, 'break');
      await page.goto(`${server.address}#/scene/pinball`);
      const left = await bodyOf(page, 'left flipper');
      await page.waitForFunction(() => parseFloat(document.getElementById('clock').textContent) > 0.1);
      await settled(page);
      const box = (selector) => page.locator(selector).boundingBox();
      const [stage, tools, transport, keys] = await Promise.all(['#stage', '.tools', '.transport', '.keypad'].map(box));
      const apart = (a, b) => a.x + a.width <= b.x + 0.5 || b.x + b.width <= a.x + 0.5 || a.y + a.height <= b.y + 0.5 || b.y + b.height <= a.y + 0.5;
      assert.ok(apart(stage, tools), `the buttons: ${JSON.stringify({ stage, tools })}`);
      assert.ok(apart(stage, transport), `the controls: ${JSON.stringify({ stage, transport })}`);
      assert.ok(stage.height >= 200, `${stage.height} pixels high`);
      assert.ok(transport.y + transport.height <= viewport.height + 0.5, 'the controls are seen');
      // The table is 1.1 m high; all of it is in the picture, its flippers, too.
      assert.ok((await page.evaluate(() => window.caromTest.pixel())) * stage.height > 1.1, 'it is fitted');
      const [x, y] = await page.evaluate((id) => window.caromTest.screen(id), left);
      assert.ok(y > 0 && y < stage.height && x > 0 && x < stage.width);
      assert.ok(keys.x >= 0 && keys.y + keys.height <= transport.y + 0.5);
    },
    { viewport, hasTouch: true, isMobile: true },
  );
}

for (const scheme of ['light', 'dark']) {
  withPage(
    `axe finds nothing serious (${scheme})`,
    async (page) => {
      for (const address of ['', '#/lessons', '#/scene/break', '#/lesson/head-on']) {
        await page.goto('about:blank');
        await page.goto(server.address + address);
        await shownAt(page, address);
        const tabs = address.includes('scene') ? ['collision', 'body', 'change', 'charts', 'compare', 'scene', 'export'] : [''];
        for (const tab of tabs) {
          if (tab) await page.click(`#tab-${tab}`);
          assert.deepEqual(await flaws(page), [], `${address} ${tab}`);
        }
      }
      // A body that is selected, the help, and the cue of a table.
      await page.keyboard.press('?');
      await page.waitForSelector('dialog.help[open]');
      assert.deepEqual(await flaws(page), [], 'help');
      await page.keyboard.press('Escape');
      await openScene(page, server.address, 'pool');
      await pause(page);
      await page.keyboard.press('End');
      await page.waitForSelector('.pool:not([hidden])');
      await page.keyboard.press(']');
      await page.click('#tab-body');
      await page.waitForSelector('#body-mass');
      assert.deepEqual(await flaws(page), [], 'pool');
    },
    { colorScheme: scheme, bypassCSP: true },
  );
}
