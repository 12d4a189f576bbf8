// SPDX-License-Identifier: MIT
// Weft on the scenes of the comparison: as commands, which its engine runs in WebAssembly here, and natively in
// engine_scene.c.

import { readFile } from 'node:fs/promises';
import { loadEngine } from '../../../web/client/engine/engine.js';
import { balloon, balloonMesh, boxPlaces, boxWalls, boxes, bridge, bridgeJoints, cloth, clothPins, clothPoints, plankPlaces, twist, twistPins, twistPlace } from './scenes.mjs';

const STILL = { sleep: false, airDensity: 0, wind: { velocity: [0, 0, 0] } };
const GROUND = ['obstacle.add', { shape: 'plane', normal: [0, 1, 0], friction: 0.5 }];

const settings = (given) => ['world.set', { ...STILL, ...given }];
const box = (position, size, mass) => ['body.spawn', { shape: 'box', size, position, mass, friction: 0.5 }];

/** Of each scene: the commands that make it, and those of a tick. */
export const commands = {
  cloth: (given) => ({
    start: [settings(given), ['cloth.spawn', { columns: cloth.side, rows: cloth.side, spacing: cloth.spacing, position: [0, cloth.height, ((cloth.side - 1) / 2) * cloth.spacing], rotation: [Math.SQRT1_2, 0, 0, -Math.SQRT1_2], pin: clothPins, masses: clothPoints.map(() => cloth.mass / clothPoints.length) }]],
  }),
  boxes: (given) => ({ start: [settings(given), GROUND, ...boxWalls.map(({ centre, size }) => ['obstacle.add', { shape: 'box', position: centre, size, friction: boxes.friction }]), ...boxPlaces.map((place) => box(place, [boxes.size, boxes.size, boxes.size], boxes.mass))] }),
  // Objects have the sequence numbers of their commands; the joints are sticks without length between points of the planks.
  bridge: (given) => {
    const first = 1;
    const planks = plankPlaces.map((place) => box(place, bridge.size, bridge.mass));
    const posts = [-1, 1].map((side) => ['particles.spawn', { positions: bridgeJoints.filter(({ before, after }) => (side < 0 ? before < 0 : after >= bridge.planks)).map(({ point }) => point) }]);
    const ids = { plank: (i) => first + i, post: (side) => first + bridge.planks + (side < 0 ? 0 : 1) };
    const end = (plank, point, row) => (plank < 0 || plank >= bridge.planks ? { object: ids.post(plank), particle: row } : { object: ids.plank(plank), point });
    const joints = bridgeJoints.map(({ before, after, point }, i) => ['stick.add', { a: end(before, point, i % 2), b: end(after, point, i % 2), restLength: 0 }]);
    return { start: [...planks, ...posts, ...[-1, bridge.planks].map((side) => ['particle.pin', { object: ids.post(side), particles: [0, 1] }]), ...joints, box([0, bridge.load.height, 0], [bridge.load.size, bridge.load.size, bridge.load.size], bridge.load.mass), settings(given)] };
  },
  // The ends are held by hands, which have the sequence numbers after the cloth and the settings.
  twist: (given) => ({
    start: [['cloth.spawn', { columns: twist.columns, rows: twist.rows, spacing: twist.spacing, position: [0, twist.height, 0], rotation: TWISTED, mass: twist.mass, thickness: twist.thickness, selfCollision: true }], settings(given), ...twistPins.map((particle) => ['grab.start', { object: 1, particle }])],
    tick: (i) => twistPins.map((pin, at) => ['grab.move', { grab: 3 + at, position: twistPlace(pin, i + 1) }]),
  }),
  balloon: (given) => ({
    start: [GROUND, ['mesh.spawn', { positions: balloonMesh.points.flat(), triangles: balloonMesh.triangles.flat(), position: [0, balloon.height, 0], mass: balloon.mass, pressure: balloon.gauge }], settings(given)],
  }),
};

