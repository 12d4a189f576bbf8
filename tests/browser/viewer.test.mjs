// SPDX-License-Identifier: MIT
// Parts of the page that need no browser: snapshot interpolation, picking, surfaces, and adaptive quality.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SnapshotBuffer } from '../../web/viewer/timing/interpolation.js';
import { makeHit, nearestCorner, rayObstacle, rayParticles, raySticks, rayTriangles } from '../../web/viewer/geometry/pick.js';
import { Precision } from '../../web/viewer/timing/precision.js';
import { LEVELS, Quality } from '../../web/viewer/timing/quality.js';
import { bodyTriangles, clothTriangles, ropeSticks } from '../../web/client/lattice.js';
import { aroundOf, edgeDistances, embed, rimOf, weave } from '../../web/viewer/scene/surface.js';
import { seeded } from '../support/random.mjs';

const TICK_MS = 1000 / 60;
const frame = (tick, receivedAt, more = {}) => ({ tick, epoch: 1, refresh: false, receivedAt, ...more });

// Simulates `seconds` of a world and a display: frames of every tick arrive `delay(tick)` ms late, `rate` times as fast as
// real time.
function play({ seconds, delay, displayHz = 144, rate = 1, buffer = new SnapshotBuffer() }) {
  const arrivals = [];
  for (let tick = 1; tick <= 60 * seconds * rate; tick++) arrivals.push(frame(tick, (tick * TICK_MS) / rate + delay(tick)));
  arrivals.sort((a, b) => a.receivedAt - b.receivedAt || a.tick - b.tick);
  const shown = [];
  let newest = 0;
  for (let now = 0, next = 0; now < seconds * 1000; now += 1000 / displayHz) {
    for (; next < arrivals.length && arrivals[next].receivedAt <= now; next++) {
      if (arrivals[next].tick <= newest) continue; // frames arrive in order
      newest = arrivals[next].tick;
      buffer.push(arrivals[next]);
    }
    const sample = buffer.sample(now);
    if (sample) shown.push({ now, newest, moment: buffer.shownTick, tick: sample.from.tick + sample.alpha * (sample.to.tick - sample.from.tick) });
  }
  return shown;
}

const steps = (shown) => shown.slice(1).map(({ tick }, i) => tick - shown[i].tick);

test('what is shown never runs backwards and never passes the newest frame', (t) => {
  const { seed, real: random } = seeded();
  t.diagnostic(`seed ${seed}`);
  const shown = play({ seconds: 6, delay: () => 40 * random() });
  for (const { tick, moment, newest } of shown) assert.ok(tick <= newest && moment <= newest, `tick ${moment} of ${newest}`);
  for (const step of steps(shown)) assert.ok(step >= 0, `a step of ${step} ticks`);
});

test('motion is even on a display of 144 Hz although frames come with 12 ms of jitter', (t) => {
  const { seed, real: random } = seeded();
  t.diagnostic(`seed ${seed}`);
  const shown = play({ seconds: 8, delay: () => 5 + 12 * random() }).filter(({ now }) => now > 3000);
  const expected = 60 / 144;
  for (const step of steps(shown)) assert.ok(Math.abs(step - expected) < 0.25 * expected, `a step of ${step} ticks, not ${expected}`);
});

test('the display stays less than 80 ms behind a quiet connection', () => {
  const shown = play({ seconds: 5, delay: () => 3 }).filter(({ now }) => now > 2000);
  for (const { now, tick } of shown) assert.ok(now - tick * TICK_MS < 80, `${now - tick * TICK_MS} ms behind`);
});

test('a world at 0.4 times real time is shown as evenly', () => {
  const shown = play({ seconds: 8, delay: () => 4, rate: 0.4 }).filter(({ now }) => now > 3000);
  const expected = (60 * 0.4) / 144;
  for (const step of steps(shown)) assert.ok(Math.abs(step - expected) < 0.3 * expected, `a step of ${step} ticks, not ${expected}`);
});

