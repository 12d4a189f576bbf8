// SPDX-License-Identifier: MIT
// Monitoring: figures in Prometheus' format, and the health of the server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMetrics, valueOf } from '../support/prometheus.mjs';
import { sleep, until } from '../support/wait.mjs';
import { laboratory, RawSocket, Weftd } from '../support/weftd.mjs';

const metricsOf = async (server) => {
  const answer = await fetch(server.http('/metrics'));
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  return readMetrics(await answer.text());
};

test('metrics are what they measure', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--world', 'other=default']);
  const client = await server.connect('lab');
  const lab = { world: 'lab' };
  await client.call('cloth.spawn', { columns: 20, rows: 20, position: [0, 4, 0] });
  const before = await metricsOf(server);
  await assert.rejects(client.call('object.get', { object: 4000000000 }));
  await assert.rejects(client.call('world.step', { ticks: 1 }));
  await sleep(1000);
  const after = await metricsOf(server);
  const value = (name, labels = lab) => valueOf(after, name, labels);
  const rise = (name, labels = lab) => value(name, labels) - valueOf(before, name, labels);
  assert.equal(value('weft_world_particles'), 400);
  assert.equal(value('weft_world_objects'), 1);
  assert.equal(value('weft_world_clients'), 1);
  assert.equal(value('weft_world_running'), 1);
  assert.equal(value('weft_net_clients', {}), 1);
  assert.equal(rise('weft_world_refusals_total', { ...lab, code: '-32002' }), 1);
  assert.equal(rise('weft_world_refusals_total', { ...lab, code: '-32004' }), 1);
  assert.equal(rise('weft_world_refusals_total', { ...lab, code: '-32005' }), 0);
  const ticks = rise('weft_world_ticks_total');
  assert.ok(ticks > 5 && ticks < 500, `${ticks} ticks`);
  assert.ok(Math.abs(rise('weft_world_tick') - ticks) <= 1);
  for (const name of ['duration', 'lateness']) {
    const histogram = after.get(`weft_world_tick_${name}_seconds`);
    const count = histogram.samples.find((sample) => sample.name.endsWith('_count') && sample.labels.world === 'lab').value;
    assert.ok(Math.abs(count - value('weft_world_ticks_total')) <= 1);
  }
  const stages = after.get('weft_world_stage_seconds_total').samples.filter(({ labels }) => labels.world === 'lab');
  const spent = stages.reduce((sum, sample) => sum + sample.value, 0);
  const sum = after.get('weft_world_tick_duration_seconds').samples.find((sample) => sample.name.endsWith('_sum') && sample.labels.world === 'lab').value;
  assert.deepEqual(stages.map(({ labels }) => labels.stage).sort(), Object.keys((await client.call('world.get')).timing.stagesMs).sort());
  assert.ok(spent > 0.3 * sum && spent < 1.2 * sum + 1e-3, `${spent} s of ${sum} s are in stages`);
  const resident = await server.residentBytes();
  assert.ok(Math.abs(value('process_resident_memory_bytes', {}) - resident) < 0.2 * resident);
  assert.ok(rise('process_cpu_seconds_total', {}) > 0);
  assert.ok(rise('weft_net_bytes_received_total', {}) > 100);
});

test('refusals are counted by their code, whatever refuses', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty', '--rate', '10']);
  const raw = await RawSocket.open(t, server.url('lab'));
  await raw.next();
  raw.send('{');
  raw.send('[]');
  for (let id = 0; id < 60; id++) raw.send({ jsonrpc: '2.0', id, method: 'world.set', params: { friction: 0.5 } });
  await raw.answer(59);
  const metrics = await metricsOf(server);
  const refused = (code) => valueOf(metrics, 'weft_world_refusals_total', { world: 'lab', code });
  assert.equal(refused('-32700'), 1);
  assert.equal(refused('-32600'), 1);
  assert.ok(refused('-32005') >= 20);
});

test('healthz tells of each world, and with livez and readyz is red while one is stuck', { timeout: 90000 }, async (t) => {
  const { server, call } = await laboratory(t);
  const well = await fetch(server.http('/healthz'));
  const health = await well.json();
  assert.equal(well.status, 200);
  assert.equal(health.status, 'ok');
  assert.deepEqual(health.worlds.map(({ name, running, stuck }) => ({ name, running, stuck })), [{ name: 'lab', running: false, stuck: false }]);
  assert.equal(health.store.well, true);
  for (const path of ['/livez', '/readyz']) {
    const probe = await fetch(server.http(path));
    assert.deepEqual([probe.status, probe.headers.get('content-type'), await probe.json()], [200, 'application/json', { status: 'ok', reasons: [] }], path);
  }
  await call('world.set', { iterations: 256, substeps: 64 });
  for (let k = 0; k < 6; k++) await call('cloth.spawn', { columns: 400, rows: 400, position: [0, 10 * k, 0], spacing: 0.02 });
  await call('world.resume');
  const red = await until(async () => {
    const answer = await fetch(server.http('/healthz'));
    return answer.status === 503 && answer.json();
  }, 'a red light', 30000);
  assert.equal(red.status, 'failing');
  assert.equal(red.worlds[0].stuck, true);
  for (const path of ['/livez', '/readyz']) {
    const probe = await fetch(server.http(path));
    assert.deepEqual([probe.status, await probe.json()], [503, { status: 'failing', reasons: ['1 of 1 worlds have not ended a turn for 5 s'] }], path);
  }
  await metricsOf(server); // the figures are still available
  // The thread sanitizer delays signals until the receiving thread makes a system call, which a tick does not, and then
  // reports threads that were not joined.
  if (process.env.WEFT_SANITIZER === 'thread') {
    await server.end('SIGKILL');
    return;
  }
  const began = performance.now();
  const exit = await server.end();
  assert.ok(performance.now() - began < 6000);
  assert.deepEqual(exit, { code: 1, signal: null }); // a tick that does not end is aborted, which is reported
  assert.match(server.stderr, /a world did not end its tick/);
});

