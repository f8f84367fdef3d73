// The page as a person uses it: the real command, the real browser. node --test tests/page.test.mjs

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { carom, changed, closeBrowser, collisionsOf, computed, openScene, pause, play, savedFrom, scenes, seek, settled, slide, stateOf, tester, time } from './harness.mjs';

let server;
const folder = mkdtempSync(join(tmpdir(), 'carom-page-'));
const withPage = tester();

before(async () => {
  server = await play();
});

after(async () => {
  server?.stop();
  await closeBrowser();
});

withPage('the gallery has all scenes, with pictures, and finds them', async (page) => {
  await page.goto(server.address);
  await page.waitForSelector('.card');
  const names = execFileSync(carom, ['new', '--list']).toString().trim().split('\n').length;
  assert.equal(await page.locator('.card').count(), names);
  // All of them, those below that are loaded later among them.
  const broken = await page.evaluate(async () => {
    const images = [...document.querySelectorAll('.card img')].map((image) => Object.assign(new Image(), { src: image.src }));
    const loaded = await Promise.allSettled(images.map((image) => image.decode()));
    return images.filter((_, i) => loaded[i].status === 'rejected').map((image) => image.src);
  });
  assert.deepEqual(broken, []);
  await page.fill('#search', 'newton cradle');
  assert.ok((await page.locator('.card:visible').count()) < 6);
  await page.fill('#search', 'zzzz');
  assert.equal(await page.locator('.card:visible').count(), 0);
});

withPage('a scene plays, pauses and can be scrubbed', async (page) => {
  await openScene(page, server.address, 'break');
  await page.waitForFunction(() => parseFloat(document.getElementById('clock').textContent) > 0.2);
  await pause(page);
  const there = await time(page);
  await page.waitForTimeout(300);
  assert.equal(await time(page), there);
  await seek(page, 2.5);
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.textContent('#speed-text'), '1/2×');
  // From 1/1000 to 100 times real time.
  for (const [end, words] of [['min', '1/1000×'], ['max', '100×']]) {
    await page.locator('#speed').evaluate((slider, wanted) => {
      slider.value = slider[wanted];
      slider.dispatchEvent(new Event('input'));
    }, end);
    assert.equal(await page.textContent('#speed-text'), words);
  }
});

withPage('the timeline has a tick at each event', async (page) => {
  const { all } = collisionsOf(join(scenes, 'newton_cradle.toml'));
  await openScene(page, server.address, 'newton_cradle');
  await pause(page);
  await seek(page, 0);
  // The columns of pixels that differ from the bare track, to the right of the hand at the start.
  const hand = 12;
  const { width, ticks } = await page.evaluate((first) => {
    const canvas = document.querySelector('.timeline-canvas');
    const row = canvas.getContext('2d').getImageData(0, Math.round(canvas.height / 2), canvas.width, 1).data;
    const columns = Array.from({ length: canvas.width }, (_, x) => row.slice(4 * x, 4 * x + 3).join());
    const bare = [...new Set(columns)].sort((a, b) => columns.filter((one) => one === b).length - columns.filter((one) => one === a).length)[0];
    return { width: canvas.width, ticks: columns.flatMap((color, x) => (x > first && x < canvas.width - 2 && color !== bare ? [x] : [])) };
  }, hand);
  const until = Number(await page.getAttribute('#time', 'max'));
  const places = all.map(({ time: at }) => (at / until) * width).filter((x) => x > hand + 2 && x < width - 4);
  assert.ok(places.length > 2, `${places.length} collisions`);
  for (const place of places) assert.ok(ticks.some((x) => Math.abs(x - place) <= 2), `no tick at ${place} of ${width}`);
  assert.deepEqual(ticks.filter((x) => !places.some((place) => Math.abs(x - place) <= 2)), [], 'ticks where nothing happens');
});

withPage('a step to a collision has the numbers of carom run, and the words of carom explain', async (page) => {
  const file = join(scenes, 'break.toml');
  const { all } = collisionsOf(file);
  await openScene(page, server.address, 'break');
  await pause(page);
  await page.keyboard.press('Home');
  for (const number of [1, 2, 3]) {
    await page.click('.step-next');
    await page.waitForFunction((wanted) => document.getElementById('collision-title')?.textContent === `Collision ${wanted}`, number);
    const shown = JSON.parse(await page.getAttribute('#collision-time', 'data-value'));
    const impulse = JSON.parse(await page.getAttribute('#collision-impulse', 'data-value'));
    assert.equal(shown, all[number - 1].time);
    assert.deepEqual(impulse, all[number - 1].impulse);
  }
  const run = join(folder, 'break');
  execFileSync(carom, ['run', file, '--out', run, '--quiet']);
  const explained = execFileSync(carom, ['explain', run, '3']).toString();
  for (const words of await page.locator('#explain dd').allTextContents()) assert.ok(explained.includes(words), words);
  await page.click('.step-previous');
  await page.waitForFunction(() => document.getElementById('collision-title')?.textContent === 'Collision 2');
});

