// SPDX-License-Identifier: MIT
// Caches in front of a server, started on free ports with their files in a temporary folder: nginx as docker/nginx.conf configures
// it, and Varnish as it comes. Between cache and server stands a counter of the requests that get through.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './wait.mjs';
import { ROOT } from './weftd.mjs';

const PATIENCE_MS = 60000;
const PATHS = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

/** A port of this machine that nothing listens on. */
export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const { port } = server.address();
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

/** Passes requests on to a server, and counts them by their path. */
export async function countingProxy(t, port) {
  const counts = new Map();
  const agent = new http.Agent({ keepAlive: true });
  const proxy = http.createServer((request, response) => {
    const { method, headers, url: path } = request;
    counts.set(path, (counts.get(path) ?? 0) + 1);
    const onward = http.request({ host: '127.0.0.1', port, method, path, agent, headers: { ...headers, host: `127.0.0.1:${port}` } }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    onward.end();
  });
  await new Promise((resolve) => { proxy.listen(0, '127.0.0.1', resolve); });
  t.after(() => {
    proxy.closeAllConnections();
    proxy.close();
    agent.destroy();
  });
  return { port: proxy.address().port, counts };
}

async function startCache(t, program, args, folder, port) {
  const child = spawn(program, args, { env: PATHS, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => { said += text; });
  const ended = new Promise((resolve) => { child.on('close', resolve).on('error', resolve); });
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`${program} has ended: ${said}`);
    return fetch(`http://127.0.0.1:${port}/`).then(() => true, () => false);
  }, `${program}: ${said}`, PATIENCE_MS);
  return { port };
}

/** nginx, with what docker/nginx.conf says of broadcasts. */
export async function startNginx(t, origin) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-nginx-'));
  const port = await freePort();
  const example = await readFile(join(ROOT, 'docker/nginx.conf'), 'utf8');
  const [location] = example.match(/ {4}location ~ [^\n]*broadcast[^]*?\n {4}\}/);
  const [cachePath] = example.match(/^proxy_cache_path .*$/m);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n');
  await writeFile(join(folder, 'nginx.conf'), `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
    ${process.getuid() === 0 ? 'user root;' : ''} events { worker_connections 4096; }
    http { access_log off; ${temporary}
    ${cachePath.replace('/var/cache/nginx/weft', `${folder}/cache`)}
    server { listen 127.0.0.1:${port} backlog=4096;
    ${location.replace('http://127.0.0.1:8080', `http://127.0.0.1:${origin}`)} } }`);
  return startCache(t, 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')], folder, port);
}

/** Varnish without any configuration. */
export async function startVarnish(t, origin) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-varnish-'));
  const port = await freePort();
  return startCache(t, 'varnishd', ['-F', '-j', 'none', '-n', join(folder, 'v'), '-a', `127.0.0.1:${port}`, '-b', `127.0.0.1:${origin}`, '-s', 'malloc,64m', '-T', 'none'], folder, port);
}

/** Gets a path as often as is said, all at once on so many connections; returns the statuses that came, with their numbers. */
export async function getMany(port, paths, times, connections = 100) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const statuses = {};
  const get = (path) => new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port, path, agent }, (answer) => {
      statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
      answer.resume().on('end', resolve).on('error', reject);
    }).on('error', reject);
  });
  const viewer = async () => { for (const path of paths) await get(path); };
  await Promise.all(Array.from({ length: times }, viewer));
  agent.destroy();
  return statuses;
}
