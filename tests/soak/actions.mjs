// SPDX-License-Identifier: MIT
// Random actions of a client in the soak test. `state` is {client, objects, grabs}: the client's own objects and grabs.

const OBJECTS_MOST = 4; // objects per client, which removes them when it leaves

const place = (random) => [random.real() * 6 - 3, 1 + 4 * random.real(), random.real() * 6 - 3];
const pick = (random, list) => list[random.integer(list.length)];

const spawns = [
  ['cloth.spawn', (random) => ({ columns: 4 + random.integer(20), rows: 4 + random.integer(20), position: place(random), tear: 1.2, thickness: 0.01 })],
  ['rope.spawn', (random) => ({ from: place(random), to: place(random), particles: 2 + random.integer(40) })],
  ['body.spawn', (random) => ({ shape: 'box', size: [0.3, 0.4, 0.2], position: place(random) })],
  ['ragdoll.spawn', (random) => ({ position: place(random) })],
  ['plant.spawn', (random) => ({ position: place(random) })],
  ['particles.spawn', (random) => ({ positions: Array.from({ length: 1 + random.integer(50) }, () => place(random)) })],
];

async function spawn(random, { client, objects }) {
  const [method, params] = pick(random, spawns);
  const { object } = await client.call(method, params(random));
  objects.push(object);
}

async function remove(random, { client, objects }) {
  const [object] = objects.splice(random.integer(objects.length), 1);
  await client.call('object.remove', { object });
}

async function pull(random, { client, objects, grabs }) {
  const { grab } = await client.call('grab.start', { object: pick(random, objects), particle: 0 });
  grabs.push(grab);
}

// Hard enough to tear a cloth.
async function drag(random, { client, grabs }) {
  const grab = pick(random, grabs);
  for (let step = 0; step < 10; step++) client.notify('grab.move', { grab, position: place(random) });
  await client.call('grab.move', { grab, position: place(random) });
}

async function letGo(random, { client, grabs }) {
  const [grab] = grabs.splice(random.integer(grabs.length), 1);
  await client.call('grab.end', { grab });
}

const some = (random, { client, objects }, method, params) => client.call(method, { object: pick(random, objects), ...params });

/** name → [weight, whether the action is possible, the action] */
const actions = {
  spawn: [6, ({ objects }) => objects.length < OBJECTS_MOST, spawn],
  remove: [3, ({ objects }) => objects.length > 0, remove],
  pull: [4, ({ objects, grabs }) => objects.length > 0 && grabs.length < 2, pull],
  drag: [8, ({ grabs }) => grabs.length > 0, drag],
  letGo: [3, ({ grabs }) => grabs.length > 0, letGo],
  push: [3, ({ objects }) => objects.length > 0, (random, state) => some(random, state, 'force.apply', { force: place(random), ticks: 1 + random.integer(30) })],
  pin: [2, ({ objects }) => objects.length > 0, (random, state) => some(random, state, 'particle.pin', { particles: [0] })],
  unpin: [2, ({ objects }) => objects.length > 0, (random, state) => some(random, state, 'particle.unpin', { particles: [0] })],
  look: [3, ({ objects }) => objects.length > 0, (random, state) => some(random, state, 'particle.read', {})],
  list: [1, () => true, (random, { client }) => client.call('object.list')],
  get: [2, () => true, (random, { client }) => client.call('world.get')],
  set: [2, () => true, (random, { client }) => client.call('world.set', { wind: { velocity: place(random), gust: random.real() } })],
  point: [3, () => true, (random, { client }) => client.call('pointer.move', { position: place(random) })],
  watch: [1, () => true, (random, { client }) => client.subscribeFrames({ everyTicks: 1 + random.integer(4) })],
  listen: [1, () => true, (random, { client }) => client.call('events.subscribe', {})],
  batch: [2, () => true, (random, { client }) => client.call('batch.run', {
    commands: [{ method: 'body.spawn', params: { position: place(random) } }, { method: 'object.remove', params: { object: '$0' } }],
  })],
  wrong: [2, () => true, (random, { client }) => client.call('object.remove', { object: 4000000000 })],
};

/** @returns {{name: string, reply: Promise<unknown>}} */
export function act(random, state) {
  const possible = Object.entries(actions).filter(([, [, can]]) => can(state));
  let ticket = random.integer(possible.reduce((sum, [, [weight]]) => sum + weight, 0));
  const [name, [, , run]] = possible.find(([, [weight]]) => (ticket -= weight) < 0);
  return { name, reply: run(random, state) };
}

/** Removes the client's objects, and closes the connection or just drops it. */
export async function leave(random, { client, objects }) {
  for (const object of objects.splice(0)) await client.call('object.remove', { object }).catch(() => {});
  client.close();
}
