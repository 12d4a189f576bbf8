// SPDX-License-Identifier: MIT
// The alerts and the dashboard in docker/: every metric and label that they name exists in /metrics, and the real Prometheus
// answers each of their queries with figures of a real cluster, one of whose nodes is killed.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort } from '../support/cache.mjs';
import { ownerOf, startNodes } from '../support/nodes.mjs';
import { readMetrics, valueOf } from '../support/prometheus.mjs';
import { until } from '../support/wait.mjs';
import { readYaml } from '../support/yaml.mjs';
import { ROOT, run } from '../support/weftd.mjs';

const PATIENCE_MS = 60000;
const OWN = new Set(['up', 'ALERTS']); // those of Prometheus itself
const ADDED = ['job', 'instance', 'le']; // labels of every scraped sample, and of buckets
const OPERATORS = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'ignoring', 'group_left', 'group_right', 'bool', 'offset']);

const read = (path) => readFile(join(ROOT, path), 'utf8');
const rules = readYaml(await read('docker/prometheus/alerts.yaml')).groups.flatMap((group) => group.rules);
const described = [...(await read('server/CLUSTER.md')).matchAll(/^\| (Weft\w+) \| .+ \| .+ \|$/gm)].map(([, alert]) => alert);
const dashboard = JSON.parse(await read('docker/grafana/weft.json'));
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const shown = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: title, expr })));
const queries = [...shown, ...rules.map(({ alert, expr }) => ({ where: alert, expr }))];
const variables = dashboard.templating.list.filter(({ type }) => type === 'query').map(({ name, definition }) => {
  const [, selector, label] = /^label_values\((.*), (\w+)\)$/.exec(definition);
  return { where: `$${name}`, expr: `count by (${label}) (${selector})` };
});
const annotations = dashboard.annotations.list.map(({ name, expr }) => ({ where: name, expr }));

/** The selectors of a query, `NAME{LABEL="…"}`: their names and labels; and the labels that it groups by. */
function namesOf(expr) {
  const grouped = [];
  const rest = expr.replace(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_, labels) => (grouped.push(...labels.split(',').map((label) => label.trim())), ''));
  const selectors = [...rest.replace(/\[[^\]]*\]/g, '').matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?(\s*\()?/g)]
    .filter(([, name, , call]) => !call && !OPERATORS.has(name))
    .map(([, name, matchers = '']) => ({ name, labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label) }));
  return { selectors, grouped };
}

/** The names of all samples, and the labels of each. */
function samplesOf(metrics) {
  const labels = new Map();
  for (const { samples } of metrics.values()) {
    for (const sample of samples) labels.set(sample.name, new Set([...ADDED, ...Object.keys(sample.labels)]));
  }
  return labels;
}

const metricsOf = async (node) => readMetrics(await (await fetch(node.http('/metrics'))).text());

test('the names in a query are found', () => {
  assert.deepEqual(namesOf('histogram_quantile(0.5, sum by (instance, le) (rate(a_bucket{job="weft", world=~"$world"}[$__rate_interval])))'), {
    selectors: [{ name: 'a_bucket', labels: ['job', 'world'] }], grouped: ['instance', 'le'],
  });
  assert.deepEqual(namesOf('a{x!="1"} == 1 and b < 0.5').selectors, [{ name: 'a', labels: ['x'] }, { name: 'b', labels: [] }]);
});

test('alerts and dashboard name metrics and labels that the server has', async (t) => {
  const { nodes: [node] } = await startNodes(t, 1, ['--world', 'lab=empty']);
  const there = samplesOf(await metricsOf(node));
  for (const { where, expr } of [...queries, ...variables]) {
    const { selectors, grouped } = namesOf(expr);
    assert.ok(selectors.length > 0, `${where}: ${expr}`);
    for (const { name, labels } of selectors) {
      assert.ok(there.has(name) || OWN.has(name), `${where}: there is no metric ${name}`);
      for (const label of there.has(name) ? [...labels, ...grouped] : []) assert.ok(there.get(name).has(label), `${where}: ${name} has no label ${label}`);
    }
  }
});