// A lattice lies in the plane of x and y, its first row on top; this turns its columns to z and its rows to x.
const TWISTED = [0.5, -0.5, 0.5, 0.5];

const message = ([method, params], id) => JSON.stringify({ jsonrpc: '2.0', id, method, params });

/** The messages of a scene as engine_scene.c reads them: on each line the tick before which it comes, and the message. */
export function tape(scene, given, ticks) {
  const { start, tick } = commands[scene](given);
  const lines = start.map((command, i) => `0 ${message(command, i)}`);
  for (let i = 0; tick && i < ticks; i++) lines.push(...tick(i).map((command) => `${i} ${message(command, 0)}`));
  return `${lines.join('\n')}\n`;
}

export async function loadWeft() {
  const engine = await loadEngine({ bytes: await readFile(new URL('../../../web/client/engine/weft-simd.wasm', import.meta.url)) });
  const run = (scene) => (given = {}) => {
    const { start, tick } = commands[scene](given);
    const world = engine.createWorld({ particles: 65536, sticks: 262144, objects: 2048, obstacles: 16 });
    world.join(1);
    const send = (list) => list.forEach((command, i) => world.submit(1, message(command, i)));
    const check = () => {
      for (const { text } of world.outputs()) if (text?.includes('"error"')) throw new Error(`Weft refuses a command of the scene: ${text}`);
    };
    send(start);
    return {
      tick: (i) => {
        if (tick) send(tick(i));
        world.tick();
        check();
      },
      sample: () => positions(world.positions()),
      end: () => world.destroy(),
    };
  };
  const bodies = (scene, count) => asBodies(run(scene), count);
  return { name: 'Weft', cloth: run('cloth'), boxes: bodies('boxes', boxes.count), bridge: bodies('bridge', bridge.planks), twist: run('twist'), balloon: run('balloon'), upright: (scene) => upright(run(scene)) };
}

function positions({ x, y, z }) {
  const sample = new Float32Array(3 * x.length);
  for (let i = 0; i < x.length; i++) sample.set([x[i], y[i], z[i]], 3 * i);
  return sample;
}

/** The first `count` objects are bodies of four particles: gives their centres and axes in place of the particles. */
function asBodies(make, count) {
  const first = upright(make);
  return (given) => {
    const running = make(given);
    return { ...running, sample: () => poses(running.sample(), first, count) };
  };
}

/** Where the particles are when the bodies stand upright: after a tick without gravity, in which nothing moves. */
function upright(make) {
  const running = make({ gravity: [0, 0, 0] });
  running.tick(0);
  const first = running.sample();
  running.end();
  return first;
}

/** Centres and axes of bodies of four particles, from where the particles are and where they were when the bodies stood upright. */
export function poses(now, upright, count) {
  const sample = new Float64Array(12 * count);
  for (let i = 0; i < count; i++) {
    const edges = (from) => [1, 2, 3].map((k) => [0, 1, 2].map((axis) => from[12 * i + 3 * k + axis] - from[12 * i + axis]));
    const turned = multiply(transposed(edges(now)), inverse(transposed(edges(upright))));
    const centre = [0, 1, 2].map((axis) => (now[12 * i + axis] + now[12 * i + 3 + axis] + now[12 * i + 6 + axis] + now[12 * i + 9 + axis]) / 4);
    sample.set([...centre, ...transposed(turned).flat()], 12 * i);
  }
  return sample;
}

const transposed = (m) => [0, 1, 2].map((i) => [0, 1, 2].map((j) => m[j][i]));
const multiply = (a, b) => a.map((row) => [0, 1, 2].map((j) => row[0] * b[0][j] + row[1] * b[1][j] + row[2] * b[2][j]));

function inverse([[a, b, c], [d, e, f], [g, h, i]]) {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return [[e * i - f * h, c * h - b * i, b * f - c * e], [f * g - d * i, a * i - c * g, c * d - a * f], [d * h - e * g, b * g - a * h, a * e - b * d]].map((row) => row.map((value) => value / determinant));
}