test('a burst after a stall is caught up with', () => {
  const shown = play({ seconds: 6, delay: (tick) => (tick > 120 && tick < 140 ? (140 - tick) * TICK_MS : 2) });
  const last = shown.at(-1);
  assert.ok(last.now - last.tick * TICK_MS < 120, `${last.now - last.tick * TICK_MS} ms behind`);
});

test('a refresh of a world that stands still is shown at once', () => {
  const buffer = new SnapshotBuffer();
  buffer.push(frame(10, 0));
  buffer.push(frame(11, 16));
  buffer.sample(17);
  const refresh = frame(11, 400, { refresh: true });
  buffer.push(refresh);
  const { from, to } = buffer.sample(401);
  assert.equal(from, refresh);
  assert.equal(to, refresh);
});

test('frames of two epochs are never mixed', () => {
  const buffer = new SnapshotBuffer();
  for (let tick = 1; tick <= 30; tick++) buffer.push(frame(tick, tick * TICK_MS, { epoch: tick < 20 ? 1 : 2 }));
  const epochs = new Set();
  for (let now = 16; now < 700; now += 3) {
    const { from, to } = buffer.sample(now);
    assert.equal(from.epoch, to.epoch);
    epochs.add(from.epoch);
  }
  assert.deepEqual([...epochs], [1, 2]);
});

test('a world that starts anew at tick 0 is shown from its first frame on', () => {
  const buffer = new SnapshotBuffer();
  for (let tick = 500; tick < 520; tick++) buffer.push(frame(tick, tick * TICK_MS));
  buffer.sample(519 * TICK_MS);
  buffer.push(frame(0, 520 * TICK_MS, { epoch: 2 }));
  assert.equal(buffer.sample(520 * TICK_MS + 1).from.epoch, 2);
});

test('every frame is released exactly once, and never while it is shown', () => {
  const released = [];
  const buffer = new SnapshotBuffer({ capacity: 6, release: ({ tick }) => released.push(tick) });
  for (let tick = 1; tick <= 200; tick++) {
    buffer.push(frame(tick, tick * TICK_MS));
    const { from, to } = buffer.sample(tick * TICK_MS + 2);
    assert.ok(!released.includes(from.tick) && !released.includes(to.tick));
  }
  buffer.clear();
  assert.deepEqual(released, Array.from({ length: 200 }, (_, i) => i + 1));
});

test('a ray meets the nearer of two triangles, from behind too', () => {
  const positions = new Float32Array([-1, -1, 0, 1, -1, 0, 0, 1, 0, -1, -1, -2, 1, -1, -2, 0, 1, -2]);
  const triangles = new Uint32Array([0, 1, 2, 3, 5, 4]);
  const hit = makeHit();
  assert.ok(rayTriangles([0.1, -0.3, 5], [0, 0, -1], positions, triangles, hit));
  assert.equal(hit.index, 0);
  assert.ok(Math.abs(hit.distance - 5) < 1e-6);
  const back = makeHit();
  assert.ok(rayTriangles([0.1, -0.3, -5], [0, 0, 1], positions, triangles, back));
  assert.equal(back.index, 1);
  assert.equal(rayTriangles([3, 0, 5], [0, 0, -1], positions, triangles, makeHit()), false);
  assert.equal(nearestCorner([0.9, -0.9, 0], positions, triangles, 0), 1);
});

test('a ray beside a stick takes the end nearest to where it passes', () => {
  const rope = new Float32Array([0, 0, 0, 1, 0, 0, 2, 0, 0]);
  const hit = makeHit();
  assert.ok(raySticks([1.6, 0.01, 3], [0, 0, -1], rope, ropeSticks(3), 0.02, 0, hit));
  assert.equal(hit.index, 2);
  assert.ok(Math.abs(hit.distance - 3) < 1e-6, 'where it passes, not where the particle is');
  assert.equal(raySticks([1.6, 0.1, 3], [0, 0, -1], rope, ropeSticks(3), 0.02, 0, makeHit()), false);
  const frame = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]);
  const beside = makeHit();
  assert.ok(raySticks([0.01, 0.9, 3], [0, 0, -1], frame, Uint32Array.of(0, 1, 0, 2, 0, 3), 0.02, 0, beside));
  assert.equal(beside.index, 2);
});