test('an alert says what it means, and what to do; a panel has a sentence, too', () => {
  for (const { alert, labels, annotations: { summary, description } } of rules) {
    assert.match(alert, /^Weft[A-Z]\w+$/);
    assert.match(labels.severity, /^(critical|warning)$/, alert);
    assert.ok(summary.length > 10 && !summary.endsWith('.') && description.endsWith('.'), alert);
  }
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
  assert.deepEqual([...described].sort(), rules.map(({ alert }) => alert).sort(), 'server/CLUSTER.md says what to do');
  for (const { title, description } of panels) assert.match(description, /^[A-Z0-9].*\.$/, title);
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
});

test('promtool finds the configuration right, and each alert comes when it should, and only then', async () => {
  for (const args of [['check', 'config', 'docker/prometheus/prometheus.yaml'], ['test', 'rules', 'docker/prometheus/alerts.test.yaml']]) {
    const { status, stdout, stderr } = await run('promtool', [...args.slice(0, -1), join(ROOT, args.at(-1))]);
    assert.equal(status, 0, stdout + stderr);
  }
  const tried = await read('docker/prometheus/alerts.test.yaml');
  for (const { alert } of rules) assert.ok(tried.includes(`"${alert}"`), `alerts.test.yaml does not make ${alert} fire`);
});

/** Prometheus as docker/prometheus/ configures it, but for the targets and a shorter interval; its API. */
async function startPrometheus(t, targets) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-prometheus-'));
  const configuration = (await read('docker/prometheus/prometheus.yaml')).replace(/_interval: 5s/g, '_interval: 1s').replace(/targets: .*/, `targets: ${JSON.stringify(targets)}`);
  await writeFile(join(folder, 'prometheus.yaml'), configuration);
  await writeFile(join(folder, 'alerts.yaml'), await read('docker/prometheus/alerts.yaml'));
  const port = await freePort();
  const child = spawn('prometheus', [`--config.file=${folder}/prometheus.yaml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => { said += text; });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const get = async (path, parameters = {}) => {
    const answer = await (await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(parameters)}`)).json();
    assert.equal(answer.status, 'success', `${JSON.stringify(parameters)}: ${answer.error}`);
    return answer.data;
  };
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`Prometheus has ended: ${said}`);
    return fetch(`http://127.0.0.1:${port}/-/ready`).then(({ status }) => status === 200, () => false);
  }, 'Prometheus', PATIENCE_MS);
  return get;
}

