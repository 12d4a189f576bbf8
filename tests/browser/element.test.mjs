// SPDX-License-Identifier: MIT
// The element <weft-world> in a page that is not Weft's own: it shows worlds, lets people pull at them, says what is wrong, and
// leaves nothing behind when it is removed.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveSite } from '../support/site.mjs';
import { ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { sleep, until } from '../support/wait.mjs';
import { audit } from './access.mjs';
import { isComplaint, keepScreenshot, openBrowser } from './page.mjs';

const READY_MS = 60000;
const IMPORTS = { three: '/vendor/three/three.module.js', 'three/addons/': '/vendor/three/addons/', 'camera-controls': '/vendor/camera-controls/camera-controls.js' };
const STYLE = 'body { margin: 20px; font: 16px sans-serif; background: #fff } weft-world { width: 560px; height: 320px; margin: 8px; display: inline-block }';

/** A site with the tree of web/, and a server that admits its pages. */
async function start(t, args) {
  const site = await serveSite(t, join(ROOT, 'web'));
  return { site, server: await Weftd.start(t, ['--origin', site.origin, ...args]) };
}

/** A page of the site with this body, which uses the element. */
async function openDocument(browser, site, body = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(90000); // a busy machine draws seldom
  page.complaints = [];
  page.on('console', (message) => { if (isComplaint(message)) page.complaints.push(`${message.type()}: ${message.text()}`); });
  page.on('pageerror', (error) => page.complaints.push(`exception: ${error.message}`));
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Another page</title><link rel="icon" href="data:,"><style>${STYLE}</style>
    <script type="importmap">${JSON.stringify({ imports: IMPORTS })}</script><script>${recordEvents}; recordEvents();</script>
    <script type="module" src="/element/index.js"></script><body>${body}</body></html>`;
  site.pages['/page'] = html;
  await page.goto(`${site.origin}/page`);
  return page;
}

/** In the page: keeps what every element has told, in order. */
function recordEvents() {
  window.told = [];
  for (const name of ['open', 'close', 'error', 'load', 'select', 'play', 'pause', 'camerachange', 'ended']) {
    document.addEventListener(name, (event) => {
      if (event.target.localName === 'weft-world') window.told.push({ id: event.target.id, name, detail: structuredClone(event.detail ?? event.message) });
    }, { capture: true });
  }
}

const toldBy = (page, id) => page.evaluate((wanted) => window.told.filter((one) => one.id === wanted).map(({ name }) => name), id);
const waitFor = (page, id, name) => page.waitForFunction(([wanted, what]) => window.told.find((one) => one.id === wanted && one.name === what), [id, name], { timeout: READY_MS }).then((handle) => handle.jsonValue()).then(({ detail }) => detail);
const loaded = (page, id) => page.waitForFunction((wanted) => window.told.some((one) => one.id === wanted && one.name === 'load'), id, { timeout: READY_MS });
const messageOf = (page, id) => page.evaluate((wanted) => {
  const message = document.getElementById(wanted).shadowRoot.querySelector('.message');
  return message.hidden ? '' : message.textContent;
}, id);

test('two elements show two worlds, play and pause them, and a pointer pulls at cloth', { timeout: 300000 }, async (t) => {
  const { site, server } = await start(t, ['--world', 'main=cloth', '--world', 'other=rope']);
  const browser = await openBrowser(t, { tools: false });
  const page = await openDocument(browser, site, `<main><h1>Two worlds</h1><p>Some text.</p><weft-world id="a" src="${server.url('main')}" controls></weft-world>
    <weft-world id="b" src="${server.http('/?world=other')}" theme="light"></weft-world><p>More text.</p></main>`);
  await Promise.all(['a', 'b'].map((id) => loaded(page, id)));

  await t.test('they say what they show', async () => {
    assert.equal((await waitFor(page, 'a', 'open')).world, 'main');
    assert.equal((await waitFor(page, 'b', 'open')).world, 'other');
    await page.waitForFunction(() => ['a', 'b'].every((id) => document.getElementById(id).editable));
    const seen = await page.evaluate(() => ['a', 'b'].map((id) => {
      const { readyState, tick, currentTime, duration, paused, editable, client } = document.getElementById(id);
      return { readyState, moved: tick > 0 && currentTime > 0, duration, paused, editable, objects: client.topology.objects.map(({ kind }) => kind) };
    }));
    for (const one of seen) {
      assert.deepEqual({ ...one, objects: 0 }, { readyState: 'open', moved: true, duration: Infinity, paused: false, editable: true, objects: 0 });
    }
    assert.ok(seen[0].objects.includes('cloth') && seen[1].objects.includes('rope'));
    assert.ok(await page.evaluate(() => new Promise((done) => {
      document.getElementById('a').addEventListener('frame', ({ detail: { frame, topology } }) => done(frame.positions.length === 3 * topology.particles), { once: true });
    })));
    assert.equal(await messageOf(page, 'a'), '');
    await audit(page, 'the page with two elements');
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'element-two')}`);
  });

  await t.test('the page around them is not changed', async () => {
    assert.equal(await page.evaluate(() => `${document.documentElement.outerHTML.match(/^<html[^>]*>/)[0]} ${Object.keys(localStorage).filter((key) => key !== 'weft.level')}`), '<html lang="en"> ');
    await page.mouse.move(300, 250);
    await page.evaluate(() => { document.body.style.height = '3000px'; });
    await page.mouse.wheel(0, 200);
    await page.waitForFunction(() => scrollY > 100);
    await page.evaluate(() => scrollTo(0, 0));
  });

  await t.test('a pointer drags the cloth, and a tap selects', async () => {
    const before = await page.evaluate(() => document.getElementById('a').client.statistics.framesReceived);
    assert.ok(before > 0);
    const box = await page.locator('#a').boundingBox();
    const centre = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    // On a loaded machine a click may last too long for a tap: then the user taps again.
    await until(async () => {
      await page.mouse.click(centre.x, centre.y);
      await sleep(500); // two taps at once would pin
      return (await toldBy(page, 'a')).includes('select');
    }, 'a tap', READY_MS);
    const selected = await waitFor(page, 'a', 'select');
    assert.equal(selected.kind, 'cloth');
    const client = await server.connect('main');
    const grabs = [];
    client.on('grab.started', (grab) => grabs.push(grab));
    await client.subscribeEvents(['grab.started']);
    await page.mouse.move(centre.x, centre.y);
    await page.mouse.down();
    await page.mouse.move(centre.x + 60, centre.y - 30, { steps: 5 });
    await until(() => grabs.length > 0, 'a grab');
    await page.mouse.up();
    assert.equal(grabs[0].object, selected.object);
  });

  await t.test('the bar pauses, starts anew and links to the page of the world', async () => {
    await page.locator('#a').getByRole('button', { name: 'Pause' }).click();
    await waitFor(page, 'a', 'pause');
    assert.equal(await page.evaluate(() => document.getElementById('a').paused), true);
    const { tick } = await page.evaluate(() => document.getElementById('a').call('world.get'));
    assert.ok(tick > 0);
    await page.locator('#a').getByRole('button', { name: 'Play' }).click();
    await waitFor(page, 'a', 'play');
    await page.locator('#a').getByRole('button', { name: 'Restart scene' }).click();
    await page.waitForFunction((past) => document.getElementById('a').tick < past, tick);
    assert.equal(await page.locator('#a').getByRole('link', { name: 'Open in Weft' }).getAttribute('href'), server.http('/?world=main'));
    assert.equal(await page.locator('#b').getByRole('toolbar').count(), 0);
  });

  await t.test('the camera is an attribute, and keys turn it', async () => {
    await page.evaluate(() => { document.getElementById('b').camera = [0, 2, 8, 0, 1, 0]; });
    await page.waitForFunction(() => document.getElementById('b').getCamera()?.[2] === 8);
    await page.locator('#b').press('ArrowLeft');
    const { camera } = await waitFor(page, 'b', 'camerachange');
    assert.equal(camera.length, 6);
    assert.notEqual(camera[0], 0);
  });

  await t.test('an element that is moved within the page keeps its connection, another src makes a new one', async () => {
    const kept = await page.evaluate(async () => {
      const element = document.getElementById('b');
      const { client } = element;
      document.body.prepend(element);
      await new Promise((done) => { setTimeout(done, 50); });
      return element.client === client && client.state === 'open';
    });
    assert.ok(kept);
    await page.evaluate((src) => { document.getElementById('b').src = src; }, server.http('/worlds/main'));
    await page.waitForFunction(() => document.getElementById('b').hello?.world === 'main', null, { timeout: READY_MS });
  });
  assert.deepEqual(page.complaints, []);
});

