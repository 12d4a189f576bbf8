// SPDX-License-Identifier: MIT
// Exporting the world: every file that the page makes is read here by other programs than those that wrote it.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { AnimationMixer } from '../../web/node_modules/three/build/three.module.js';
import { GLTFLoader } from '../../web/node_modules/three/examples/jsm/loaders/GLTFLoader.js';
import { withDuration } from '../../web/viewer/scene/webm.js';
import validator from 'gltf-validator';
import { ROOT, Weftd } from '../support/weftd.mjs';
import { sleep, until as untilWithin } from '../support/wait.mjs';
import { audit } from './access.mjs';
import { distance, keepScreenshot, openBrowser, openPage } from './page.mjs';

const BUILD = process.env.WEFT_BUILD ? resolve(process.env.WEFT_BUILD) : join(ROOT, 'build');
const PATIENCE_MS = 60000; // on a busy machine
const until = (condition, what) => untilWithin(condition, what, PATIENCE_MS);

const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };
const ARRAYS = { 5121: Uint8Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };

// Parses a binary glTF: its JSON, and its accessors.
function readGlb(file) {
  assert.equal(file.toString('latin1', 0, 4), 'glTF');
  assert.equal(file.readUInt32LE(8), file.length);
  const jsonBytes = file.readUInt32LE(12);
  const json = JSON.parse(file.toString('utf8', 20, 20 + jsonBytes));
  const start = 28 + jsonBytes;
  const read = (index) => {
    const { bufferView, componentType, count, type, byteOffset = 0 } = json.accessors[index];
    const view = json.bufferViews[bufferView];
    const from = file.byteOffset + start + (view.byteOffset ?? 0) + byteOffset;
    const bytes = count * COMPONENTS[type] * ARRAYS[componentType].BYTES_PER_ELEMENT;
    return new ARRAYS[componentType](file.buffer.slice(from, from + bytes));
  };
  const mesh = (name) => json.meshes[json.nodes.find((node) => node.name === name).mesh].primitives[0];
  return { json, read, mesh };
}

async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: 60000 }), page.getByRole('button', { name, exact: true }).click()]);
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

