// SPDX-License-Identifier: MIT
// Properties of the container image that can be tested without a container engine: its data folders, its files, and whether
// its health check detects a server, with and without TLS.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, run, Weftd } from '../support/weftd.mjs';

const read = (path) => readFile(join(ROOT, path), 'utf8');
const check = async (port, ...args) => (await run(join(ROOT, 'docker/healthcheck.sh'), args, { env: { WEFT_PORT: String(port) } })).status;

test('the health check sees a server, with TLS and without, and that there is none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-docker-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const [key, cert] = [join(folder, 'key'), join(folder, 'cert')];
  const made = await run('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert, '-subj', '/CN=localhost', '-days', '2']);
  assert.equal(made.status, 0, made.stderr);
  const plain = await Weftd.start(t, ['--world', 'lab=empty']);
  assert.equal(await check(plain.port), 0, 'without TLS');
  const tls = await Weftd.start(t, ['--world', 'lab=empty', '--tls-cert', cert, '--tls-key', key]);
  assert.equal(await check(tls.port), 0, 'with TLS');
  assert.equal(await check(plain.port, '/readyz'), 0, 'ready');
  assert.notEqual(await check(plain.port, '/nothing'), 0, 'no such path');
  await tls.stop();
  assert.notEqual(await check(tls.port), 0, 'nobody there');
});

test('the health check fails where the server says that it is not well, or says nothing', async (t) => {
  let asked = '';
  let answer = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n';
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => { asked += data; });
    if (answer) socket.end(answer);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  assert.notEqual(await check(server.address().port), 0, '503');
  assert.match(asked, /^GET \/livez HTTP\/1\.1\r\n/, 'a full disk is no reason to start anew');
  answer = '';
  const start = performance.now();
  assert.notEqual(await check(server.address().port), 0, 'silence');
  assert.ok(performance.now() - start < 15000);
});

test('Compose keeps worlds and scenes on volumes, in the folders that the image has for them', async () => {
  const [compose, dockerfile, steps] = [await read('docker/compose.yaml'), await read('docker/Dockerfile'), await read('docker/build.sh')];
  assert.match(compose, /WEFT_DATA: \/data\n/);
  assert.match(compose, /- data:\/data\n/);
  assert.match(compose, /^volumes:[^]*^ {2}data:$/m, 'a named volume');
  assert.match(dockerfile, /^VOLUME .*\/data\b/m);
  assert.match(dockerfile, /^ENV .*WEFT_DATA=\/data\b/m);
  assert.match(steps, /install -d -o weft .*\/data"/, 'which the server may write to');
  assert.match(steps, /install_packages .*\bopenssl\b/, 'for the health check');
});

test('what is kept and what is made stay out of the image', async () => {
  const ignored = (await read('.dockerignore')).split('\n');
  for (const path of ['.git', 'build', '**/node_modules', 'web/vendor', 'data/', 'server/scenes/saved']) assert.ok(ignored.includes(path), path);
});