test('what is wrong is said in the element and by an event', { timeout: 300000 }, async (t) => {
  const { site, server } = await start(t, ['--world', 'main=empty']);
  const browser = await openBrowser(t);
  const page = await openDocument(browser, site);
  const cases = [
    ['ftp://example.org/main', /^The src "ftp:\/\/example\.org\/main" does not name a world\. Use /],
    ['local:', /^The src "local:" has no scene/],
    ['http://', /^The src "http:\/\/" is not an address\./],
    [server.url('nowhere'), new RegExp(`^There is no world "nowhere" at 127\\.0\\.0\\.1:${server.port}\\.$`)],
    ['ws://127.0.0.1:9/worlds/main', /^The world can’t be reached: no answer from 127\.0\.0\.1:9, or the server does not accept pages from http/],
  ];
  for (const [index, [src, sentence]] of cases.entries()) {
    const id = `wrong-${index}`;
    await page.evaluate(([name, value]) => {
      const element = document.createElement('weft-world');
      Object.assign(element, { id: name, src: value });
      document.body.replaceChildren(element);
    }, [id, src]);
    assert.match(await waitFor(page, id, 'error'), sentence);
    assert.match(await messageOf(page, id), sentence);
    assert.equal(await page.evaluate((name) => document.getElementById(name).readyState, id), 'failed');
  }
  await page.evaluate((src) => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = () => null;
    document.body.replaceChildren(Object.assign(document.createElement('weft-world'), { id: 'undrawn', src }));
    document.querySelector('weft-world').addEventListener('error', () => { HTMLCanvasElement.prototype.getContext = getContext; });
  }, server.url('main'));
  assert.match(await waitFor(page, 'undrawn', 'error'), /^This browser can’t show the world/);
  assert.equal(await page.evaluate(() => document.querySelector('weft-world').client), null);
  assert.equal(await page.evaluate(() => document.querySelector('weft-world').connect().then(({ world }) => world)), 'main');
  await page.evaluate((src) => { Object.assign(document.querySelector('weft-world'), { src, camera: '1 2 3' }); }, server.url('main'));
  await page.waitForFunction(() => document.querySelector('weft-world').readyState === 'open', null, { timeout: READY_MS });
  assert.match((await page.evaluate(() => window.told.findLast(({ name }) => name === 'error'))).detail, /^The camera "1 2 3" must be six numbers/);
});