withPage('a change is made at its instant, listed, undone, and exported so that it has the same bits', async (page) => {
  await openScene(page, server.address, 'earth_to_mars');
  await pause(page);
  await seek(page, 0.3);
  await page.click('#tab-change');
  await page.click('text=Moon');
  await page.waitForFunction(() => document.querySelectorAll('#changes .link').length === 1);
  // The panel shows what holds now.
  await page.waitForFunction(() => document.querySelector('.presets .chosen')?.textContent === 'Moon' && Math.abs(Number(document.getElementById('gravity').value) - 1.62) < 1e-9);
  const listed = (number) => page.waitForFunction((wanted) => document.querySelectorAll('#changes .link').length === wanted, number);
  const sliders = [['restitution-0', 0.5], ['friction-0', 0.3], ['rolling-0', 0.05], ['drag', 0.1], ['wind', 4]];
  for (const [i, [id, value]] of sliders.entries()) {
    await slide(page, id, value);
    await listed(2 + i);
  }
  await page.click('text=Jupiter');
  await listed(7);
  await page.click('text=Undo the last');
  await listed(6);
  const words = await page.textContent('#changes');
  for (const said of ['restitution 0.5', 'kinetic friction 0.3', 'rolling resistance 0.05', '0.1 kg/m', 'wind (4, 0) m/s']) assert.ok(words.includes(said), `${said}: ${words}`);
  await computed(page);
  const saved = await savedFrom(page, 'Save the scene with them', join(folder, 'changed.toml'));
  assert.match(readFileSync(saved, 'utf8'), /gravity = \[0\.0, -1\.62\]/);
  const { summary } = collisionsOf(saved);
  // The engine of the page, asked for its digest.
  await page.click('#tab-export');
  await page.waitForFunction(() => document.getElementById('digest').dataset.digest);
  const digest = await page.getAttribute('#digest', 'data-digest');
  assert.equal(digest, summary.digest);
});

withPage('text is checked while it is written: an error is underlined and named', async (page) => {
  await openScene(page, server.address, 'two_discs');
  await page.click('#tab-scene');
  await page.waitForSelector('.cm-content');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.insertText('colour = 3\n');
  await page.waitForFunction(() => /error/.test(document.getElementById('scene-state')?.textContent ?? ''));
  await page.waitForSelector('.cm-lintRange-error');
  assert.match(await page.textContent('#problems'), /line 1/);
  await page.keyboard.press('Control+z');
  await page.waitForFunction(() => !/error/.test(document.getElementById('scene-state')?.textContent ?? ''));
});