test('of several particles within reach the one closest to the ray counts', () => {
  const hit = makeHit();
  assert.ok(rayParticles([0, 0, 10], [0, 0, -1], new Float32Array([0.09, 0, 0, 0.02, 0, -3]), 0, 0.01, hit));
  assert.equal(hit.index, 1);
});

test('spheres, turned boxes and planes stop a ray where their surface is', () => {
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a}, not ${b}`);
  near(rayObstacle([0, 0, 5], [0, 0, -1], { shape: 'sphere', position: [0, 0, 0], radius: 1 }), 4);
  const half = Math.PI / 8;
  const box = { shape: 'box', position: [0, 0, 0], size: [2, 2, 4], rotation: [0, Math.sin(half), 0, Math.cos(half)] };
  // Rotated by 45° about y, its long axis (local z) points along (1, 0, 1)/√2: a ray along that axis hits the end at 2 m.
  const s = Math.SQRT1_2;
  near(rayObstacle([5 * s, 0, 5 * s], [-s, 0, -s], box), 3);
  near(rayObstacle([5 * s, 0, -5 * s], [-s, 0, s], box), 4);
  assert.equal(rayObstacle([0, 3, 5], [0, 0, -1], box), Infinity);
  near(rayObstacle([0, 3, 0], [0, -1, 0], { shape: 'plane', position: [0, 1, 0], normal: [0, 1, 0] }), 2);
});

test('capsules, height fields and meshes stop a ray where their surface is', () => {
  const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a}, not ${b}`);
  const capsule = { shape: 'capsule', from: [-1, 0, 0], to: [1, 0, 0], radius: 0.5 };
  near(rayObstacle([0.7, 0, 3], [0, 0, -1], capsule), 2.5);
  near(rayObstacle([4, 0, 0], [-1, 0, 0], capsule), 2.5);
  assert.equal(rayObstacle([1.6, 0, 3], [0, 0, -1], capsule), Infinity);
  const field = { shape: 'heightfield', position: [10, 1, 0], columns: 3, rows: 2, spacing: 2, heights: [0, 0, 4, 0, 0, 4] };
  near(rayObstacle([9, 8, 0.3], [0, -1, 0], field), 7);
  near(rayObstacle([11, 8, 0.3], [0, -1, 0], field), 5);
  assert.equal(rayObstacle([13, 8, 0], [0, -1, 0], field), Infinity);
  const half = Math.SQRT1_2; // rotated by 90° about y: local x points along −z
  const mesh = {
    shape: 'mesh', position: [0, 5, 0], rotation: [0, half, 0, half],
    positions: Float32Array.of(1, 0, 0, 3, 0, 0, 1, 0, 2), triangles: Uint32Array.of(0, 2, 1),
  };
  near(rayObstacle([0.5, 9, -1.5], [0, -1, 0], mesh), 4);
  assert.equal(rayObstacle([0.5, 9, 1.5], [0, -1, 0], mesh), Infinity);
});