async function keep(name, bytes) {
  const path = join(BUILD, 'screenshots', name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
  return path;
}

const said = (page) => page.locator('.export-said').textContent();

test('the world is exported as picture, models, animation and film', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  await client.call('world.set', { bounds: { min: [-2, 0, -2], max: [2, 4, 2] }, wind: { velocity: [0, 0, 0] } });
  const { object: sheetId } = await client.call('cloth.spawn', { columns: 12, rows: 9, spacing: 0.1, position: [0, 2, 0], name: 'sheet', color: '#3366cc', tear: 1.5 });
  await client.call('body.spawn', { shape: 'box', size: [0.4, 0.2, 0.6], position: [1, 3.5, 0], name: 'block' });
  await client.call('rope.spawn', { from: [-1, 2, 0], to: [-1, 1, 0], particles: 10, pin: 'start', name: 'cord' });
  await client.call('obstacle.add', { shape: 'sphere', position: [0, 0.5, 0], radius: 0.5, name: 'ball' });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/'), { viewport: { width: 960, height: 600 } });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('button', { name: 'Image (PNG)' }).waitFor();

  await t.test('a PNG shows the picture', async () => {
    const { name, bytes } = await download(page, 'Image (PNG)');
    assert.match(name, /^weft-main-\d+\.png$/);
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    const shades = await page.evaluate(async (base64) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 40 });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0, 64, 40);
      const { data } = context.getImageData(0, 0, 64, 40);
      return { width: image.width, height: image.height, shades: new Set(Array.from({ length: 64 * 40 }, (_, i) => data.slice(4 * i, 4 * i + 3).join())).size };
    }, bytes.toString('base64'));
    assert.ok(shades.shades > 100, `${shades.shades} different colours`);
    assert.deepEqual([shades.width, shades.height], [1920, 1080], 'unless another size is asked for');
    for (const [width, height] of [[333, 777], [2560, 1440]]) {
      await page.getByLabel('width in pixels').fill(String(width));
      await page.getByLabel('height in pixels').fill(String(height));
      const other = await download(page, 'Image (PNG)');
      assert.deepEqual([other.bytes.readUInt32BE(16), other.bytes.readUInt32BE(20)], [width, height]);
      t.diagnostic(`screenshot: ${await keep(`export-${width}.png`, other.bytes)}`);
    }
    const [drawn, wanted] = await page.evaluate(() => {
      const { quality: { ratio }, page: { stage: { canvas, element } } } = window.weft;
      return [[canvas.width, canvas.height], [Math.floor(element.clientWidth * ratio), Math.floor(element.clientHeight * ratio)]];
    });
    assert.deepEqual(drawn, wanted, 'the window is drawn as before');
    assert.equal(await page.getByLabel('Size px').inputValue(), '2', '2560 × 1440 is one of those to choose');
    await page.getByLabel('width in pixels').fill('0');
    await page.getByRole('button', { name: 'Image (PNG)' }).click();
    await until(async () => (await said(page)) === 'Width and height must be whole numbers from 16 to 8192.', 'the sentence');
    await page.getByLabel('Size px').selectOption('1920 × 1080');
  });

  await t.test('a glTF holds every object where it is, in its colour', async () => {
    await client.call('world.pause');
    const truth = await client.call('particle.read', { object: sheetId });
    const clothAt = truth.positions.flat();
    await until(() => page.evaluate(([id, at]) => window.weft.objects.find((object) => object.id === id).positions.every((value, i) => Math.abs(value - at[i]) < 1e-3), [sheetId, clothAt]), 'the last frame');
    const { json, read, mesh } = readGlb((await download(page, 'Model (glTF)')).bytes);
    assert.deepEqual(json.nodes.map(({ name }) => name).filter(Boolean).sort(), ['ball', 'block', 'cord', 'floor', 'sheet']);
    const sheet = read(mesh('sheet').attributes.POSITION);
    assert.equal(sheet.length, 3 * 108);
    assert.ok(sheet.every((value, i) => Math.abs(value - clothAt[i]) < 2e-3));
    assert.equal(read(mesh('sheet').indices).length, 3 * 2 * 11 * 8);
    const { baseColorFactor } = json.materials[mesh('sheet').material].pbrMetallicRoughness;
    assert.ok(baseColorFactor[2] > 2 * baseColorFactor[0], `${baseColorFactor}`);
    const block = read(mesh('block').attributes.POSITION);
    const corners = Array.from({ length: block.length / 3 }, (_, i) => block.subarray(3 * i, 3 * i + 3));
    const longest = Math.max(...corners.flatMap((a) => corners.map((b) => distance(a, b))));
    assert.ok(Math.abs(longest - Math.hypot(0.4, 0.2, 0.6)) < 2e-3, `its diagonal is ${longest} m`);
    const ball = json.nodes.find(({ name }) => name === 'ball');
    assert.deepEqual(ball.translation, [0, 0.5, 0]);
  });

  await t.test('an OBJ holds the same triangles', async () => {
    const text = String((await download(page, 'Model (OBJ)')).bytes);
    assert.match(text, /^o sheet$/m);
    const faces = text.slice(text.indexOf('o sheet')).split(/^o /m)[1].match(/^f /gm).length;
    assert.equal(faces, 2 * 11 * 8);
    assert.doesNotMatch(text, /NaN/);
  });

  await t.test('a world that stands still is no animation, and that is said', async () => {
    await page.getByLabel('Length s').fill('1');
    await page.getByRole('button', { name: 'Animation (glTF)' }).click();
    await page.getByRole('button', { name: 'Finish now' }).waitFor();
    await until(async () => /Nothing moved/.test(await said(page)), 'the sentence');
    await client.call('world.resume');
  });

  await t.test('an animation moves as the world did, through a tear too', async () => {
    await page.getByLabel('Length s').fill('5'); // the tear is within it on a busy machine, too
    const saving = download(page, 'Animation (glTF)');
    await page.getByRole('button', { name: 'Finish now' }).waitFor();
    const { grab } = await client.call('grab.start', { object: sheetId, particle: 107 });
    for (let i = 1; i <= 30; i++) {
      await client.call('grab.move', { grab, position: [0.5 + 0.1 * i, 1.5, 0.1 * i] });
      await sleep(20);
    }
    await client.call('grab.end', { grab });
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'export-recording')}`);
    const { bytes } = await saving;
    const { json, read } = readGlb(bytes);
    assert.equal(json.animations.length, 1);
    const { channels, samplers } = json.animations[0];
    const times = read(samplers[channels.findIndex(({ target }) => target.path === 'weights')].input);
    assert.ok(times.every((time, i) => i === 0 || time > times[i - 1]), 'times rise');
    const stretches = json.nodes.filter(({ name }) => name?.startsWith('stretch'));
    assert.ok(stretches.length > 1, 'it tore: there is a mesh for each stretch');
    const shown = channels.filter(({ target }) => target.path === 'scale');
    assert.equal(shown.length, stretches.length);
    const on = (time) => shown.filter(({ sampler }) => {
      const [input, output] = [read(samplers[sampler].input), read(samplers[sampler].output)];
      return output[3 * input.findLastIndex((at) => at <= time + 1e-6)] === 1;
    }).length;
    for (const time of [0, 0.4, 0.9, 1.5, 1.9]) assert.equal(on(time), 1, `at ${time} s`);
    // Every weight track shows one target at a time, and some target moves a vertex by centimetres.
    for (const { sampler, target } of channels.filter(({ target: { path } }) => path === 'weights')) {
      const primitive = json.meshes[json.nodes[target.node].mesh].primitives[0];
      const [input, output] = [read(samplers[sampler].input), read(samplers[sampler].output)];
      assert.equal(output.length, input.length * primitive.targets.length);
      assert.ok(output.every((weight) => weight === 0 || weight === 1));
    }
    const moved = json.meshes.flatMap(({ primitives }) => primitives[0].targets ?? []).some(({ POSITION }) => read(POSITION).some((by) => Math.abs(by) > 0.05));
    assert.ok(moved);
    assert.match(await said(page), /\.glb: .* s in \d+ samples/);
    // An animation player shows the same: in the middle one part of the recording is visible, and it differs from the
    // beginning.
    const { scene, animations: [clip] } = await new GLTFLoader().parseAsync(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), '');
    const mixer = new AnimationMixer(scene);
    mixer.clipAction(clip).play();
    mixer.setTime(clip.duration / 2);
    const groups = scene.children.filter(({ name }) => name.startsWith('stretch'));
    assert.equal(groups.filter(({ scale }) => scale.x === 1).length, 1);
    const blended = [];
    groups.find(({ scale }) => scale.x === 1).traverse(({ morphTargetInfluences }) => blended.push(...(morphTargetInfluences ?? [])));
    assert.ok(blended.some((weight) => weight > 0.2), 'a sample is shown');
  });

  await t.test('a film has a length, and a player can play it', async () => {
    await page.getByLabel('Length s').fill('2');
    const { bytes } = await download(page, 'Video (WebM)');
    assert.equal(bytes.readUInt32BE(0), 0x1a45dfa3);
    const at = bytes.indexOf(Buffer.from([0x44, 0x89, 0x88]));
    const ms = bytes.readDoubleBE(at + 3);
    assert.ok(at > 0 && ms > 1500 && ms < 20000, `${ms} ms`);
    t.diagnostic(`a film of ${ms.toFixed(0)} ms, ${bytes.length} bytes`);
    // The content security policy forbids the page itself to play the video, so another page does.
    const player = await (await browser.newContext()).newPage();
    const played = await player.evaluate(async (base64) => {
      const video = document.createElement('video');
      video.muted = true;
      video.src = `data:video/webm;base64,${base64}`;
      await new Promise((resolve, reject) => {
        video.onloadeddata = resolve;
        video.onerror = () => reject(new Error(video.error.message));
      });
      return { duration: video.duration, size: [video.videoWidth, video.videoHeight] };
    }, bytes.toString('base64'));
    assert.ok(Math.abs(1000 * played.duration - ms) < 200, `${played.duration} s`);
    assert.deepEqual(played.size, [1920, 1080]);
    assert.equal(await page.evaluate(() => window.weft.page.stage.output), null, 'the window is drawn as before');
  });

  await t.test('what is under way can be given up', async () => {
    await page.getByLabel('Length s').fill('60');
    for (const name of ['Animation (glTF)', 'Video (WebM)']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await until(async () => (await said(page)) === 'Canceled.', name);
      assert.equal(await page.getByRole('button', { name, exact: true }).isEnabled(), true);
    }
    await page.getByLabel('Length s').fill('0');
    await page.getByRole('button', { name: 'Video (WebM)' }).click();
    await until(async () => (await said(page)) === 'The length must be 1 to 60 s.', 'the sentence');
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'export')}`);
    await audit(page, 'exporting');
  });
  assert.deepEqual(page.complaints, []);
});