/** Drags from one place of the picture to another, pixels, as quickly as it goes. */
async function drag(page, from, to) {
  const box = await page.locator('#stage').boundingBox();
  await page.mouse.move(box.x + from[0], box.y + from[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + to[0], box.y + to[1], { steps: 3 });
  await page.mouse.up();
}

withPage('a body is selected, dragged, given another velocity, and flicked', async (page) => {
  await openScene(page, server.address, 'two_discs');
  await pause(page);
  await seek(page, 0);
  const [x, y] = await page.evaluate(() => window.caromTest.screen(0));
  const box = await page.locator('#stage').boundingBox();
  await page.mouse.click(box.x + x, box.y + y);
  await page.waitForFunction(() => document.getElementById('body-choice')?.value === '0');
  // Not at its middle: it moves by as much as the mouse, and does not jump.
  await drag(page, [x + 3, y + 2], [x + 3, y - 58]);
  await changed(page, 'moved to');
  await page.waitForFunction((before) => Math.abs(window.caromTest.screen(0)[1] - (before - 60)) < 0.6, y);
  assert.ok(Math.abs((await page.evaluate(() => window.caromTest.screen(0)))[0] - x) < 0.6);
  const before = await stateOf(page, 0);
  const tip = await page.evaluate(() => window.caromTest.tip(0));
  await drag(page, tip, [tip[0], tip[1] - 50]);
  await changed(page, 'moved to.*velocity');
  await page.waitForFunction(() => window.caromTest.state(0).velocity[1] > 0.1);
  assert.ok(Math.abs((await stateOf(page, 0)).velocity[0] - before.velocity[0]) < 0.05 * Math.abs(before.velocity[0]));
  const at = await page.evaluate(() => window.caromTest.screen(0));
  await page.keyboard.down('Shift');
  await drag(page, at, [at[0] - 40, at[1] + 30]);
  await page.keyboard.up('Shift');
  await changed(page, 'moved to.*velocity.*velocity');
  // What is flicked flies, to where it was pulled: 40 to the left, 30 down.
  await page.waitForFunction(() => document.getElementById('play').getAttribute('aria-label') === 'Pause');
  await page.waitForFunction(() => {
    const [vx, vy] = window.caromTest.state(0).velocity;
    return vx < 0 && vy < 0 && Math.abs(vx / vy - 4 / 3) < 0.05;
  });
});

withPage('a body is moved, pushed and turned by typed numbers, without the mouse', async (page) => {
  await openScene(page, server.address, 'two_discs');
  await pause(page);
  // They touch at the start, and part.
  await seek(page, 0.5);
  await page.keyboard.press(']');
  await page.waitForSelector('#body-fields [name=x]');
  const exact = (await stateOf(page, 0)).velocity[0];
  await page.locator('#body-fields [name=y]').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('0.75');
  await page.locator('#body-fields [name=w]').fill('3');
  await page.keyboard.press('Enter');
  await changed(page, 'moved to.*angular velocity \\(3\\)');
  await page.waitForFunction(() => Math.abs(window.caromTest.state(0).position[1] - 0.75) < 1e-6);
  assert.equal((await stateOf(page, 0)).velocity[0], exact, 'what was not typed stays');
});

withPage('mass and spin of a body have sliders, which make changes that run again to the same bits', async (page) => {
  await openScene(page, server.address, 'two_discs');
  await pause(page);
  await seek(page, 0);
  await page.keyboard.press(']');
  await page.waitForSelector('#body-mass');
  await slide(page, 'body-spin', 5);
  await changed(page, 'angular velocity \\(5');
  await page.waitForFunction(() => /5 rad\/s/.test(document.getElementById('body-state').textContent));
  // Equal steps are equal factors: 1 is 10 kg.
  await slide(page, 'body-mass', 1);
  await changed(page, 'mass 10 kg');
  await page.waitForFunction(() => /10 kg/.test(document.getElementById('body-state').textContent));
  await computed(page);
  await page.click('#tab-export');
  const saved = await savedFrom(page, 'Scene file', join(folder, 'heavier.toml'));
  await page.waitForFunction(() => document.getElementById('digest').dataset.digest);
  assert.equal(await page.getAttribute('#digest', 'data-digest'), collisionsOf(saved).summary.digest);
});

withPage('arrows, names, momenta and the centre of mass are shown where they are asked for', async (page) => {
  await openScene(page, server.address, 'two_discs');
  await pause(page);
  await seek(page, 0.5);
  // What the canvases show, without what lies above them.
  const picture = () => page.evaluate(() => [...document.querySelectorAll('#stage canvas')].map((canvas) => canvas.toDataURL()).join());
  const press = async (key) => {
    await page.keyboard.press(key);
    await settled(page);
  };
  const plain = await picture();
  for (const key of ['v', 'p', 'x', 'l', 'c']) {
    await press(key);
    assert.equal(await page.getAttribute(`[data-key="${key}"]`, 'aria-pressed'), 'true', key);
    assert.notEqual(await picture(), plain, `${key} draws something`);
    await press(key);
    assert.equal(await picture(), plain, `${key} takes it away`);
  }
  // Where they have been, once they have moved.
  await press('t');
  await seek(page, 0.9);
  await press('.');
  const paths = await picture();
  await press('t');
  assert.notEqual(await picture(), paths, 'paths are drawn');
});

withPage('files that are dropped on the page are opened', async (page) => {
  await page.goto(server.address);
  await page.waitForSelector('.card');
  const scene = 'version = 1\ndimension = 2\ntitle = "Dropped"\nrun.until = 1.0\n[[bodies]]\nname = "a"\nshape = "ball"\nradius = 0.1\nmass = 1.0\nposition = [0.0, 0.0]\n';
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], 'dropped.toml'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, scene);
  await page.waitForFunction(() => document.querySelector('.scene-title')?.textContent === 'Dropped');
  await computed(page);
});