test('the real Prometheus answers every query of the dashboard, and evaluates every alert', { timeout: 240000 }, async (t) => {
  const { nodes } = await startNodes(t, 3, ['--world', 'lab=cloth']);
  const get = await startPrometheus(t, nodes.map(({ port }) => `127.0.0.1:${port}`));
  const ask = async (expr) => {
    const query = expr.replace(/\$__rate_interval/g, '1m').replace(/\$(node|world)\b/g, '.+');
    assert.ok(!query.includes('$'), `a variable that nothing sets: ${query}`);
    return (await get('query', { query })).result;
  };
  await until(async () => (await ask('count_over_time(up{job="weft"}[1m])'))[0]?.value[1] > 2, 'a few scrapes', PATIENCE_MS);
  for (const { where, expr } of [...shown, ...variables]) {
    const result = await ask(expr);
    assert.ok(result.length > 0, `${where} shows nothing: ${expr}`);
    assert.ok(result.every(({ value }) => Number.isFinite(Number(value[1]))), `${where}: ${JSON.stringify(result)}`);
  }
  for (const { expr } of annotations) await ask(expr);
  const states = async () => {
    const all = (await get('rules')).groups.flatMap((group) => group.rules);
    return new Map(all.map((rule) => [rule.name, rule]));
  };
  const evaluated = await until(async () => {
    const all = await states();
    return [...all.values()].every(({ health }) => health !== 'unknown') && all;
  }, 'an evaluation of every rule', PATIENCE_MS);
  assert.deepEqual([...evaluated.keys()].sort(), rules.map(({ alert }) => alert).sort());
  for (const [name, { health, lastError, state }] of evaluated) {
    assert.equal(health, 'ok', `${name}: ${lastError}`);
    assert.notEqual(state, 'firing', name);
  }
  const owner = await ownerOf(nodes, 'lab');
  const instance = `127.0.0.1:${owner.port}`;
  const one = async (expr) => (await ask(expr))[0]?.value[1];
  assert.equal(await one('max(weft_world_epoch{world="lab"})'), '1');
  assert.deepEqual([await one('sum(weft_node_worlds)'), await one('max(weft_node_unavailable_worlds)'), await one('min(weft_node_nodes)')], ['1', '0', '3']);
  await owner.end('SIGKILL');
  const firing = async (name) => (await states()).get(name).alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.instance);
  const [heir] = await until(async () => (await firing('WeftTakeovers')).length > 0 && firing('WeftTakeovers'), 'an alert about the takeover', PATIENCE_MS);
  assert.notEqual(heir, instance);
  await until(async () => (await one('max(weft_world_epoch{world="lab"})')) > 1, 'the epoch of the takeover', PATIENCE_MS);
  await until(async () => (await firing('WeftServerDown')).includes(instance), 'an alert about the node that was killed', PATIENCE_MS);
  assert.deepEqual(await firing('WeftNoSpareServer'), []);
});

test('a node counts its lease and its worlds: taken, given, lost, refused', { timeout: 120000 }, async (t) => {
  const { address, nodes } = await startNodes(t, 2, ['--world', 'lab=empty', '--paused']);
  const owner = await ownerOf(nodes, 'lab');
  const other = nodes.find((node) => node !== owner);
  const value = async (node, name, labels) => valueOf(await metricsOf(node), name, labels);
  const reaches = (node, name, wanted) => until(async () => (await value(node, name)) === wanted, `${name} ${wanted}`, PATIENCE_MS);
  const lease = await value(owner, 'weft_node_lease_seconds');
  assert.ok(lease > 0.5 && lease <= 3, `${lease} s`);
  assert.ok(await value(owner, 'weft_node_renewals_total') > 0);
  assert.ok(await value(owner, 'weft_node_headroom_processors') > 0);
  await reaches(owner, 'weft_node_nodes', 2);
  assert.deepEqual([await value(owner, 'weft_node_worlds'), await value(other, 'weft_node_worlds')], [1, 0]);
  const url = (node) => `http://127.0.0.1:${node.port}`;
  const client = await owner.connect('lab');
  await client.call('node.drain', { url: url(owner) });
  await reaches(owner, 'weft_node_given_total', 1);
  await reaches(other, 'weft_node_opened_total', 1);
  assert.equal(await value(owner, 'weft_node_draining'), 1);
  assert.equal(await value(other, 'weft_world_epoch', { world: 'lab' }), 2);
  const sql = async (text) => {
    const { status, stderr } = await run('psql', [address, '-c', text]);
    assert.equal(status, 0, stderr);
  };
  await sql('UPDATE node SET draining=false');
  await sql(`UPDATE owner SET epoch=epoch+1, url='${url(owner)}', node=(SELECT node FROM node WHERE url='${url(owner)}')`);
  await reaches(other, 'weft_node_lost_total', 1);
  await reaches(owner, 'weft_node_opened_total', 1);
  await sql('UPDATE timeline SET physics=7');
  await new Promise((resolve) => setTimeout(resolve, 5000)); // a node that has just joined takes no world of another
  await owner.end('SIGKILL');
  await reaches(other, 'weft_node_refused_worlds', 1);
  assert.deepEqual([await value(other, 'weft_node_unavailable_worlds'), await value(other, 'weft_node_takeovers_total')], [1, 0]);
});
