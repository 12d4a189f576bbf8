// SPDX-License-Identifier: MIT
// Parameter sweeps: a grid of values is run in branches that are removed afterwards, on a server and in a local world; the same sweep
// gives the same numbers to the bit; it can be canceled, and what is impossible is refused with a sentence.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { until } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { audit } from './access.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const SLOW = { timeout: 120000 };

const sweep = (page) => page.getByRole('region', { name: 'Parameter sweep' });
const field = (page, name) => sweep(page).getByLabel(name, { exact: true });
const button = (page, name) => sweep(page).getByRole('button', { name, exact: true });
const call = (page, method, params) => page.evaluate(([wanted, given]) => window.weft.page.client.call(wanted, given), [method, params ?? {}]);
const worlds = async (page) => (await call(page, 'world.list')).worlds.map(({ name }) => name);

/** The texts of the cells, by rows; the numbers with all digits. */
const cells = (page) => sweep(page).locator('.sweep-table tbody tr').evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.title || cell.textContent)));

/** Gravity in `gravities` steps, and the compliance of a rope twice. */
async function fill(page, ticks, gravities = 3) {
  await field(page, 'First parameter').selectOption('gravity');
  await field(page, 'First value of first parameter').fill('5');
  await field(page, 'Last value of first parameter').fill('15');
  await field(page, 'Number of values of first parameter').fill(String(gravities));
  await field(page, 'Second parameter').selectOption('object.stretchCompliance');
  await field(page, 'First value of second parameter').fill('0.001');
  await field(page, 'Last value of second parameter').fill('0.1');
  await field(page, 'Number of values of second parameter').fill('2');
  await field(page, 'Spacing of second parameter').selectOption('log');
  await field(page, 'Object').selectOption({ index: 1 });
  await field(page, 'Ticks').fill(String(ticks));
}

async function run(page) {
  await button(page, 'Run sweep').click();
  await sweep(page).getByText(/runs of \d+ ticks from tick \d+/).waitFor(SLOW);
  return cells(page);
}

test('a grid of two parameters is run, sorted, saved, repeated to the bit, and canceled', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const script = await server.connect('main');
  await script.call('rope.spawn', { name: 'rope', from: [0, 3, 0], to: [0.8, 3, 0], particles: 8, stretchCompliance: 0.01 });
  const browser = await openBrowser(t);
  const page = await openPage(browser, server.http('/?panel=compare'));
  await sweep(page).waitFor(SLOW);
  await fill(page, 60);
  await field(page, 'Result').selectOption('min');
  await field(page, 'Mean height of the object (m)').check();
  const before = await script.call('world.get');
  const first = await run(page);
  assert.equal(first.length, 6);
  assert.deepEqual(first.map(([gravity, compliance]) => [Number(gravity), Number(compliance)]), [[5, 0.001], [5, 0.1], [10, 0.001], [10, 0.1], [15, 0.001], [15, 0.1]]);
  assert.equal(new Set(first.map((row) => row.at(-1))).size, 6, 'each run ends in another state');
  assert.ok(first.every((row) => /^[0-9a-f]{16}$/.test(row.at(-1))));
  const heights = first.map((row) => Number(row.at(-2)));
  assert.ok(heights[5] < heights[4] && heights[4] < heights[0], `softer and heavier is lower: ${heights}`);
  assert.deepEqual(await worlds(page), ['main'], 'the branches are gone');
  const after = await script.call('world.get');
  assert.deepEqual([after.tick, after.stateHash], [before.tick, before.stateHash], 'the world itself stays');

  await sweep(page).getByRole('columnheader', { name: /^Mean height/ }).getByRole('button').click();
  assert.deepEqual((await cells(page)).map((row) => Number(row.at(-2))), [...heights].sort((a, b) => a - b));
  assert.equal(await sweep(page).getByRole('columnheader', { name: /^Mean height/ }).getAttribute('aria-sort'), 'ascending');
  assert.deepEqual(await run(page), first, 'the same to the bit');
  await keepScreenshot(page, 'sweep');
  await audit(page, 'the panel of sweeps');

  const [csv] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
  const lines = (await readFile(await csv.path(), 'utf8')).trim().split('\n');
  assert.match(lines[0], /^gravity \(m\/s²\),object\.stretchCompliance \(m\/N\),.*height \(m\) min,tick,state_hash$/);
  assert.deepEqual(lines.slice(1).map((line) => line.split(',').at(-1)), first.map((row) => row.at(-1)));
  const [npz] = await Promise.all([page.waitForEvent('download'), button(page, 'Download NPZ').click()]);
  assert.equal((await readFile(await npz.path())).subarray(0, 4).toString('latin1'), 'PK\u0003\u0004');

  await field(page, 'Number of values of first parameter').fill('150');
  await button(page, 'Run sweep').click();
  await sweep(page).getByText('This makes 300 runs; a sweep can have at most 200. Choose fewer values.').waitFor(SLOW);
  await fill(page, 36000);
  await button(page, 'Run sweep').click();
  await sweep(page).getByText('Run 1 of 6').waitFor(SLOW);
  await button(page, 'Cancel').click();
  await sweep(page).getByText('The sweep was canceled. Its worlds were removed.').waitFor(SLOW);
  assert.deepEqual(await worlds(page), ['main']);
  assert.deepEqual(page.complaints, []);
});

test('a local world is swept in the page', { timeout: 300000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty', '--paused']);
  const page = await openPage(await openBrowser(t), server.http('/?world=local:rope&panel=compare'));
  await call(page, 'world.pause');
  await until(() => page.evaluate(() => window.weft.page.client.topology?.objects.length > 0), 'the rope');
  await fill(page, 30, 2);
  const first = await run(page);
  assert.equal(first.length, 4);
  assert.deepEqual(await run(page), first, 'the same to the bit');
  assert.equal((await worlds(page)).length, 1, 'the branches are gone');
  assert.deepEqual(page.complaints, []);
});