withPage('bodies are added, followed, removed, and it is all undone', async (page) => {
  await openScene(page, server.address, 'break');
  await pause(page);
  await seek(page, 0.5);
  const count = () => page.evaluate(() => window.caromTest.bodies().length);
  const before = await count();
  await page.click('#tab-change');
  await page.click('text=Add a ball');
  await changed(page, 'added 1 added at');
  assert.equal(await count(), before + 1);
  await page.click('#tab-body');
  await page.selectOption('#body-choice', { index: 1 });
  await page.check('#follow');
  await page.keyboard.press('.');
  const chosen = Number(await page.inputValue('#body-choice'));
  const box = await page.locator('#stage').boundingBox();
  await page.waitForFunction(([id, width, height]) => {
    const at = window.caromTest.screen(id);
    return at && Math.hypot(at[0] - width / 2, at[1] - height / 2) < 2;
  }, [chosen, box.width, box.height]);
  await page.click('#tab-body');
  await page.click('text=Remove it');
  await changed(page, 'added 1 added at.*removed');
  await page.waitForFunction((id) => window.caromTest.state(id) === null, chosen);
  await page.keyboard.press('u');
  await page.waitForFunction((id) => window.caromTest.state(id) !== null, chosen);
  await page.keyboard.press('u');
  await changed(page, 'None');
  // Changes are saved by names: another ball gets none that there is.
  const listed = (number) => page.waitForFunction((wanted) => document.querySelectorAll('#changes .link').length === wanted, number);
  for (const number of [1, 2]) {
    await page.keyboard.press('n');
    await listed(number);
  }
  await page.click('#tab-change');
  await page.locator('#changes li').first().getByRole('button', { name: 'Take it back' }).click();
  await listed(1);
  await page.keyboard.press('n');
  await listed(2);
  const words = await page.locator('#changes li > span').allTextContents();
  assert.equal(new Set(words.map((text) => text.replace(/ added at.*/, ''))).size, 2, words.join('; '));
});

withPage('keys of a scene drive it', async (page) => {
  await page.goto(server.address);
  const text = `version = 1
title = "Keys"
dimension = 2
run.until = 20.0
[[bodies]]
name = "bat"
shape = "box"
size = [1.0, 0.2]
position = [0.0, 0.0]
mount = "rail"
[[bodies]]
name = "ball"
shape = "ball"
radius = 0.1
mass = 1.0
position = [0.0, 2.0]
[[when]]
pressed = "left"
do = [{ slide = "bat", to = [-1.0, 0.0], speed = 4.0 }, { score = "strokes", by = 1 }]
[[when]]
released = "left"
do = { slide = "bat", to = [0.0, 0.0], speed = 4.0 }
`;
  const file = join(folder, 'keys.toml');
  writeFileSync(file, text);
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('text=Open a file…')]);
  await chooser.setFiles(file);
  await page.waitForFunction(() => document.querySelector('.scene-title')?.textContent === 'Keys');
  await page.waitForFunction(() => parseFloat(document.getElementById('clock').textContent) > 0.1);
  await page.keyboard.down('ArrowLeft');
  await page.waitForTimeout(250);
  await page.keyboard.up('ArrowLeft');
  await page.waitForFunction(() => /1\s*strokes/.test(document.querySelector('.scores')?.textContent ?? ''));
  await page.click('#tab-change');
  await page.waitForFunction(() => /key left pressed.*key left released/s.test(document.getElementById('changes').textContent));
});

withPage('completion knows the keys of the schema', async (page) => {
  await openScene(page, server.address, 'two_discs');
  await page.click('#tab-scene');
  await page.waitForSelector('.cm-content');
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('grav');
  await page.waitForSelector('.cm-tooltip-autocomplete');
  assert.match(await page.textContent('.cm-tooltip-autocomplete'), /gravity/);
});

withPage('a link carries the scene', async (page) => {
  await openScene(page, server.address, 'galperin');
  await page.click('.share');
  await page.waitForFunction(() => location.hash.startsWith('#s='));
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(link);
  await computed(page);
  assert.equal(await page.textContent('.scene-title'), await page.evaluate(() => document.title.replace(' – carom', '')));
  assert.match(await page.textContent('#ahead'), /collisions/);
});

