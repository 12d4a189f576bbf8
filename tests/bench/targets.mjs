// SPDX-License-Identifier: MIT
// The targets of the figures. `most` and `least` are limits; a name ending in * applies to every matching figure.

const SCENES_MOVING = ['cloth64', 'cloth128'];

const targets = [
  { name: 'solver.grid128.exact.ratio_bullet', least: 25, words: 'grid 128², one thread, times Bullet, exact' },
  { name: 'solver.grid128.sqrtfree.ratio_bullet', least: 40, words: 'the same, square-root-free' },
  { name: 'solver.grid128.sqrtfree_over_exact', least: 1.5, words: 'grid 128², one thread, square-root-free over exact' },
  { name: 'solver.irregular.ratio_bullet', least: 15, words: 'irregular mesh, one thread, times Bullet' },
  { name: 'solver.grid128.tethers.ratio_bullet', least: 25, words: 'grid 128², exact with tethers, times Bullet' },
  { name: 'solver.grid128.tethers.stretch_over_bullet', most: 1, words: 'mean stretch over Bullet’s at equal sweeps, 128², with tethers' },
  { name: 'solver.grid128.exact.stretch_over_bullet', most: 1, words: 'the same, without tethers' },
  { name: 'solver.grid128.sqrtfree.stretch_over_bullet', most: 1, words: 'the same, without tethers and square-root-free' },
  { name: 'solver.irregular128.tethers.stretch_over_bullet', most: 1, words: 'the same, irregular mesh, with tethers' },
  { name: 'solver.irregular.stretch_over_bullet', most: 1, words: 'the same, irregular mesh, without tethers' },
  { name: 'solver.grid256.stretch_mean', most: 0.015, words: 'mean stretch with 8 substeps at 256² after 5 s (tethers)' },
  { name: 'solver.grid256.threads2_ratio', least: 1.7, words: 'two threads against one, 256²' },
  ...['grid64', 'irregular64'].map((sheet) => ({ name: `solver.${sheet}.1x8.exact.threads2_ratio`, least: 1, words: `two threads against one, ${sheet}` })),
  ...['grid128', 'irregular128', 'shuffled128'].map((sheet) => ({ name: `solver.${sheet}.1x8.exact.threads2_ratio`, least: 1.7, words: `two threads against one, ${sheet}` })),
  { name: 'peers.cloth.rapier_over_weft', least: 10, words: 'hanging cloth, a tick of Rapier’s over Weft’s, WebAssembly, equal stretch' },
  { name: 'peers.boxes.rapier_over_weft', least: 1, words: '500 boxes, the same, equal penetration' },
  { name: 'tick.cloth256.ms', most: 8, words: 'whole tick of a 256×256 cloth with encoding, ms' },
  { name: 'growth.n500000.hz', least: 30, words: '500,000 particles on two cores, ticks/s' },
  { name: 'growth.cost_ratio_500k_10k', most: 1.5, words: 'cost per particle, 500k over 10k' },
  ...SCENES_MOVING.map((scene) => ({ name: `frames.${scene}.bytes_1024`, most: 0.75, words: `bytes a particle a frame, 1/1024 m, ${scene}` })),
  ...SCENES_MOVING.map((scene) => ({ name: `frames.${scene}.bytes_4096`, most: 1.05, words: `bytes a particle a frame, 1/4096 m, ${scene}` })),
  ...[5, 10].flatMap((turns) => [
    { name: `twist.turns${turns}.mean_ms`, most: 20, words: `a strip of 1,037 particles is wrung, ${turns} turns: ms a tick` },
    { name: `twist.turns${turns}.crossings`, most: 0, words: 'and it crosses itself' },
  ]),
  { name: 'frames.rest.bytes_1024', most: 0.03, words: 'bytes a particle a frame at rest' },
  { name: 'frames.keyframe_bytes_1024', most: 2.5, words: 'bytes a particle of a keyframe, 1/1024 m' },
  { name: 'frames.every4_bytes_1024', most: 1.4, words: 'bytes a particle a sent frame, every 4th tick, 1/1024 m' },
  { name: 'frames.encode_ns', most: 40, words: 'encode, ns a particle, 1/1024 m' },
  { name: 'frames.decode_wasm_ns', most: 60, words: 'decode in WebAssembly, ns a particle, 1/1024 m' },
  { name: 'fanout.v1000_48k.cpu_ratio_bare', most: 1.3, words: '1,000 viewers of 48 KB: CPU over the bare sender’s' },
  { name: 'fanout.v2000_6k.cpu_ratio_bare', most: 1.3, words: '2,000 viewers of 6 KB: CPU over the bare sender’s' },
  { name: 'fanout.v1000_48k.p99_over_bare_ms', most: 0.5, words: '1,000 viewers of 48 KB: p99 over the bare sender’s, ms' },
  { name: 'fanout.v2000_6k.p99_over_bare_ms', most: 0.5, words: '2,000 viewers of 6 KB: p99 over the bare sender’s, ms' },
  { name: 'fanout.v2000_6k.memory_mb', most: 10, words: 'memory for 2,000 clients, MB' },
  { name: 'fanout.idle_client_bytes', most: 4096, words: 'memory of an idle client, bytes' },
  { name: 'fanout.stalled100.p99_moved_ms', most: 2, words: '100 stalled viewers move the others’ p99 by, ms' },
  { name: 'fanout.stalled100.memory_growth_mb', most: 1, words: 'and memory grows meanwhile by, MB' },
  { name: 'lockstep.cloth128.hands_bytes_s', most: 8000, words: 'lockstep, five hands on a 128×128 cloth, bytes/s' },
  { name: 'lockstep.cloth128.idle_bytes_s', most: 1000, words: 'the same when nobody acts' },
  { name: 'lockstep.cloth256.frames_ratio', least: 80, words: 'frames of a 256×256 cloth over lockstep, bytes' },
  { name: 'lockstep.join_ms', most: 1500, words: 'joining 65,536 particles, ms' },
  { name: 'lockstep.join_bytes_particle', most: 20, words: 'and bytes a particle' },
  ...[0, 100, 200].flatMap((trip) => [
    { name: `lockstep.hand${trip}.median_ms`, most: 1000 / 60 + 8, words: `a move of the hand is shown after, ${trip} ms of round trip, median, ms` },
    { name: `lockstep.hand${trip}.p95_ms`, most: 2000 / 60 + 8, words: 'the same, p95' },
  ]),
  { name: 'lockstep.own_hand_p99_mm', most: 5, words: 'two people pull at one cloth: correction at one’s own hand, p99, mm' },
  { name: 'lockstep.rapier_over_weft', least: 1, words: 'a tick of Rapier’s WebAssembly over Weft’s, equal stretch' },
  { name: 'lockstep.shared_pause_ms', most: 300, words: 'a local world is handed to a server, pause, ms' },
  { name: 'lockstep.alone_pause_ms', most: 300, words: 'three windows go on alone, pause, ms' },
  { name: 'lockstep.wasm_over_sse2', most: 1.6, words: 'a tick in WebAssembly over a native one with vectors of the same width' },
  { name: 'broadcast.origin_ratio', most: 1.2, words: 'requests at the server, 1,000 and 5,000 viewers behind nginx over 100' },
  { name: 'page.main_ms', most: 4, words: 'the page’s main thread with 65,536 moving particles, ms a frame' },
  { name: 'page.worker_ms', most: 6, words: 'its worker, ms a frame' },
  { name: 'page.gc_ms', most: 5, words: 'longest garbage collection pause in a minute, ms' },
  { name: 'page.first_picture_ms', most: 1200, words: 'first picture after, ms' },
  { name: 'page.far_picture_ms', most: 1400, words: 'first picture from a server that is 200 ms away, ms' },
  { name: 'page.requests', most: 12, words: 'requests until the first picture' },
  { name: 'page.transfer_bytes', most: 1e6, words: 'transferred until then, bytes' },
  { name: 'page.site_picture_ratio', most: 1.2, words: 'first picture of the page on a static host, × that of the served page' },
  { name: 'page.file_picture_ratio', most: 1.2, words: 'first picture of the page as one file, × that of the served page' },
  { name: 'class.wall_gc_ms', most: 5, words: 'a page that shows them all: longest garbage collection pause, ms' },
  { name: 'store.worlds.late_ratio', most: 1.5, words: '200 worlds on one node: tick lateness p99.9 with PostgreSQL over that with SQLite' },
  { name: 'cluster.takeover.ticks_worst_ms', most: 5000, words: 'a node is killed: its slowest world ticks again elsewhere after, ms' },
  { name: 'cluster.takeover.frames_worst_ms', most: 5000, words: 'and its client has frames again after, ms' },
  { name: 'cluster.takeover.lost', most: 0, words: 'acknowledged commands that are lost then, come twice or out of order' },
  { name: 'cluster.drain.pause_worst_ms', most: 300, words: 'a node is drained: longest time without a tick at any client, ms' },
  { name: 'cluster.drain.ticks_lost', most: 0, words: 'ticks lost then' },
  { name: 'cluster.drain.errors', most: 0, words: 'errors at clients then' },
  { name: 'cluster.promotion.lost', most: 0, words: 'the synchronous standby is promoted: acknowledged commands that are lost' },
  { name: 'cluster.outage.pause_ms', most: 300, words: 'the database is gone for a minute: longest time without a tick, ms' },
  { name: 'cluster.outage.back_ms', most: 5000, words: 'and a change is acknowledged after it is back, ms' },
  { name: 'cluster.outage.lost', most: 0, words: 'and acknowledged commands are lost' },
  { name: 'cluster.page.pause_ms', most: 5000, words: 'a page whose node is killed shows no new picture for, ms' },
  { name: 'python.cloth4.ratio_best', least: 20, words: 'cloth of 32² from Python, 4 substeps, times the best of MuJoCo, Newton and PyBullet, equal stretch' },
  { name: 'python.cloth8.ratio_best', least: 20, words: 'the same, 8 substeps' },
  { name: 'python.pool.ratio', least: 1.9, words: 'Pool of 64 cloths, two threads against one' },
  { name: 'python.branches.wrong', most: 0, words: '1,000 branches of 4,096 particles, 300 ticks: those with other bits' },
  { name: 'lateness.idle.ratio_bare', most: 1.5, words: 'tick lateness p99.9 over a bare sleep loop’s, idle' },
  { name: 'lateness.loaded.ratio_bare', most: 3, words: 'the same under load' },
  { name: 'lateness.skipped_ticks', most: 0, words: 'ticks skipped' },
];

export function judge(figures) {
  return targets.map((target) => {
    const value = figures[target.name];
    const met = Number.isFinite(value) && (target.least === undefined || value >= target.least) && (target.most === undefined || value <= target.most);
    return { name: target.name, words: target.words, value, met, shown: show(value), target: target.least !== undefined ? `≥ ${target.least}` : `≤ ${target.most}` };
  });
}

function show(value) {
  return value === undefined ? '–' : String(Number(value.toPrecision(3)));
}

/** One line for each target that was missed or not measured. */
export function verdicts(judged) {
  const measured = judged.filter(({ value }) => value !== undefined);
  return measured.filter(({ met }) => !met).map(({ words, name, shown, target }) => `missed: ${words}: ${shown}, wanted ${target} (${name})`);
}
