// SPDX-License-Identifier: MIT
// Writes a recording as a JavaScript program, for Node 18 and later (before 22 with the package ws), or for a page's console.
import { toJson } from './literal.js';

/** @param {string} url @param {string} about @param {boolean} whole */
const beginning = (url, about, whole) => `// ${about}
//
//     node FILE [ws://HOST:PORT/worlds/NAME]        or WEFT_URL; WEFT_TOKEN: a token, where the server wants one
//
${whole ? `// Without an address it runs in a world of its own, which ends with it. A world given by its
// address loses its former content.
` : ''}// Node before 22 needs the package ws (npm install ws); as a file it is called .mjs.
const { argv, env } = globalThis.process ?? { argv: [], env: {} };
const given = argv[2] ?? env.WEFT_URL;
const home = given ?? ${toJson(url)};
const WebSocket = globalThis.WebSocket ?? (await import(${toJson('ws')})).WebSocket;

/** A connection to a world, and the ids of the objects in it. */
class World {
  last = 0; // id of the last request
  start = 0; // the tick here at which the recording begins
  tick = 0; // the present tick
  shift = 0; // difference between the ids of the scene's objects here and in the recording
  ids = new Map(); // ids of objects that commands made: in the recording → here
  waiting = new Map();

  constructor(address) {
    const socket = new WebSocket(address, ['weft.v1']);
    this.socket = socket;
    this.hello = new Promise((resolve, reject) => {
      socket.onclose = ({ reason }) => {
        const error = new Error(\`the connection to \${address} ended \${reason}\`);
        reject(error);
        for (const { reject: refuse } of this.waiting.values()) refuse(error);
      };
      socket.onerror = () => {};
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        if (message.method === 'hello') resolve(message.params);
        this.waiting.get(message.id)?.resolve(message);
        this.waiting.delete(message.id);
      };
    });
  }

  leave() {
    this.socket.onclose = null;
    this.socket.close();
  }

  async call(method, params = {}) {
    for (;;) {
      const id = ++this.last;
      const { result, error } = await new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject });
        this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
      if (!error) return result;
      if (error.code !== -32000 && error.code !== -32005) throw new Error(\`\${method}: \${error.message}\`);
      await new Promise((resolve) => setTimeout(resolve, error.data?.retryAfterMs ?? 100)); // the server is busy, or the client's rate limit is reached
    }
  }

  /** A value with the recorded ids replaced by those of this world. */
  here(value, name) {
    if (Array.isArray(value)) return value.map((item) => this.here(item, name));
    if (value && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.here(item, key)]));
    const isId = ['object', 'objects', 'obstacle', 'stick', 'grab'].includes(name) && typeof value === 'number';
    return isId ? this.ids.get(value) ?? value + this.shift : value;
  }

  async stepTo(tick) {
    while (this.tick < this.start + tick) {
      ({ tick: this.tick } = await this.call('world.step', { ticks: Math.min(this.start + tick - this.tick, 1000) }));
    }
  }

  /** Sends a command so that the step of this tick is the first to see it. */
  async at(tick, method, params, made = []) {
    await this.stepTo(tick - 1);
    const result = await this.call(method, this.here(params));
    const found = (result.results ?? [result]).flatMap((one) => ['object', 'stick', 'obstacle', 'grab'].filter((kind) => kind in one).map((kind) => one[kind]));
    made.forEach((id, index) => this.ids.set(id, found[index]));
  }
}

async function enter(address) {
  const world = new World(address);
  world.hello = await world.hello;
  if (env.WEFT_TOKEN) await world.call('session.authenticate', { token: env.WEFT_TOKEN });
  return world;
}
`;

// A program that begins with a scene makes a temporary world, unless an address is given.
const OWN = `
async function enterOwn() {
  const there = await enter(home);
  const name = \`rebuild-\${Math.random().toString(36).slice(2, 10)}\`;
  await there.call('world.create', { name, scene: 'empty', temporary: true }).catch((error) => {
    throw new Error(\`\${error.message}: no new world can be made; give the address of a world that may be overwritten\`);
  });
  const world = await enter(home.replace(/[^/]*$/, name));
  there.leave();
  return world;
}

const world = given ? await enter(home) : await enterOwn();
`;

/** @param {import('./writers.js').RecordedScene} scene */
function sceneLines({ name, firstId, tickHz, commands }) {
  const run = commands && commands.length > 0 ? `await world.call('batch.run', {
  commands: [
${commands.map((one) => `    ${toJson(one)},\n`).join('')}  ],
});
` : '';
  return `if (world.hello.tickHz !== ${toJson(tickHz)}) throw new Error(\`this server makes \${world.hello.tickHz} ticks a second; the hash wants ${toJson(tickHz)}\`);
const scene = await world.call('scene.load', { name: ${toJson(commands ? 'empty' : name)} });
world.shift = scene.firstId - ${firstId};
${run}`;
}

/** @param {import('./writers.js').RecordedCommand} command */
const commandLine = ({ tick, method, params, made }) => (
  `await world.at(${tick}, ${toJson(method)}, ${toJson(params)}${made.length > 0 ? `, ${toJson(made)}` : ''});\n`);

/** @param {import('./writers.js').Recording} recording @param {string} about */
export function javascriptProgram({ url, scene, commands, tick, stateHash }, about) {
  const first = commands[0]?.tick ?? 1;
  const spaced = commands.map((one) => ({ ...one, tick: scene ? one.tick : one.tick - first + 1 }));
  const apart = commands.some((one) => one.tick !== first);
  const before = scene ? sceneLines(scene) : !apart ? '' : `world.start = world.tick = (await world.call('world.get')).tick;
`;
  const after = scene ? `await world.stepTo(${tick});
` : '';
  const compare = scene ? `if (stateHash !== ${toJson(stateHash)}) throw new Error(${toJson(`this is not the same state: its hash would be ${stateHash}`)});
` : '';
  const body = `${before}${spaced.map(commandLine).join('')}${after}const { stateHash } = await world.call('world.get');
console.log(stateHash);
${compare}`;
  return `${beginning(url, about, Boolean(scene))}${scene ? OWN : `
const world = await enter(home);
`}${scene || apart ? stopped(body) : `${body}world.leave();
`}`;
}

/** Stops the clock for the body and restarts it afterwards if it ran before, also after an error. @param {string} body */
const stopped = (body) => `const { running } = await world.call('world.get');
await world.call('world.pause');
try {
${body.replace(/^(?=.)/gm, '  ')}} finally {
  if (running && world.socket.readyState === 1) await world.call('world.resume');
  world.leave();
}
`;