withPage('below the charts are the numbers of the picture', async (page) => {
  await openScene(page, server.address, 'earth_to_mars');
  await pause(page);
  await page.click('#tab-charts');
  const potential = () => page.evaluate(() => {
    const row = [...document.querySelectorAll('#panel-charts .u-series')].find((one) => /potential/.test(one.textContent));
    return parseFloat(row?.querySelector('.u-value')?.textContent ?? '');
  });
  await seek(page, 0);
  await page.waitForFunction(() => /potential\D*\d/.test(document.getElementById('panel-charts').textContent));
  const high = await potential();
  await page.click('.step-next');
  await page.waitForSelector('#collision-title', { state: 'attached' });
  await page.click('#tab-charts');
  // Where it strikes the floor it is lower.
  for (let turn = 0; turn < 50 && !((await potential()) < high); turn++) await page.waitForTimeout(100);
  assert.ok((await potential()) < high, `${high} J at the start, ${await potential()} J at the floor`);
});

withPage('both methods are shown, and how far they are apart', async (page) => {
  await page.goto(`${server.address}#/lesson/two-methods`);
  await computed(page);
  await page.click('#tab-compare');
  assert.equal(Number(await page.inputValue('#spring-time')), 2e-3, 'as the scene says');
  await page.check('#compare');
  await page.waitForFunction(() => /springs and dampers: \d+/.test(document.getElementById('compare-facts')?.textContent ?? ''));
  await page.click('#play');
  await page.waitForFunction(() => /e-|0\.0/.test(document.querySelector('#compare-facts dd:last-child')?.textContent ?? ''), null, { timeout: 60_000 });
  await page.uncheck('#compare');
});

withPage('a lesson asks first and measures then', async (page) => {
  await page.goto(`${server.address}#/lessons`);
  assert.ok((await page.locator('.card').count()) >= 8);
  await page.click('text=Head-on');
  await computed(page);
  await page.fill('.lesson-panel input[name=answer]', '1.5');
  await page.click('text=Predict, then measure');
  await page.waitForSelector('.verdict.right');
  assert.match(await page.textContent('#measured'), /^1\.5 m\/s$/);
});

withPage('each lesson measures what its explanation says', async (page) => {
  // 2 m₁ v / (m₁ + m₂); equal masses part at a right angle; ε² h; digits of π; √(m g / k).
  const numbers = { 'head-on': 1.5, oblique: 90, restitution: 0.64, galperin: 314, drag: Math.sqrt((0.1 * 9.81) / 0.02) };
  const options = { 'friction-and-spin': /becomes less/, cradle: /^Two/, gas: /tail is fast/, 'two-methods': /About a radius, or more/ };
  for (const id of [...Object.keys(numbers), ...Object.keys(options)]) {
    await page.goto(`${server.address}#/lesson/${id}`);
    await page.waitForFunction((wanted) => location.hash.endsWith(wanted) && document.querySelector('.lesson-panel form') && !document.getElementById('measured'), id);
    await computed(page);
    if (id in numbers) await page.fill('.lesson-panel input[name=answer]', '0');
    else await page.locator('.lesson-panel label', { hasText: options[id] }).click();
    await page.click('text=Predict, then measure');
    await page.waitForSelector('.verdict', { timeout: 60_000 });
    const measured = await page.textContent('#measured');
    if (id in numbers) assert.ok(Math.abs(parseFloat(measured.replaceAll(',', '')) / numbers[id] - 1) < 2e-4, `${id}: ${measured}`);
    else assert.match(measured, options[id], id);
    assert.equal(await page.locator('.verdict.right').count(), id in numbers ? 0 : 1, id);
  }
});

withPage('what is exported is whole, and the exported page plays by itself', async (page, errors) => {
  await openScene(page, server.address, 'two_discs');
  await page.click('#tab-export');
  const save = (label) => savedFrom(page, label, join(folder, label.replace(/\W+/g, '-')));
  const csv = readFileSync(await save('States, CSV'), 'utf8').trim().split('\n');
  assert.match(csv[0], /^frame,time,body,x,y,angle,velocity_x/);
  assert.ok(csv.length > 200);
  assert.equal(readFileSync(await save('States, Parquet')).subarray(0, 4).toString(), 'PAR1');
  assert.equal(readFileSync(await save('Events, Parquet')).subarray(-4).toString(), 'PAR1');
  assert.deepEqual([...readFileSync(await save('PNG')).subarray(1, 4)], [...Buffer.from('PNG')]);
  const path = await savedFrom(page, 'Page', join(folder, 'two_discs.html'));
  await page.goto(`file://${path}`);
  await computed(page);
  assert.equal(await page.textContent('#ahead').then((text) => /1 collision$/.test(text)), true);
  await page.waitForFunction(() => parseFloat(document.getElementById('clock').textContent) > 0.1);
  assert.deepEqual(errors, []);
});

