// SPDX-License-Identifier: MIT
// Connecting a second device: the QR code that a server prints is decoded, and its address opened.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/wait.mjs';
import { Weftd } from '../support/weftd.mjs';
import { modulesOf, textOf } from './qr.mjs';

const codeLines = (text) => text.split('\n').filter((line) => /[█▀▄]/.test(line)).map((line) => line.slice(2));
const isWhole = (lines) => lines.length > 1 && 2 * lines.length >= [...lines[0]].length;

test('the code of a server open to the network leads to its page', async (t) => {
  const server = await Weftd.start(t, ['--host', '0.0.0.0', '--insecure-public', '--world', 'lab=empty'], { env: { container: '' } });
  await until(() => isWhole(codeLines(server.out.text)) || server.out.text.includes('in no network'));
  if (server.out.text.includes('in no network')) return t.skip('this machine has no address but its own');
  const url = textOf(modulesOf(codeLines(server.out.text)));
  assert.match(url, new RegExp(`^http://[0-9.]+:${server.port}/`));
  assert.ok(server.out.text.includes(`  ${url}\n`), 'the code says what stands above it');
  const page = await fetch(url);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<html/);
});

test('a server in a container does not tell the address of the container', async (t) => {
  const server = await Weftd.start(t, ['--host', '0.0.0.0', '--insecure-public', '--world', 'lab=empty'], { env: { container: 'docker' } });
  await server.end();
  assert.deepEqual(codeLines(server.out.text), []);
  assert.doesNotMatch(server.out.text, /In your network/);
});

test('a server for this machine only prints no code', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  await server.end();
  assert.deepEqual(codeLines(server.out.text), []);
});
