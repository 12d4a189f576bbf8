// SPDX-License-Identifier: MIT
// Random commands of every method that changes a world, for the soak test of lockstep. Some are refused, as those of people are.

import { readFileSync } from 'node:fs';
import { ROOT } from '../support/weftd.mjs';

const read = (path) => JSON.parse(readFileSync(`${ROOT}/${path}`, 'utf8'));
const schema = read('proto/weft.openrpc.json');
const examples = read('proto/examples.json');

/** Methods that need a world which stands. */
export const NEED_PAUSE = new Set(['world.step', 'world.seek', 'world.replay']);

/** Every method that changes a world. scene.load is the driver's. */
export const METHODS = schema.methods.filter((method) => method['x-kind'] === 'change').map(({ name }) => name);

const OBJECTS_MOST = 40; // of a world, to which people add more
const PARTICLES_MOST = 3000;
const EXAMPLE = 0.05; // share of commands that are the example of the protocol's reference
const UNDO_SECONDS = 10; // that a change may take to be taken back
const LATER = 0.1; // share of commands for a tick that they name

/**
 * A person: a client, and what it has made and holds.
 * @typedef {object} Person
 * @property {import('../../web/client/client.js').WeftClient} client
 * @property {number[]} obstacles @property {number[]} sticks @property {number[]} grabs
 * @property {{object: number, kind: string, particles: number}[]} objects of the world, as it last heard of them
 * @property {number} tick of the last reply @property {boolean} hasUndone whether its last command was world.undo
 */

/** @typedef {ReturnType<typeof import('../support/random.mjs').seeded>} Random */

const between = (random, low, high) => low + (high - low) * random.real();
const pick = (random, list) => list[random.integer(list.length)];
const chance = (random, share) => random.real() < share;
const place = (random) => [between(random, -2, 2), between(random, 0.1, 3), between(random, -2, 2)];
const vector = (random, reach) => [between(random, -reach, reach), between(random, -reach, reach), between(random, -reach, reach)];
const rotation = (random) => [random.real(), random.real(), random.real(), 0.1 + random.real()];
const color = (random) => `#${random.integer(2 ** 24).toString(16).padStart(6, '0')}`;
const some = (random, share, members) => (chance(random, share) ? members() : {});

const surface = (random) => some(random, 0.5, () => ({ friction: random.real(), restitution: random.real() }));
const projection = (random) => some(random, 0.2, () => ({ projection: pick(random, ['current', 'start']) }));

const sheet = (random) => ({
  ...surface(random), ...projection(random),
  ...some(random, 0.5, () => ({ tear: between(random, 1.02, 2) })),
  ...some(random, 0.2, () => ({ tearForce: between(random, 0.1, 20) })),
  ...some(random, 0.25, () => ({ thickness: between(random, 0.005, 0.015), selfCollision: chance(random, 0.3) })),
  ...some(random, 0.3, () => ({ stretchCompliance: between(random, 0, 0.001) })),
  ...some(random, 0.3, () => ({ bend: true, bendCompliance: between(random, 0, 0.01) })),
  ...some(random, 0.2, () => ({ tethers: true })),
});

const fabric = (random) => ({
  ...projection(random), ...some(random, 0.3, () => ({ tear: between(random, 1.02, 2) })),
  fabric: pick(random, ['cotton', 'denim', 'polyester', 'nylon', 'twill', 'blanket']), creaseCurvature: between(random, 1, 40),
});

const ramp = [[-1, 0, -1], [1, 0, -1], [1, 0.5, 1], [-1, 0.5, 1]];
const obstacles = [
  (random) => ({ shape: 'sphere', position: place(random), radius: between(random, 0.1, 0.6) }),
  (random) => ({ shape: 'box', position: place(random), size: [0.5, 0.2, between(random, 0.2, 1)], rotation: rotation(random) }),
  (random) => ({ shape: 'plane', position: [0, between(random, -1, 0), 0], normal: [between(random, -0.2, 0.2), 1, 0] }),
  (random) => ({ shape: 'capsule', from: place(random), to: place(random), radius: between(random, 0.05, 0.3) }),
  (random) => ({ shape: 'heightfield', position: [0, 0, 0], columns: 4, rows: 4, spacing: 0.5, heights: Array.from({ length: 16 }, () => between(random, 0, 0.3)) }),
  () => ({ shape: 'mesh', positions: ramp, triangles: [0, 2, 1, 0, 3, 2] }),
];
const motion = (random, shape) => pick(random, [
  () => ({ velocity: vector(random, 0.5), ...(shape === 'heightfield' ? {} : { angularVelocity: vector(random, 2) }) }),
  () => ({ velocity: [0, 0, 0], ...(shape === 'heightfield' ? {} : { angularVelocity: [0, 0, 0] }) }),
  () => ({ surfaceVelocity: vector(random, 1) }),
  () => ({ path: [{ time: 1, position: place(random) }, { time: 2.5, position: place(random) }], pathTime: random.real() }),
])();
const bodies = [
  (random) => ({ shape: 'tetrahedron', size: between(random, 0.1, 0.5) }),
  (random) => ({ shape: 'box', size: [0.3, between(random, 0.1, 0.5), 0.2] }),
  (random) => ({ shape: 'frame', size: between(random, 0.2, 0.5) }),
  (random) => ({ shape: 'sphere', radius: between(random, 0.05, 0.3) }),
  (random) => ({ shape: 'capsule', radius: between(random, 0.05, 0.2), length: between(random, 0.1, 0.5) }),
  (random) => ({ shape: 'cylinder', radius: between(random, 0.05, 0.3), height: between(random, 0.1, 0.5) }),
  (random) => ({ shape: 'hull', vertices: Array.from({ length: 8 }, (_, i) => [(i & 1) + 0.1 * random.real(), ((i >> 1) & 1) + 0.1 * random.real(), (i >> 2) * 1].map((x) => 0.3 * x)) }),
];