/** The errors and warnings of the Khronos validator for a binary glTF. */
async function faultsOf(bytes) {
  const { issues } = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 50, ignoredIssues: ['UNUSED_OBJECT'] });
  return issues.messages.filter(({ severity }) => severity <= 1).map(({ code, message, pointer }) => `${code} ${pointer}: ${message}`);
}

test('every scene is a sound glTF to the validator of Khronos, still and moving, and the browser has nothing to complain of', { timeout: 600000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const client = await server.connect('main');
  const { scenes } = await client.call('scene.list');
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/source.html'), { viewport: { width: 640, height: 360 } }); // the page of the modules used below
  const exported = (moving) => page.evaluate(async (wanted) => {
    const { glbOf, movingScene, shownPositions, stillScene } = await import('/viewer/scene/export.js');
    const { recordFrames } = await import('/viewer/scene/recording.js');
    const { client: own, page: { world } } = window.weft;
    let made = [stillScene(world.topology, shownPositions(world))];
    if (wanted) {
      const options = { seconds: 0.3, perSecond: 15, tickHz: 60, bytesMax: 2 ** 26 };
      const { scene, clip } = await movingScene(await recordFrames(own, options, () => {}, new AbortController().signal), async () => {});
      made = [scene, clip];
    }
    const bytes = new Uint8Array(await (await glbOf(...made)).arrayBuffer());
    let text = '';
    for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
    return btoa(text);
  }, moving).then((text) => Buffer.from(text, 'base64'));
  const shown = (name) => page.waitForFunction((scene) => window.weft.page.state?.scene === scene && window.weft.page.world.topology?.epoch === window.weft.client.topology?.epoch, name);
  // A world that is too slow for its clock accepts no commands for a while.
  const load = (name) => until(() => client.call('scene.load', { name }).catch((error) => assert.equal(error.code, -32000, error.message)), `the scene ${name}`);
  for (const { name } of scenes) {
    await load(name);
    await shown(name);
    assert.deepEqual(await faultsOf(await exported(false)), [], `${name}, still`);
    // In a world without motion there is no animation, which the page reports.
    const moving = await exported(true).catch((error) => { assert.match(error.message, /Nothing moved/); return null; });
    if (moving) assert.deepEqual(await faultsOf(moving), [], `${name}, moving`);
  }
  // Cases that no scene has: an empty world, a surface without area, colours of maximum brightness, a capsule of length 0.
  await client.call('scene.load', { name: 'empty' });
  await shown('empty');
  assert.deepEqual(await faultsOf(await exported(false)), [], 'nothing');
  await client.call('cloth.spawn', { columns: 8, rows: 8, position: [0, 2, 0], color: '#ffffff', name: 'white' });
  await client.call('cloth.spawn', { columns: 8, rows: 8, position: [2, 2, 0], color: '#000000' });
  await client.call('mesh.spawn', { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5], triangles: [0, 1, 2], masses: [1, 1, 1, 1] });
  await client.call('obstacle.add', { shape: 'capsule', from: [0, 1, 0], to: [0, 1.001, 0], radius: 0.1 });
  await client.call('obstacle.add', { shape: 'plane', position: [0, 0, 0], normal: [0, -1, 0] });
  await page.waitForFunction(() => window.weft.page.world.topology?.obstacles.length === 2 && window.weft.objects.length === 3);
  assert.deepEqual(await faultsOf(await exported(false)), [], 'what no scene has');
  assert.deepEqual(page.complaints, []);
});

