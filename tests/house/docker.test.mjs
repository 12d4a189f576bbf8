// SPDX-License-Identifier: MIT
// Properties of the container image and of Compose's files that can be tested without a container engine: data folders, files,
// what the parts of a cluster know of each other, and whether the health check detects a server, with and without TLS.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, run, WEFTD, Weftd } from '../support/weftd.mjs';
import { readYaml } from '../support/yaml.mjs';

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

const cluster = readYaml(await read('docker/compose.cluster.yaml'));
const NODES = ['node1', 'node2', 'node3'];

test('the cluster of Compose has every image in a version, every file, volume and service that it names, and is for this machine only', async () => {
  assert.deepEqual(Object.keys(cluster.services), ['primary', 'standby', ...NODES, 'nginx', 'prometheus', 'grafana']);
  const volumes = new Set();
  for (const [name, service] of Object.entries(cluster.services)) {
    if (!service.build) assert.match(service.image, /^[\w./-]+:v?\d+\.\d+(\.\d+)?$/, name);
    assert.equal(service.restart, 'unless-stopped', name);
    assert.deepEqual(service.security_opt, ['no-new-privileges:true'], name);
    for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/, name);
    for (const other of Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {})) assert.ok(other in cluster.services, `${name}: ${other}`);
    for (const volume of service.volumes ?? []) {
      const [source, target] = volume.split(':');
      if (!source.startsWith('.')) volumes.add(source);
      else if (target.endsWith('.sh')) assert.ok((await stat(join(ROOT, 'docker', source))).mode & 0o001, `${source} can be executed`);
      else await stat(join(ROOT, 'docker', source));
    }
  }
  assert.deepEqual([...volumes].sort(), Object.keys(cluster.volumes).sort());
  const [{ targets }] = readYaml(await read('docker/prometheus/prometheus.yaml')).scrape_configs[0].static_configs;
  assert.deepEqual(targets, NODES.map((node) => `${node}:8080`));
  const [{ url }] = readYaml(await read('docker/grafana/provisioning/datasources/prometheus.yaml')).datasources;
  assert.equal(url, 'http://prometheus:9090');
  const [{ options }] = readYaml(await read('docker/grafana/provisioning/dashboards/weft.yaml')).providers;
  assert.ok(cluster.services.grafana.volumes.includes(`./grafana/weft.json:${options.path}/weft.json:ro`));
});

test('the nodes of the cluster get variables that weftd has, and nginx leads to each by the address that it has for the others', async () => {
  const { stdout: help } = await run(WEFTD, ['--help']);
  const [nginx, keeper] = [await read('docker/cluster/nginx.conf'), await read('docker/cluster/primary.sh')];
  for (const [at, node] of NODES.entries()) {
    const { environment } = cluster.services[node];
    for (const name of Object.keys(environment)) assert.ok(help.includes(` ${name} `), `weftd knows no ${name}`);
    assert.ok(environment.WEFT_NODE_URL.endsWith(`/nodes/${at + 1}`));
    assert.equal(environment.WEFT_ALLOW_HOST, node, 'Prometheus asks by this name');
    assert.match(nginx, new RegExp(`^ {4}server ${node}:8080 resolve`, 'm'));
    assert.match(nginx, new RegExp(`^upstream ${node} \\{.*server ${node}:8080 resolve`, 'm'));
    assert.match(nginx, new RegExp(`~\\^/nodes/${at + 1}/ ${node};`));
    assert.match(environment.WEFT_STORE, /^postgres:\/\/weft:\$\{WEFT_DATABASE_PASSWORD:\?[^}]*\}@primary,standby\/weft\?target_session_attrs=read-write$/);
  }
  assert.match(keeper, /CREATE ROLE weft LOGIN/);
  assert.match(keeper, /CREATE DATABASE weft OWNER weft/);
});

test('what is kept and what is made stay out of the image', async () => {
  const ignored = (await read('.dockerignore')).split('\n');
  for (const path of ['.git', 'build', '**/node_modules', 'web/vendor', 'data/', 'server/scenes/saved']) assert.ok(ignored.includes(path), path);
});