test('an element may wait until it is near, and draws again when its context was taken away', { timeout: 300000 }, async (t) => {
  const { site, server } = await start(t, ['--world', 'main=cloth']);
  const browser = await openBrowser(t);
  const page = await openDocument(browser, site, `<div style="height: 3000px"></div><weft-world id="far" src="${server.url('main')}" loading="lazy"></weft-world>`);
  await page.waitForFunction(() => customElements.get('weft-world'));
  assert.equal(await page.evaluate(() => document.getElementById('far').client), null);
  await page.evaluate(() => document.getElementById('far').scrollIntoView());
  await loaded(page, 'far');
  await page.evaluate(() => {
    const lost = document.getElementById('far').shadowRoot.querySelector('canvas').getContext('webgl2').getExtension('WEBGL_lose_context');
    lost.loseContext();
    document.getElementById('far').addEventListener('error', () => setTimeout(() => lost.restoreContext(), 100), { once: true });
  });
  assert.match(await waitFor(page, 'far', 'error'), /stopped rendering/);
  await page.waitForFunction(() => window.told.filter(({ name }) => name === 'load').length === 2, null, { timeout: READY_MS });
  assert.equal(await messageOf(page, 'far'), '');
});

test('with a viewer\'s token it shows the world and changes nothing; without one it says that it needs one', { timeout: 300000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-element-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'tokens');
  const { status, stdout, stderr } = await run(WEFTCTL, ['token', 'make', 'viewer', 'guest', '--tokens', file]);
  assert.equal(status, 0, stderr);
  const { site, server } = await start(t, ['--world', 'main=cloth', '--tokens', file]);
  const browser = await openBrowser(t);
  const page = await openDocument(browser, site, `<weft-world id="none" src="${server.url('main')}" controls></weft-world>
    <weft-world id="viewer" src="${server.url('main')}" token="${stdout.trim()}" controls></weft-world>`);
  assert.match(await waitFor(page, 'none', 'error'), /requires an access token/);
  await loaded(page, 'viewer');
  assert.equal(await page.evaluate(() => document.getElementById('viewer').editable), false);
  assert.ok(await page.locator('#viewer').getByRole('button', { name: 'Pause' }).isDisabled());
  const before = await page.evaluate(() => document.getElementById('viewer').getCamera());
  const box = await page.locator('#viewer').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 80, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction((was) => Math.hypot(...document.getElementById('viewer').getCamera().map((value, axis) => value - was[axis])) > 0.1, before);
  assert.deepEqual(await toldBy(page, 'viewer').then((names) => names.filter((name) => name === 'error')), []);
});