const end = (random, { objects }) => {
  const { object, particles } = pick(random, objects);
  return { object, particle: random.integer(particles) };
};
const stickEnd = (random, person) => {
  if (chance(random, 0.7)) return end(random, person);
  return chance(random, 0.3) ? { anchor: place(random) } : { object: pick(random, person.objects).object, point: place(random) };
};
const muscle = (random) => ({ restLength: between(random, 0.05, 1), ...some(random, 0.7, () => ({ rate: between(random, 0, 2) })), ...some(random, 0.2, () => ({ breakForce: between(random, 1, 500) })) });
const softShapes = [
  (random) => ({ shape: 'box', size: [between(random, 0.1, 0.5), 0.3, 0.2], cells: [1 + random.integer(3), 2, 1] }),
  (random) => ({ shape: 'ball', radius: between(random, 0.1, 0.3), cells: [4] }),
];
const particlesOf = (random, person, most) => {
  const { object, particles } = pick(random, person.objects);
  const first = random.integer(particles);
  return { object, particles: Array.from({ length: Math.min(1 + random.integer(most), particles - first) }, (_, index) => first + index) };
};

const anyObject = ({ objects }) => objects.length > 0;
const sheets = ({ objects }) => ({ objects: objects.filter(({ kind }) => kind === 'cloth' || kind === 'mesh') });
const hasRoom = ({ objects }) => objects.length < OBJECTS_MOST && objects.reduce((sum, { particles }) => sum + particles, 0) < PARTICLES_MOST;

const cuttable = ({ objects }) => objects.some(({ kind }) => kind === 'cloth' || kind === 'mesh' || kind === 'rope');
const blade = (random) => {
  const path = Array.from({ length: 2 + random.integer(6) }, () => place(random));
  return chance(random, 0.5) ? { path, blade: [0.01, between(random, -3, 3), between(random, -3, 3)] } : { path, farPath: path.map(() => place(random)) };
};