/** Opens a text from the bar at the top. */
async function openText(page, name, content) {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('.bar button:has-text("Open")')]);
  await chooser.setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
}

withPage('the badge turns red where the energy budget does not close', async (page) => {
  await openScene(page, server.address, 'two_discs');
  await page.waitForSelector('#budget.good');
  // Springs by the plainest scheme, in steps as long as it takes them.
  const ball = (name, x, v) => `[[bodies]]\nname = "${name}"\nshape = "ball"\nradius = 0.1\nmass = 1.0\nposition = [${x}, 0.0]\nvelocity = [${v}, 0.0]\n`;
  await openText(page, 'steps.toml', `version = 1\ntitle = "Long steps"\ndimension = 2\nmethod = "forces"\nrun.until = 1.0\nforces.spring_time = 1e-2\nforces.step = 1.5e-3\nforces.integrator = "euler"\n${ball('a', '0.0', '1.0')}${ball('b', '0.5', '0.0')}`);
  await page.waitForSelector('#budget.bad');
  assert.match(await page.textContent('#budget'), /open by \d/);
});

withPage('a scene that keeps the engine busy does not keep another one from being opened', async (page) => {
  // The worker of the scene hears nothing any more, as if one step took for ever.
  await page.addInitScript(() => {
    const Own = window.Worker;
    window.workers = [];
    window.Worker = class extends Own {
      constructor(...given) {
        super(...given);
        window.workers.push(this);
      }
      postMessage(...given) {
        if (!this.isStuck) super.postMessage(...given);
      }
    };
  });
  await openScene(page, server.address, 'two_discs');
  await pause(page);
  await page.evaluate(() => (window.workers[0].isStuck = true));
  await page.keyboard.press('.');
  await page.waitForFunction(() => /busy/.test(document.getElementById('busy').textContent));
  await page.evaluate(() => (location.hash = '#/scene/galperin'));
  await page.waitForFunction(() => /Galperin/.test(document.querySelector('.scene-title')?.textContent ?? ''));
  await computed(page);
  await page.waitForFunction(() => document.getElementById('busy').textContent === '');
});

withPage('broken scenes, hostile links and huge files are refused with a reason', async (page) => {
  await page.goto(`${server.address}#s=AAAAnothing`);
  await page.waitForSelector('.message.error');
  assert.match(await page.textContent('.message.error'), /the link/);
  await page.waitForSelector('.card');
  // What is no text at all, names of what every object has, and no scene of the gallery.
  for (const fragment of ['%E0%A4%A', '/scene/%', '/scene/constructor', '/scene/__proto__', '/lesson/..%2f..', '/run', `s=${'A'.repeat(100_000)}`]) {
    await page.goto('about:blank');
    await page.goto(`${server.address}#${fragment}`);
    await page.waitForSelector('.message.error');
    assert.match(await page.textContent('.message.error'), /cannot be opened/, fragment.slice(0, 30));
    await page.waitForSelector('.card');
  }
  // Of 50 MB: from the disk, as such files come.
  const huge = join(folder, 'huge.toml');
  writeFileSync(huge, Buffer.alloc(50_000_000, 'x'));
  const [chosen] = await Promise.all([page.waitForEvent('filechooser'), page.click('.bar button:has-text("Open")')]);
  await chosen.setFiles(huge);
  await page.waitForFunction(() => /huge\.toml has/.test(document.getElementById('messages').textContent));
  await openText(page, 'broken.toml', 'version = 1\ndimension = 7\n[[bodies]]\nshape = "<img src=x onerror=alert(1)>"');
  await page.waitForFunction(() => /error/.test(document.getElementById('scene-state')?.textContent ?? ''));
  await openText(page, 'many.toml', 'version = 1\ndimension = 2\nrun.until = 1\n[[generate]]\nkind = "lattice"\ncounts = [100000, 100000]\nposition = [0.0, 0.0]\nspacing = 1.0\nradius = 0.1\nmass = 1.0\n');
  await page.waitForFunction(() => /many\.toml cannot be run/.test(document.getElementById('messages').textContent));
  await openScene(page, server.address, 'two_discs');
});