test('local worlds run without a server: two elements in two worlds, a third in one of them, paused and changed', { timeout: 300000 }, async (t) => {
  const site = await serveSite(t, join(ROOT, 'web'));
  const browser = await openBrowser(t);
  const page = await openDocument(browser, site, ['a" src="local:cloth', 'b" src="local:rope" controls paused="', 'c" src="local:cloth'].map((one) => `<weft-world id="${one}"></weft-world>`).join(''));
  for (const id of ['a', 'b', 'c']) await loaded(page, id);
  const inPage = (work, value) => page.evaluate(work, value);
  await page.waitForFunction(() => document.getElementById('a').tick > 20 && document.getElementById('c').tick > 20);
  await page.waitForFunction(() => ['a', 'b', 'c'].every((id) => document.getElementById(id).editable));
  assert.deepEqual(await inPage(() => ['a', 'b', 'c'].map((id) => [document.getElementById(id).hello.world, document.getElementById(id).editable])), [['cloth', true], ['rope', true], ['cloth', true]]);
  await page.waitForFunction(() => document.getElementById('b').paused);
  const before = await inPage(() => document.getElementById('b').call('world.step', { ticks: 10 }).then(({ tick }) => tick));
  await inPage(() => document.getElementById('c').pause());
  await waitFor(page, 'a', 'pause');
  const { object } = await inPage(() => document.getElementById('a').call('body.spawn', { position: [0, 3, 0] }));
  assert.ok((await inPage(() => document.getElementById('c').call('object.list'))).objects.some((one) => one.object === object), 'elements of one name share the world');
  await inPage(() => document.getElementById('a').remove());
  await inPage(() => document.getElementById('c').play());
  await page.waitForFunction((tick) => document.getElementById('c').tick > tick + 30, await inPage(() => document.getElementById('c').tick));
  assert.equal((await inPage(() => document.getElementById('b').call('world.get'))).tick, before);
  assert.deepEqual(page.complaints, []);
});