/** Parameters of each method, its weight, and whether a person can use it now. @type {Record<string, {weight: number, can?: (person: Person) => boolean, params: (random: Random, person: Person) => object}>} */
const ACTS = {
  'cloth.spawn': { weight: 4, can: hasRoom, params: (random) => ({ columns: 2 + random.integer(14), rows: 2 + random.integer(14), spacing: between(random, 0.04, 0.12), mesh: pick(random, ['grid', 'hex']), position: place(random), pin: pick(random, ['topCorners', 'corners', 'topEdge', 'none', [0]]), ...some(random, 0.3, () => ({ rotation: rotation(random) })), ...(chance(random, 0.2) ? fabric(random) : sheet(random)) }) },
  'mesh.spawn': { weight: 2, can: hasRoom, params: (random) => ({ positions: [[0, 0, 0], [0.3, 0, 0], [0, 0.3, 0], [0.3, 0.3, 0.1], [0.6, 0.2, 0]], triangles: [0, 1, 2, 1, 3, 2, 1, 4, 3], position: place(random), ...some(random, 0.5, () => ({ pin: [0] })), ...sheet(random) }) },
  'particles.spawn': { weight: 2, can: hasRoom, params: (random) => ({ positions: Array.from({ length: 1 + random.integer(30) }, () => place(random)), radius: between(random, 0.01, 0.06), ...some(random, 0.3, () => ({ collision: true })), ...surface(random) }) },
  'rope.spawn': { weight: 3, can: hasRoom, params: (random) => ({ from: place(random), to: place(random), particles: 2 + random.integer(30), pin: pick(random, ['start', 'end', 'both', 'none']), ...surface(random), ...projection(random), ...some(random, 0.5, () => ({ thickness: 0.02, collision: chance(random, 0.4) })), ...some(random, 0.3, () => ({ stretchCompliance: 0.0005 })), ...some(random, 0.3, () => ({ tearForce: between(random, 1, 50) })) }) },
  'body.spawn': { weight: 4, can: hasRoom, params: (random) => ({ ...pick(random, bodies)(random), position: place(random), rotation: rotation(random), velocity: vector(random, 2), angularVelocity: vector(random, 4), ...surface(random), ...projection(random) }) },
  'plant.spawn': { weight: 1, can: hasRoom, params: (random) => ({ position: [between(random, -2, 2), 0, between(random, -2, 2)], height: between(random, 0.3, 1.5), levels: 3 + random.integer(5), leaves: random.integer(5) }) },
  'ragdoll.spawn': { weight: 2, can: hasRoom, params: (random) => ({ position: place(random), velocity: vector(random, 2), ...some(random, 0.5, () => ({ friction: random.real() })) }) },
  'soft.spawn': { weight: 2, can: hasRoom, params: (random) => ({ ...pick(random, softShapes)(random), position: place(random), rotation: rotation(random), ...surface(random), ...projection(random), ...some(random, 0.5, () => ({ young: between(random, 1000, 100000), viscosity: between(random, 0, 0.01) })) }) },
  'stick.add': { weight: 3, can: anyObject, params: (random, person) => ({ a: stickEnd(random, person), b: stickEnd(random, person), kind: pick(random, ['equal', 'atMost', 'atLeast']), restLength: between(random, 0.05, 1), ...some(random, 0.3, () => ({ compliance: 0.001 })) }) },
  'stick.set': { weight: 3, can: ({ sticks }) => sticks.length > 0, params: (random, { sticks }) => ({ stick: pick(random, sticks), ...muscle(random) }) },
  'stick.remove': { weight: 2, can: ({ sticks }) => sticks.length > 0, params: (random, { sticks }) => ({ stick: sticks.splice(random.integer(sticks.length), 1)[0] }) },
  'obstacle.add': { weight: 3, can: ({ obstacles: own }) => own.length < 6, params: (random) => { const obstacle = pick(random, obstacles)(random); return { ...obstacle, ...surface(random), ...some(random, 0.4, () => motion(random, obstacle.shape)) }; } },
  'obstacle.remove': { weight: 2, can: ({ obstacles: own }) => own.length > 0, params: (random, { obstacles: own }) => ({ obstacle: own.splice(random.integer(own.length), 1)[0] }) },
  'obstacle.set': { weight: 2, can: ({ obstacles: own }) => own.length > 0, params: (random, { obstacles: own }) => ({ obstacle: pick(random, own), friction: random.real(), color: color(random), ...some(random, 0.5, () => motion(random, 'heightfield')) }) },
  'object.remove': { weight: 5, can: anyObject, params: (random, { objects }) => ({ object: pick(random, objects).object }) },
  'object.set': { weight: 2, can: anyObject, params: (random, { objects }) => ({ object: pick(random, objects).object, color: color(random), friction: random.real(), restitution: random.real() }) },
  'particle.pin': { weight: 3, can: anyObject, params: (random, person) => ({ ...particlesOf(random, person, 3), ...some(random, 0.2, () => ({ position: place(random) })) }) },
  'particle.unpin': { weight: 4, can: anyObject, params: (random, person) => particlesOf(random, person, 200) },
  'particle.tear': { weight: 3, can: (person) => sheets(person).objects.length > 0, params: (random, person) => particlesOf(random, sheets(person), 5) },
  'blade.cut': { weight: 3, can: (person) => cuttable(person), params: (random) => blade(random) },
  'particle.set': { weight: 2, can: anyObject, params: (random, person) => ({ ...particlesOf(random, person, 4), inverseMass: between(random, 0, 200) }) },
  'particle.move': { weight: 3, can: anyObject, params: (random, person) => ({ ...end(random, person), position: place(random), mode: pick(random, ['teleport', 'push']) }) },
  'force.apply': { weight: 4, can: anyObject, params: (random, { objects }) => ({ object: pick(random, objects).object, force: vector(random, 30), ticks: 1 + random.integer(40) }) },
  'grab.start': { weight: 6, can: (person) => anyObject(person) && person.grabs.length < 2, params: (random, person) => end(random, person) },
  'grab.move': { weight: 20, can: ({ grabs }) => grabs.length > 0, params: (random, { grabs }) => ({ grab: pick(random, grabs), position: place(random) }) },
  'grab.end': { weight: 3, can: ({ grabs }) => grabs.length > 0, params: (random, { grabs }) => ({ grab: grabs.splice(random.integer(grabs.length), 1)[0] }) },
  'world.set': {
    weight: 3,
    params: (random) => pick(random, [
      () => ({ gravity: [between(random, -2, 2), between(random, -15, 2), 0] }), () => ({ wind: { velocity: vector(random, 6), gust: random.real() } }), () => ({ damping: between(random, 0, 0.5) }),
      () => ({ iterations: 1 + random.integer(4) }), () => ({ substeps: 1 + random.integer(6) }), () => ({ tolerance: between(random, 0, 0.01) }), () => ({ squareRoot: pick(random, ['exact', 'approximate']) }),
      () => ({ sleep: chance(random, 0.5) }), () => ({ friction: random.real(), airDensity: between(random, 0, 2) }), () => ({ bounds: { min: [-4, between(random, -1, 0), -4], max: [4, 6, 4] } }),
      () => ({ gravity: [0, -9.81, 0], wind: { velocity: [0, 0, 0], gust: 0 }, damping: 0.02, sleep: true }), // so that things come to rest and sleep
    ])(),
  },
  'world.pause': { weight: 1, params: () => ({}) },
  'world.resume': { weight: 1, params: () => ({}) },
  'world.step': { weight: 1, params: (random) => ({ ticks: 1 + random.integer(20) }) },
  'world.reset': { weight: 0.1, params: () => ({}) },
  'batch.run': {
    weight: 3, can: hasRoom,
    params: (random, person) => ({
      commands: [
        { method: 'rope.spawn', params: { from: place(random), to: place(random), particles: 6 } }, { method: 'body.spawn', params: { position: place(random), size: 0.2 } },
        { method: 'stick.add', params: { a: { object: '$0', particle: 5 }, b: { object: '$1', particle: 0 }, kind: 'atMost' } },
        ...(anyObject(person) && chance(random, 0.5) ? [{ method: 'particle.unpin', params: particlesOf(random, person, 5) }] : []),
        ...(chance(random, 0.3) ? [{ method: 'object.remove', params: { object: chance(random, 0.5) ? '$0' : 4000000000 } }] : []), // taken back as a whole
      ],
    }),
  },
  'world.seek': { weight: 0.2, params: (random, { tick }) => ({ tick: Math.max(0, tick - random.integer(200)) }) },
  'world.replay': { weight: 0.15, params: (random, { tick }) => ({ from: Math.max(0, tick - 60 - random.integer(60)), to: tick, speed: pick(random, [0.5, 1, 2]), loop: chance(random, 0.3) }) },
  'world.undo': { weight: 0.6, params: (random) => ({ force: true, background: chance(random, 0.5), within: UNDO_SECONDS }) },
  'world.redo': { weight: 20, can: ({ hasUndone }) => hasUndone, params: () => ({ force: true, within: UNDO_SECONDS }) },
};

