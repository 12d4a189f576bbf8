// SPDX-License-Identifier: MIT
// HTTP: the page and its modules, health, figures; and requests that are refused.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { laboratory, run, Weftd, WEFTD } from '../support/weftd.mjs';

const fromRoot = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

// as make does: the files of the page may have changed since
before(() => execFileSync(process.execPath, [fromRoot('web/compress.mjs')], { stdio: 'pipe' }));

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

test('what a package manager left beside the page is not served', async (t) => {
  const web = await mkdtemp(join(tmpdir(), 'weft-web-'));
  t.after(() => rm(web, { recursive: true }));
  const paths = ['node_modules/three/package.json', 'node_modules/.package-lock.json', 'package.json', 'package-lock.json', 'Package-Lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'vendor/node_modules/a.js'];
  for (const path of [...paths, 'index.html', 'packages.json', 'node_modules_are_fine.js']) {
    await mkdir(dirname(join(web, path)), { recursive: true });
    await writeFile(join(web, path), 'x');
  }
  const { server } = await laboratory(t, ['--web', web]);
  for (const path of paths) assert.equal((await fetch(server.http(`/${path}`))).status, 404, path);
  for (const path of ['', 'packages.json', 'node_modules_are_fine.js']) assert.equal((await fetch(server.http(`/${path}`))).status, 200, path);
});

test('without /proc the resident memory is its peak', async (t) => {
  const masked = ['--mount', 'sh', '-c', 'mount -t tmpfs none /proc && exec "$@"', 'sh'];
  if ((await run('unshare', [...masked, 'true'])).status !== 0) return t.skip('this system lets nobody hide /proc');
  const server = await Weftd.start(t, [...masked, WEFTD, '--port', '0', '--world', 'lab=empty', '--paused'], { program: 'unshare' });
  const metrics = await (await fetch(server.http('/metrics'))).text();
  const bytes = Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)[1]);
  assert.ok(bytes > 1e6 && bytes < 1e9, `${bytes}`);
});

// A normal client would normalize the path before the request.
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

// The raw response: fetch would request gzip, and unpack it, by itself.
const raw = (server, path, headers = {}, method = 'GET') => new Promise((resolve, reject) => {
  request({ port: server.port, path, method, headers }, (answer) => {
    const parts = [];
    answer.on('data', (part) => parts.push(part)).on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body: Buffer.concat(parts) }));
  }).on('error', reject).end();
});

test('text goes out in gzip to who takes it, and as it is to all others, each with a tag of its own', async (t) => {
  const { server } = await laboratory(t);
  const path = '/client/client.js';
  const plain = await raw(server, path);
  assert.equal(plain.headers['content-encoding'], undefined);
  for (const accepted of ['gzip', 'deflate, gzip, br', 'gzip;q=0.5', '*', 'br;q=1, GZIP']) {
    const packed = await raw(server, path, { 'Accept-Encoding': accepted });
    assert.equal(packed.headers['content-encoding'], 'gzip', accepted);
    assert.equal(packed.headers.vary, 'Accept-Encoding');
    assert.equal(Number(packed.headers['content-length']), packed.body.length);
    assert.ok(packed.body.length < plain.body.length / 2, `${packed.body.length} of ${plain.body.length} bytes`);
    assert.deepEqual(gunzipSync(packed.body), plain.body);
    assert.notEqual(packed.headers.etag, plain.headers.etag);
  }
  for (const refused of ['br', 'gzip;q=0', 'gzip; q=0.000', 'identity', 'gzipped', '']) {
    const answer = await raw(server, path, { 'Accept-Encoding': refused });
    assert.equal(answer.headers['content-encoding'], undefined, refused);
    assert.equal(answer.headers.vary, 'Accept-Encoding');
    assert.deepEqual(answer.body, plain.body);
  }
});

test('what a client has already is not sent again, in gzip neither', async (t) => {
  const { server } = await laboratory(t);
  const gzip = { 'Accept-Encoding': 'gzip' };
  const [plain, packed] = [await raw(server, '/client/frame.js'), await raw(server, '/client/frame.js', gzip)];
  const again = await raw(server, '/client/frame.js', { ...gzip, 'If-None-Match': packed.headers.etag });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
  assert.equal(again.headers.etag, packed.headers.etag);
  const other = await raw(server, '/client/frame.js', { ...gzip, 'If-None-Match': plain.headers.etag });
  assert.equal(other.status, 200, 'the tag of another representation');
  const head = await raw(server, '/client/frame.js', gzip, 'HEAD');
  assert.equal(Number(head.headers['content-length']), packed.body.length);
  assert.equal(head.body.length, 0);
});

test('a file is sent as it is where it has no .gz beside it, or one that is older than the file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-web-'));
  t.after(() => rm(folder, { recursive: true }));
  const server = await Weftd.start(t, ['--web', folder]);
  const [path, packed] = [join(folder, 'large.js'), join(folder, 'large.js.gz')];
  const [first, second] = [1, 2].map((n) => Buffer.from(`export const a = ${n};\n`.repeat(1000)));
  const ask = (accepted) => raw(server, '/large.js', { 'Accept-Encoding': accepted });
  const expect = async (accepted, encoding, text) => {
    const { headers, body } = await ask(accepted);
    assert.equal(headers['content-encoding'], encoding);
    assert.deepEqual(encoding === 'gzip' ? gunzipSync(body) : body, text);
  };
  await writeFile(path, first);
  await expect('gzip', undefined, first);
  await writeFile(packed, gzipSync(first));
  await utimes(path, 1000, 1000);
  for (const changed of [1000, 1001]) {
    await utimes(packed, changed, changed);
    await expect('gzip', 'gzip', first);
    await expect('br', undefined, first);
  }
  await writeFile(path, second);
  await utimes(path, 1002, 1002);
  await expect('gzip', undefined, second);
  assert.equal((await raw(server, '/none.js', { 'Accept-Encoding': 'gzip' })).status, 404);
});

test('the build compresses the modules of the page', () => {
  for (const path of ['client/client.js', 'viewer/main.js', 'vendor/three/three.core.js']) {
    const file = fromRoot(`web/${path}`);
    assert.ok(statSync(`${file}.gz`).size < statSync(file).size / 2, path);
    assert.deepEqual(gunzipSync(readFileSync(`${file}.gz`)), readFileSync(file), path);
  }
});