// ---- the duration of a video ------------------------------------------------------------------------------------------

const element = (id, ...content) => {
  const body = Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(2n ** 56n | BigInt(body.length));
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
};
const double = (value) => {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return bytes;
};
const header = element('1a45dfa3', element('4282', Buffer.from('webm')));
const scale = element('2ad7b1', Buffer.from([0x0f, 0x42, 0x40]));
const cluster = element('1f43b675', Buffer.from('pictures'));

test('a film that says no length gets it, one that says it stays, and what is no film too', () => {
  const film = (...info) => Buffer.concat([header, element('18538067', element('1549a966', scale, ...info), cluster)]);
  const lengthOf = (bytes) => {
    const at = Buffer.from(bytes).indexOf(Buffer.from([0x44, 0x89, 0x88]));
    return at < 0 ? null : Buffer.from(bytes).readDoubleBE(at + 3);
  };
  for (const bytes of [film(), film(element('4489', double(0)))]) {
    const longer = Buffer.from(withDuration(bytes, 2500));
    assert.equal(lengthOf(longer), 2500);
    assert.ok(longer.includes('pictures'));
    assert.equal(Number(longer.readBigUInt64BE(header.length + 4) & 0xffffffffn), longer.length - header.length - 12, 'the segment grew with it');
    assert.equal(withDuration(longer, 9), longer, 'once is enough');
  }
  const known = film(element('4489', double(7)));
  assert.equal(withDuration(known, 2500), known);
  for (const other of [Buffer.from('no film'), Buffer.alloc(0), film().subarray(0, 40)]) assert.equal(withDuration(other, 5), other);
});