for (const name of METHODS) if (!ACTS[name] && name !== 'scene.load') throw new Error(`The soak test of lockstep has no ${name}: add it to ACTS.`);
const allowsTick = new Set(schema.methods.filter((method) => method['x-atTick']).map(({ name }) => name));

/** A method and its parameters, drawn from what this person can do now. @param {Random} random @param {Person} person */
export function drawAct(random, person) {
  const possible = Object.entries(ACTS).filter(([, { can }]) => can?.(person) ?? true);
  let ticket = random.real() * possible.reduce((sum, [, { weight }]) => sum + weight, 0);
  const [method, { params }] = possible.find(([, { weight }]) => (ticket -= weight) < 0) ?? possible[0];
  const drawn = chance(random, EXAMPLE) && !method.startsWith('world.') ? structuredClone(examples[method].params) : params(random, person);
  if (allowsTick.has(method) && chance(random, LATER)) drawn.atTick = person.tick + 1 + random.integer(20);
  return { method, params: drawn };
}

/** A person who has just arrived. @param {import('../../web/client/client.js').WeftClient} client @returns {Person} */
export const newPerson = (client) => ({ client, objects: [], obstacles: [], sticks: [], grabs: [], tick: 0, hasUndone: false });

/** Notes what a command has made. @param {Person} person @param {string} method @param {any} result */
export function noteResult(person, method, result) {
  person.hasUndone = method === 'world.undo';
  if (result.tick !== undefined) person.tick = result.tick;
  if (method === 'obstacle.add') person.obstacles.push(result.obstacle);
  if (method === 'stick.add') person.sticks.push(result.stick);
  if (method === 'grab.start') person.grabs.push(result.grab);
}