test('a capsule is played without a server, paused, sought, and played to its end or again and again', { timeout: 300000 }, async (t) => {
  const site = await serveSite(t, join(ROOT, 'web'));
  const bytes = await readFile(join(ROOT, 'tests/capsules/physics-2/changes-format-3.capsule'));
  site.pages['/files/changes.capsule'] = bytes;
  site.pages['/files/cut.capsule'] = bytes.subarray(0, bytes.length - 200);
  const browser = await openBrowser(t);
  const page = await openDocument(browser, site, '<weft-world id="a" src="/files/changes.capsule" loop controls></weft-world>');
  await loaded(page, 'a');
  const inPage = (work, value) => page.evaluate(work, value);
  const slider = page.locator('#a').getByRole('slider');

  await t.test('it says how long it is, and goes on by itself', async () => {
    await page.waitForFunction(() => document.getElementById('a').tick > 30);
    assert.deepEqual(await inPage(() => {
      const { duration, paused, editable, readyState, hello } = document.getElementById('a');
      return { duration, paused, editable, readyState, world: hello.world };
    }), { duration: 10, paused: false, editable: false, readyState: 'open', world: 'lab' });
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'element-capsule')}`);
  });

  await t.test('it pauses, and shows the time that is chosen, forwards and backwards', async () => {
    await page.locator('#a').getByRole('button', { name: 'Pause' }).click();
    await waitFor(page, 'a', 'pause');
    await inPage(() => { document.getElementById('a').currentTime = 8; });
    await page.waitForFunction(() => document.getElementById('a').tick === 480);
    assert.equal(await slider.inputValue(), '480');
    await slider.fill('90');
    await page.waitForFunction(() => document.getElementById('a').currentTime === 1.5);
    assert.equal(await inPage(() => document.getElementById('a').paused), true);
  });

  await t.test('played to its end it stops there, and begins anew when it is played again', async () => {
    await inPage(() => {
      document.getElementById('a').loop = false;
      document.getElementById('a').currentTime = 9.7;
    });
    await page.waitForFunction(() => document.getElementById('a').tick === 582);
    await inPage(() => document.getElementById('a').play());
    await waitFor(page, 'a', 'ended');
    assert.equal(await inPage(() => document.getElementById('a').paused), true);
    await page.locator('#a').getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => document.getElementById('a').tick > 0 && document.getElementById('a').tick < 582);
  });

  await t.test('with loop it begins again by itself', async () => {
    await inPage(() => new Promise((done) => { // the last second may pass between two pictures, but not every time
      const element = document.getElementById('a');
      let late = false;
      element.addEventListener('tick', ({ detail: { tick } }) => {
        late ||= tick >= 540;
        if (late && tick < 300) done();
      });
      element.loop = true;
      element.currentTime = 9;
    }));
    assert.equal(await inPage(() => document.getElementById('a').paused), false);
  });

  await t.test('what is wrong with a file is said', async () => {
    for (const [id, src, sentence] of [
      ['cut', '/files/cut.capsule', /^The capsule is damaged: it cannot be decompressed to its end\.$/],
      ['none', '/files/none.capsule', /^The capsule http:\/\/.*none\.capsule could not be loaded: the server answers 404\.$/],
    ]) {
      await inPage(([name, value]) => document.body.append(Object.assign(document.createElement('weft-world'), { id: name, src: value })), [id, src]);
      assert.match(await waitFor(page, id, 'error'), sentence);
      assert.match(await messageOf(page, id), sentence);
      assert.equal((await toldBy(page, id)).filter((name) => name === 'error').length, 1);
    }
  });
  assert.deepEqual(page.complaints.filter((line) => !line.includes('404')), []);
});

test('an element that was removed leaves nothing behind: 50 times', { timeout: 300000 }, async (t) => {
  const { site, server } = await start(t, ['--world', 'main=cloth']);
  const browser = await openBrowser(t, { args: ['--js-flags=--expose-gc'] });
  const page = await openDocument(browser, site);
  await page.waitForFunction(() => customElements.get('weft-world'));
  const left = await page.evaluate(async ([src, times]) => {
    const contexts = [];
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function get(...args) {
      const context = getContext.apply(this, args);
      if (context instanceof WebGL2RenderingContext) contexts.push(new WeakRef(context));
      return context;
    };
    const elements = [];
    let drawn = 0;
    const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });
    for (let time = 0; time < times; time++) {
      const element = document.createElement('weft-world');
      elements.push(new WeakRef(element));
      element.setAttribute('controls', '');
      element.src = src;
      document.body.append(element);
      // Removed in every state: while it connects, after its first picture, and at once.
      if (time % 5 === 0) await new Promise((done) => { element.addEventListener('load', () => { drawn++; done(); }, { once: true }); });
      else if (time % 5 < 3) await pause(40 * (time % 5));
      element.remove();
    }
    const end = performance.now() + 20000;
    const living = () => elements.filter((one) => one.deref()).length;
    while (performance.now() < end && living() > 0) {
      await pause(200);
      await globalThis.gc({ type: 'major', execution: 'async' }); // with an empty stack, which may hold anything
    }
    const open = contexts.filter((one) => one.deref()?.isContextLost() === false).length;
    return { drawn, living: living(), contexts: open };
  }, [server.url('main'), 50]);
  t.diagnostic(JSON.stringify(left));
  assert.deepEqual(left, { drawn: 10, living: 0, contexts: 0 });
  await until(() => page.workers().length === 0, 'the workers have ended');
  await until(async () => (await server.clients()) === 0, 'nobody is in the world any more');
  assert.deepEqual(page.complaints, []);
});
