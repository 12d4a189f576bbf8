// SPDX-License-Identifier: MIT
// What weftd serves beside worlds: the page and its modules, health, figures; and what it does not serve.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { laboratory } from '../support/weftd.mjs';

test('the page and its modules come with the types that browsers ask for', async (t) => {
  const { server } = await laboratory(t);
  for (const [path, type] of [['/', 'text/html'], ['/client/client.js', 'text/javascript'], ['/client/worker.js', 'text/javascript']]) {
    const answer = await fetch(server.http(path));
    assert.equal(answer.status, 200, path);
    assert.ok(answer.headers.get('content-type').startsWith(type), `${path}: ${answer.headers.get('content-type')}`);
    assert.ok((await answer.text()).length > 0);
  }
});

test('every module that the page\'s client imports is served', async (t) => {
  const { server } = await laboratory(t);
  const [open, seen] = [['/client/client.js', '/client/worker.js'], new Set()];
  while (open.length > 0) {
    const path = open.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    const answer = await fetch(server.http(path));
    assert.equal(answer.status, 200, path);
    for (const [, imported] of (await answer.text()).matchAll(/from '(\.[^']+)'/g)) open.push(new URL(imported, server.http(path)).pathname);
  }
  assert.ok(seen.size > 8);
});

test('healthz tells that it is well, metrics in the text that Prometheus reads', async (t) => {
  const { server } = await laboratory(t);
  const health = await fetch(server.http('/healthz'));
  assert.equal(health.status, 200);
  const metrics = await fetch(server.http('/metrics'));
  assert.equal(metrics.status, 200);
  assert.match(metrics.headers.get('content-type'), /^text\/plain/);
  const text = await metrics.text();
  assert.match(text, /^# TYPE weft_\w+ (gauge|counter)$/m);
  assert.match(text, /^weft_\w+(\{[^}]*world="lab"[^}]*\})? [\d.e+-]+$/m);
});

// A plain client would tidy the path up before asking for it.
const ask = (port, target) =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`));
    socket.setEncoding('utf8').setTimeout(5000, () => socket.destroy());
    socket.on('data', (data) => (text += data)).on('close', () => resolve(text)).on('error', reject);
  });

test('what is no file is 404, and nothing outside of the page\'s folder is served', async (t) => {
  const { server } = await laboratory(t);
  assert.equal((await fetch(server.http('/no/such/file.js'))).status, 404);
  for (const target of ['/../LICENSE', '/client/../../LICENSE', '/%2e%2e/LICENSE', '/..%2fLICENSE', '//etc/passwd', '/client/..%2f..%2fLICENSE', '/\\..\\LICENSE']) {
    const answer = await ask(server.port, target);
    assert.doesNotMatch(answer, /MIT License|root:/, target);
    assert.doesNotMatch(answer.split('\r\n')[0], / 200 /, target);
  }
});
