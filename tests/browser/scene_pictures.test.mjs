// SPDX-License-Identifier: MIT
// The scenes of joints, round bodies, compounds, fabrics, soft bodies and gas on the page: their cards open, and everything in them
// is drawn, in its own colour; what is round looks round.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/wait.mjs';
import { laboratory, Weftd } from '../support/weftd.mjs';
import { CARDS } from '../../web/viewer/tools/explain/cards.js';
import { drawn, keepScreenshot, openBrowser, openPage } from './page.mjs';

/** The scenes, and the tick at which each is looked at. @type {Record<string, number>} */
const SCENES = { bridge: 20, catapult: 60, crane: 100, walker: 100, marbles: 60, furniture: 100, fabrics: 100, jelly: 60, balloons: 10 };
const LEAST = 6; // pixels
const HIDDEN = 0.34; // share of the colors that may be out of sight: marbles roll in gutters
const HUE = 20; // degrees: how far a lit colour may be from that of its object

/**
 * In the page: how many pixels each visible mesh of objects and sticks changes, how many hues of the scene are seen in them, and
 * how many hues there are.
 */
function inspect(hueRange) {
  const { stage, world } = window.weft.page;
  const gl = stage.renderer.getContext();
  const read = () => {
    stage.renderer.render(stage.scene, stage.camera);
    const pixels = new Uint8Array(4 * gl.drawingBufferWidth * gl.drawingBufferHeight);
    gl.readPixels(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    return pixels;
  };
  const hueOf = (r, g, b) => {
    const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
    if (most < 30 || most - least < 0.3 * most) return null; // grey
    const part = most === r ? (g - b) / (most - least) : most === g ? 2 + (b - r) / (most - least) : 4 + (r - g) / (most - least);
    return (60 * part + 360) % 360;
  };
  const whole = read();
  const meshes = { bodies: world.bodies.mesh, round: world.rounds.mesh, ragdolls: world.ragdolls.mesh, sticks: world.sticks.mesh };
  // Loose particles may be within an obstacle, as nails.
  for (const entry of world.entries.values()) if (entry.view?.mesh && entry.kind !== 'particles') meshes[entry.object.name || `object ${entry.id}`] = entry.view.mesh;
  const seen = new Set();
  const pixels = {};
  for (const [name, mesh] of Object.entries(meshes)) {
    if (!mesh?.visible) continue;
    mesh.visible = false;
    const bare = read();
    mesh.visible = true;
    let count = 0;
    for (let i = 0; i < whole.length; i += 4) {
      if (Math.abs(whole[i] - bare[i]) + Math.abs(whole[i + 1] - bare[i + 1]) + Math.abs(whole[i + 2] - bare[i + 2]) < 24) continue;
      count++;
      const hue = hueOf(whole[i], whole[i + 1], whole[i + 2]);
      if (hue !== null) seen.add(Math.floor(hue));
    }
    pixels[name] = count;
  }
  read(); // the picture shows everything again
  const wanted = [...world.entries.values()].map(({ object }) => object.color).filter(Boolean)
    .map((color) => ({ color, hue: hueOf(...[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))) })).filter(({ hue }) => hue !== null);
  const isSeen = (hue) => [...seen].some((one) => Math.min(Math.abs(one - hue), 360 - Math.abs(one - hue)) <= hueRange);
  return { pixels, missing: wanted.filter(({ hue }) => !isSeen(hue)).map(({ color }) => color), wanted: wanted.length };
}

test('the scenes of new kinds are drawn, and their cards open', { timeout: 280000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const client = await server.connect('main');
  const page = await openPage(await openBrowser(t), server.http('/?panel=explain'));
  for (const [name, ticks] of Object.entries(SCENES)) {
    await client.call('scene.load', { name });
    await client.call('world.step', { ticks });
    const { counts } = await client.call('world.get');
    await page.waitForFunction(({ objects, particles }) => (
      window.weft.page.world.topology?.objects.length === objects && window.weft.page.world.topology.particles === particles), counts);
    await page.locator('#dock-explain').getByRole('heading', { name: CARDS[name].title, exact: true }).waitFor();
    assert.ok(await page.evaluate(() => window.weft.page.actions.run('frame')));
    await drawn(page, 6);
    const found = await until(async () => {
      const { pixels, missing, wanted } = await page.evaluate(inspect, HUE);
      return Object.values(pixels).every((count) => count >= LEAST) && missing.length <= HIDDEN * wanted && { pixels, wanted };
    }, `the picture of ${name}`, 20000).catch(async (error) => {
      throw new Error(`${error.message}: ${JSON.stringify(await page.evaluate(inspect, HUE))}; ${await keepScreenshot(page, `scene-${name}`)}`);
    });
    t.diagnostic(`${name}: pixels ${JSON.stringify(found.pixels)}; ${found.wanted} colors; ${await keepScreenshot(page, `scene-${name}`)}`);
    assert.ok(Object.keys(found.pixels).length > 0);
    assert.deepEqual(page.complaints, [], name);
  }
});

test('a ball and a soft ball have no visible faces', async (t) => {
  const { server, call } = await laboratory(t);
  await call('body.spawn', { shape: 'sphere', radius: 0.5, position: [-0.8, 0.5, 0], color: '#d9573f' });
  await call('soft.spawn', { shape: 'ball', radius: 0.5, cells: [8], position: [0.8, 0.5, 0], color: '#2f8fa8' });
  const page = await openPage(await openBrowser(t), server.http('/?world=lab'));
  await page.waitForFunction(() => window.weft.objects.length === 2);
  await drawn(page, 6);
  // The share of neighbouring pixels of a ball between which the brightness jumps, as it does at the borders of flat faces.
  const jumps = await page.evaluate(() => {
    const { stage, world } = window.weft.page;
    stage.renderer.shadowMap.enabled = false;
    const gl = stage.renderer.getContext();
    const width = gl.drawingBufferWidth;
    stage.renderer.render(stage.scene, stage.camera);
    const pixels = new Uint8Array(4 * width * gl.drawingBufferHeight);
    gl.readPixels(0, 0, width, gl.drawingBufferHeight, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    const box = stage.canvas.getBoundingClientRect();
    return [...world.entries.values()].map(({ positions, count }) => {
      const centre = [0, 1, 2].map((axis) => positions.reduce((sum, value, i) => sum + (i % 3 === axis ? value / count : 0), 0));
      const [middle, top] = [stage.project(centre), stage.project([centre[0], centre[1] + 0.5, centre[2]])];
      const scale = width / box.width;
      const reach = 0.6 * scale * Math.abs(top.y - middle.y);
      const [x, y] = [Math.round((middle.x - box.left) * scale), Math.round((box.bottom - middle.y) * scale)];
      let [large, all] = [0, 0];
      for (let row = Math.round(y - reach); row < y + reach; row++) {
        for (let column = Math.round(x - reach); column < x + reach; column++) {
          if ((row - y) ** 2 + (column - x) ** 2 > reach ** 2) continue;
          const at = 4 * (row * width + column);
          const step = [0, 1, 2].reduce((sum, channel) => sum + Math.abs(pixels[at + channel] - pixels[at + 4 + channel]), 0);
          if (step > 12) large++;
          all++;
        }
      }
      return { all, share: large / all };
    });
  });
  t.diagnostic(`${JSON.stringify(jumps)}; ${await keepScreenshot(page, 'balls-without-faces')}`);
  for (const { all, share } of jumps) assert.ok(all > 500 && share < 0.008, JSON.stringify(jumps));
});