test('an embedded shape follows its particles, and shows the edges between its faces only', () => {
  // A unit cube in a tetrahedron of three axes and an origin: its coordinates are its weights.
  const corners = Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1]);
  const weights = Float32Array.from(corners.flatMap(([x, y, z]) => [1 - x - y - z, x, y, z]));
  const vertices = new Float32Array(24);
  embed({ weights }, Float32Array.of(1, 1, 1, 3, 1, 1, 1, 4, 1, 1, 1, 5), vertices);
  assert.deepEqual([...vertices], corners.flatMap(([x, y, z]) => [1 + 2 * x, 1 + 3 * y, 1 + 4 * z]));
  const faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
  const triangles = Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
  const seen = (distances, corner) => [0, 1, 2].some((k) => distances[3 * (corner - (corner % 3) + k) + (corner % 3)] === 0);
  const shown = Array.from(triangles, (_, corner) => seen(edgeDistances(triangles, weights), corner));
  assert.equal(shown.filter(Boolean).length, 24, 'each of the twelve edges, from both sides');
  const all = Array.from(triangles, (_, corner) => seen(edgeDistances(triangles, null), corner));
  assert.ok(all.every(Boolean));
});

test('a particle that tearing added has the weave of the one it came from', () => {
  const lattice = clothTriangles(3, 2, 'grid');
  const triangles = lattice.map((corner, i) => (i === 8 || i === 9 ? 6 : corner));
  assert.deepEqual([lattice[8], lattice[9]], [2, 2], 'the torn corner');
  const { uv, colors } = weave({ columns: 3, rows: 2, mesh: 'grid', particles: 7, triangles }, lattice);
  assert.deepEqual([...uv.subarray(12)], [...uv.subarray(4, 6)]);
  assert.deepEqual([...colors.subarray(18)], [...colors.subarray(6, 9)]);
});

// As on the graphics processor: the cross product of the diagonals of the neighbours.
function normalOf(positions, around, vertex) {
  const [a, b, c, d] = [0, 1, 2, 3].map((k) => positions.subarray(3 * around[4 * vertex + k], 3 * around[4 * vertex + k] + 3));
  const [u, v] = [a.map((value, axis) => c[axis] - value), b.map((value, axis) => d[axis] - value)];
  const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const size = Math.hypot(...normal);
  return normal.map((value) => value / size);
}

test('what lies around a vertex gives the normal of the surface, also at rims, corners and tears', () => {
  const positions = new Float32Array([1, 1, 1, -1, 1, -1, 1, -1, -1, -1, -1, 1]);
  const solid = aroundOf(bodyTriangles(), 4);
  let outward = 0;
  for (let i = 0; i < 4; i++) {
    const along = normalOf(positions, solid, i).reduce((sum, value, axis) => sum + value * positions[3 * i + axis], 0);
    assert.ok(Math.abs(along) > 0.5, `vertex ${i}: ${along}`);
    outward += Math.sign(along);
  }
  assert.equal(Math.abs(outward), 4);

  const [columns, rows] = [5, 4];
  const triangles = clothTriangles(columns, rows, 'grid');
  triangles[triangles.indexOf(7)] = columns * rows; // torn: particle 7 is now two particles
  const flat = Float32Array.from({ length: 3 * (columns * rows + 1) }, (_, i) => {
    const vertex = Math.floor(i / 3) === columns * rows ? 7 : Math.floor(i / 3);
    return [vertex % columns, -Math.floor(vertex / columns), 0][i % 3];
  });
  const around = aroundOf(triangles, columns * rows + 1);
  for (let i = 0; i <= columns * rows; i++) {
    const [x, y, z] = normalOf(flat, around, i);
    assert.ok(Math.abs(x) < 1e-6 && Math.abs(y) < 1e-6 && z > 0.999, `vertex ${i}: ${x}, ${y}, ${z}`);
  }
  assert.deepEqual([...aroundOf(new Uint32Array(0), 1)], [0, 0, 0, 0]);
});

