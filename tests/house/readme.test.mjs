// SPDX-License-Identifier: MIT
// The README is correct: its scripts run unchanged, except for the port and the paths of files.
import assert from 'node:assert/strict';
import { spawnSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { until } from '../support/wait.mjs';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = (language) => [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1]);

function scratch(t) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-readme-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('every file and folder that the README names exists', () => {
  const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map((match) => match[1]);
  const folders = [...readme.matchAll(/^\| (`[^|]+) \|/gm)].flatMap((match) => [...match[1].matchAll(/`([^`]+)`/g)]).map((match) => match[1]);
  assert.ok(links.length > 3 && folders.length > 9);
  for (const path of [...links, ...folders]) assert.ok(existsSync(join(ROOT, path)), path);
});

test('the first commands of the README do what they say', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const lines = blocks('sh').join('').split('\n').filter((line) => line.startsWith('build/weftctl call '));
  assert.ok(lines.length >= 2);
  for (const line of lines) {
    const { status, stderr } = await run(WEFTCTL, line.split(' ').slice(1), { env: { WEFT_PORT: String(server.port) } });
    assert.equal(status, 0, `${line}: ${stderr}`);
  }
  const client = await server.connect('main');
  const { objects } = await client.call('object.list');
  assert.deepEqual(objects.map(({ name, particles }) => [name, particles]), [['curtain', 600]]);
  assert.deepEqual((await client.call('world.get')).wind.velocity, [0, 0, 4]);
});

test('the curl command of the README posts a request', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const [block] = blocks('sh').filter((text) => text.includes('/rpc'));
  const { status, stdout, stderr } = await run('sh', ['-c', block.replace('127.0.0.1:8080', `127.0.0.1:${server.port}`)]);
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(stdout).result.particles, 20);
});

test('the Python script of the README runs', async (t) => {
  if (spawnSync('python3', ['-c', 'import websockets']).status !== 0) return t.skip('python3-websockets is not installed');
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const script = blocks('python')[0].replace('127.0.0.1:8080', `127.0.0.1:${server.port}`);
  const { status, stdout, stderr } = await run('python3', ['-c', script]);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^world main at tick \d+\nafter a second its first corner is at \[/);
});

test('the JavaScript of the README runs', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const file = join(scratch(t), 'hello.mjs');
  const script = blocks('js')[0]
    .replace('127.0.0.1:8080', `127.0.0.1:${server.port}`)
    .replace("'./web/", `'${ROOT}/web/`)
    .replace("'ws'", `'${ROOT}/tests/node_modules/ws/wrapper.mjs'`);
  writeFileSync(file, script);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  await until(() => /tick \d+: 30 particles\ntick/.test(output) || child.exitCode !== null, 'two lines');
  assert.match(output, /^tick \d+: 30 particles\n/);
});