test('the rim of a surface is its border and each side of a tear', () => {
  const edges = (triangles, count) => {
    const rim = rimOf(triangles, count);
    return Array.from({ length: rim.length / 2 }, (_, i) => [rim[2 * i], rim[2 * i + 1]].sort((a, b) => a - b).join('-')).sort();
  };
  for (const mesh of ['grid', 'hex']) assert.equal(edges(clothTriangles(4, 3, mesh), 12).length, 2 * (3 + 2), mesh);
  assert.deepEqual(edges(new Uint32Array([0, 1, 2, 2, 1, 3]), 4), ['0-1', '0-2', '1-3', '2-3']);
  assert.deepEqual(edges(new Uint32Array([0, 1, 2, 4, 5, 3]), 6), ['0-1', '0-2', '1-2', '3-4', '3-5', '4-5'], 'torn apart');
  assert.deepEqual(edges(bodyTriangles('tetrahedron'), 4), [], 'a closed surface has none');
});

test('quality goes down when pictures are slow, up when they are quick, and does not swing', () => {
  const quality = new Quality({ start: 3, top: LEVELS.length - 1 });
  for (let i = 0; i < 30; i++) quality.observe(60);
  assert.ok(quality.level < 3);
  // From level 2 on this machine is too slow: the page may try that level, but less and less often.
  quality.level = 1;
  const visits = [0, 0];
  for (let i = 0; i < 40000; i++) {
    quality.observe(quality.level >= 2 ? 45 : 16.7);
    if (quality.level >= 2) visits[i < 20000 ? 0 : 1]++;
  }
  assert.ok(visits[0] > 0, 'it never tried');
  assert.ok(visits[1] < visits[0], `${visits[1]} pictures too slow in the second half, ${visits[0]} in the first`);
  assert.ok(visits[1] < 400);
});

test('a display that shows few pictures is no slow machine: what a picture costs decides', () => {
  const run = (quality, hz, costOf, frames = 3000) => {
    const levels = [];
    for (let i = 0; i < frames; i++) {
      const cost = costOf(quality.level);
      // A picture that misses a refresh of the display waits for the next one.
      if (quality.observe(Math.ceil(cost / (1000 / hz) - 1e-9) * (1000 / hz) || 1000 / hz, cost)) levels.push(quality.level);
    }
    return levels;
  };
  const top = LEVELS.length - 1;
  for (const brisk of [true, false]) {
    for (const untimed of [true, false]) {
      for (const hz of [10, 24, 25, 30, 48, 50, 59.94, 60, 75, 120, 144, 240]) {
        const what = `${hz} Hz, ${JSON.stringify({ brisk, untimed })}`;
        const held = new Quality({ start: top, top, brisk, untimed });
        assert.deepEqual([run(held, hz, () => 3), held.level], [[], top], `${what}: never coarser`);
        const risen = new Quality({ start: 0, top, brisk, untimed });
        run(risen, hz, () => 3);
        assert.equal(risen.level, top, `${what}: up from where an older rule had left it`);
      }
    }
  }
  // Load: cost grows with the pixels. The quality falls to an affordable level on every display, and stays there.
  const load = (ms) => (level) => ms * LEVELS[level].ratio ** 2;
  for (const hz of [30, 50, 60, 144]) {
    const quality = new Quality({ start: top, top });
    run(quality, hz, load(30));
    assert.ok(quality.level < top && load(30)(quality.level) < 1000 / 30, `${hz} Hz: level ${quality.level}`);
    assert.ok(load(30)(quality.level + 1) > 0.75 * (1000 / 30), `${hz} Hz: no lower than needed`);
    run(quality, hz, load(2)); // the load has ended
    assert.equal(quality.level, top, `${hz} Hz: it recovers`);
    run(quality, hz, load(400)); // the load returns, so that pictures take 1.6 s
    assert.equal(quality.level, 0, `${hz} Hz`);
  }
});

test('a capped rate never lowers the quality, not even for a moment, however much of a picture can be timed', () => {
  const top = LEVELS.length - 1;
  for (const untimed of [true, false]) {
    for (const hz of [4, 10, 15, 20, 24, 25, 30, 40, 50, 60]) {
      for (const share of [0.1, 0.39, 0.41, 0.6, 0.95]) {
        const what = `${hz} Hz, ${share} of the time is drawing, untimed: ${untimed}`;
        const cost = Math.min((share * 1000) / hz, 32); // pictures that cost more are slow on any display
        const quality = new Quality({ start: top, top, untimed });
        let skipped = 0;
        for (let i = 0; i < 20000; i++) {
          const jitter = i % 7 === 0 ? 3 : i % 7 === 1 ? -3 : 0;
          skipped += Number(quality.probing);
          quality.observe(1000 / hz + jitter, quality.probing ? 0.1 : cost);
          assert.equal(quality.level, top, `${what}: picture ${i}`);
        }
        assert.ok(skipped <= 10, `${what}: ${skipped} pictures were left out`);
      }
    }
  }
});

test('where a part of the cost cannot be timed, pictures are left out to see whether drawing is what takes the time', () => {
  const start = 4;
  const loaded = new Quality({ start, top: start, untimed: true });
  const cost = () => 70 * LEVELS[loaded.level].ratio ** 2;
  let skipped = 0;
  for (let i = 0; i < 500; i++) {
    const { probing } = loaded;
    skipped += Number(probing);
    loaded.observe(probing ? 1000 / 60 : Math.max(1000 / 60, cost()), probing ? 0.1 : 0.57 * cost());
  }
  assert.ok(cost() < 34, `level ${loaded.level}`);
  assert.equal(skipped, 5, 'one look is enough for all steps down');

  // The display is capped while the page runs, as when a battery gets low: what an earlier look found does not count for ever.
  const saving = new Quality({ start, top: start, untimed: true });
  const run = (pictures, ms, most) => {
    for (let i = 0; i < pictures; i++) saving.observe(saving.probing ? ms : Math.max(ms, most), saving.probing ? 0.1 : 0.6 * most);
  };
  run(100, 1000 / 60, 50);
  assert.ok(saving.level < start, 'coarser while pictures take long');
  run(3000, 1000 / 60, 3);
  assert.equal(saving.level, start);
  run(3000, 1000 / 20, 25);
  assert.equal(saving.level, start);
});

test('positions get coarser only where decoding many takes long for some time, finer once it is quick, and do not swing', () => {
  const precision = new Precision();
  const look = (share, particles, times = 1) => Array.from({ length: times }, () => precision.observe(share, particles)).filter(Boolean).length;
  const fine = precision.step;
  for (let i = 0; i < 20; i++) assert.equal(look(0.5, 65536, 2) + look(0.2, 65536), 0, 'a short while');
  assert.equal(look(2, 5000, 100), 0, 'few particles are not what takes long');
  assert.equal(look(0.5, 65536, 3), 1);
  assert.equal(precision.step, 4 * fine);
  assert.equal(look(0.5, 65536, 100) + look(0.2, 65536, 100), 0, 'it is where it should be');
  // A machine on which a finer step never lasts tries it less and less often.
  const changes = [0, 0];
  for (let i = 0; i < 4000; i++) changes[i < 2000 ? 0 : 1] += look(precision.step === fine ? 0.5 : 0.05, 65536);
  assert.ok(changes[0] > 2 && changes[1] > 0 && changes[1] < changes[0] && changes[1] < 25, `${changes}`);
});

test('where 60 pictures a second are wanted, some resolution is given for them, but not all', () => {
  const quality = new Quality({ start: LEVELS.length - 1, top: LEVELS.length - 1, brisk: true });
  const ease = new Quality({ start: LEVELS.length - 1, top: LEVELS.length - 1 });
  for (let i = 0; i < 1000; i++) for (const one of [quality, ease]) one.observe(26);
  assert.equal(ease.level, LEVELS.length - 1);
  assert.ok(quality.level < ease.level && LEVELS[quality.level].ratio >= 0.8, `level ${quality.level}`);
  for (let i = 0; i < 1000; i++) quality.observe(45);
  assert.equal(quality.level, 0);
});
