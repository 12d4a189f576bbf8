// SPDX-License-Identifier: MIT
// The faults of a cluster: a plan is drawn at random, as plain data, and then carried out. So the same seed gives the
// same plan.
//
// Each fault is applied, holds for a while and is undone; several may hold at the same time. Those that concern the place of
// primary and standby come one after the other.

import { sleep } from '../support/wait.mjs';
import { setClock } from './clock.mjs';
import { MACHINES } from './network.mjs';
import { httpOf, WORLDS } from './nodes.mjs';

const SPAN_MS = 7000; // within which faults begin
const FAULTS = [2, 5]; // of a plan
const NODES = ['node1', 'node2', 'node3'];
const DATABASES = ['database1', 'database2'];
const ASK_MS = 5000;
const DAY_S = 86400;

const between = (random, least, most) => Math.round(least + (most - least) * random.real());
const oneOf = (random, list) => list[random.integer(list.length)];

/** Faults by name. `draw` returns the parameters of a fault, except its time; `apply` returns the undo function. */
const KINDS = {
  'kill a node': {
    weight: 3,
    draw: (random) => ({ node: oneOf(random, NODES), hold: 0 }),
    apply: async ({ nodes }, { node }) => { await nodes[node].process.end('SIGKILL'); },
  },
  'end a node': {
    weight: 1,
    draw: (random) => ({ node: oneOf(random, NODES), hold: 0 }),
    apply: async ({ nodes }, { node }) => { await nodes[node].process.end('SIGTERM'); },
  },
  'stop a node': { // past its lease, most of the time
    weight: 3,
    draw: (random) => ({ node: oneOf(random, NODES), hold: between(random, 1500, 6500) }),
    apply: async ({ nodes }, { node }) => {
      const { process } = nodes[node];
      process.signal('SIGSTOP', false);
      return async () => process.signal('SIGCONT', false);
    },
  },
  'drain a node': {
    weight: 1,
    draw: (random) => ({ node: oneOf(random, NODES), hold: between(random, 500, 3000) }),
    apply: async (_, { node }) => {
      await drain(node, true);
      return () => drain(node, false);
    },
  },
  'cut a node from the database': {
    weight: 3,
    draw: (random) => ({ ...drawCut(random), node: oneOf(random, NODES) }),
    apply: ({ network }, { node, way, manner }) => cut(network, [node], DATABASES, way, manner),
  },
  'cut a node from its clients': {
    weight: 2,
    draw: (random) => ({ ...drawCut(random), node: oneOf(random, NODES) }),
    apply: ({ network }, { node, way, manner }) => cut(network, [node], ['clients'], way, manner),
  },
  'cut a node from the other nodes': {
    weight: 1,
    draw: (random) => ({ ...drawCut(random), node: oneOf(random, NODES) }),
    apply: ({ network }, { node, way, manner }) => cut(network, [node], NODES.filter((other) => other !== node), way, manner),
  },
  'cut all nodes from the database': {
    weight: 1,
    draw: (random) => drawCut(random),
    apply: ({ network }, { way, manner }) => cut(network, NODES, DATABASES, way, manner),
  },
  'cut the standby from the primary': {
    weight: 2,
    draw: (random) => drawCut(random),
    apply: ({ network }, { way, manner }) => cut(network, ['database1'], ['database2'], way, manner),
  },
  'slow link': {
    weight: 2,
    draw: (random) => ({ machine: oneOf(random, MACHINES), delayMs: between(random, 30, 400), kilobits: between(random, 48, 512), hold: between(random, 1500, 5000) }),
    apply: ({ network }, { machine, ...how }) => network.slow(machine, how),
  },
  'kill the primary and start it again': {
    weight: 2,
    draw: (random) => ({ hold: between(random, 0, 2500) }),
    apply: ({ database, inTurn }, { hold }) => inTurn(async () => {
      const { primary } = database;
      await primary.kill();
      await sleep(hold);
      await primary.ready();
    }),
  },
  'stop the primary': {
    weight: 1,
    draw: (random) => ({ hold: between(random, 500, 5000) }),
    apply: ({ database, inTurn }, { hold }) => inTurn(async () => {
      const { primary } = database;
      primary.signalAll('SIGSTOP');
      await sleep(hold);
      primary.signalAll('SIGCONT');
    }),
  },
  'promote the standby': {
    weight: 3,
    draw: (random) => ({ primary: oneOf(random, ['killed', 'cut off', 'stopped', 'running']), before: between(random, 0, 1000), after: between(random, 0, 2000), hold: 0 }),
    apply: ({ database, network, inTurn }, how) => inTurn(() => promote(database, network, how)),
  },
  'fill the disk of a database': {
    weight: 2,
    draw: (random) => ({ of: oneOf(random, ['primary', 'primary', 'standby']), hold: between(random, 500, 3500) }),
    apply: ({ database, inTurn }, { of, hold }) => inTurn(async () => {
      const server = database[of];
      await server.fill();
      await sleep(hold);
      await server.empty();
      await server.ready();
    }),
  },
  'set a clock': {
    weight: 3,
    draw: (random) => {
      const seconds = Math.round(2 * (DAY_S ** random.real())) * oneOf(random, [-1, 1]); // 2 s to 2 days
      return { machine: oneOf(random, [...NODES, ...DATABASES]), seconds, hold: between(random, 1000, 5000) };
    },
    apply: async (_, { machine, seconds }) => {
      await setClock(machine, seconds);
      return () => setClock(machine, 0);
    },
  },
};

const drawCut = (random) => ({ way: oneOf(random, ['both', 'both', 'to', 'from']), manner: oneOf(random, ['drop', 'drop', 'reset']), hold: between(random, 300, 6000) });

/** Lets nothing through between machines of two lists. @param {'both' | 'to' | 'from'} way from the first list to the second, or the other way */
async function cut(network, ones, others, way, manner) {
  const pairs = ones.flatMap((one) => others.flatMap((other) => [...(way !== 'from' ? [[one, other]] : []), ...(way !== 'to' ? [[other, one]] : [])]));
  const undo = await Promise.all(pairs.map(([from, to]) => network.block(from, to, manner)));
  return async () => { await Promise.all(undo.map((one) => one())); };
}

/** Promotes the standby as an operator would: the former primary may run until then, and is given up afterwards. */
async function promote(database, network, { primary: state, before, after }) {
  if (!database.isSafe) return;
  const former = database.primary;
  let mend = async () => {};
  if (state === 'killed') await former.kill();
  if (state === 'stopped') former.signalAll('SIGSTOP');
  if (state === 'cut off') mend = await cut(network, [former.machine], MACHINES.filter((machine) => machine !== former.machine), 'both', 'drop');
  await sleep(before);
  await database.promote();
  await sleep(after);
  await former.kill();
  await mend();
  await database.addStandby();
}

/** Asks one node after the other until one answers; perhaps none can. */
async function drain(node, draining) {
  for (const asked of [node, ...NODES.filter((other) => other !== node)]) {
    try {
      const answer = await fetch(`${httpOf(asked)}/worlds/${Object.keys(WORLDS)[0]}/rpc`, {
        method: 'POST', headers: { 'Content-Type': 'application/json' }, signal: AbortSignal.timeout(ASK_MS),
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'node.drain', params: { url: httpOf(node), draining } }),
      });
      const { result } = await answer.json();
      if (result) return;
    } catch {
      continue; // the node is not there, or cannot be reached
    }
  }
}

/** @param {{real: () => number, integer: (below: number) => number}} random @returns {{at: number, kind: string, hold: number}[]} */
export function drawPlan(random) {
  const names = Object.entries(KINDS).flatMap(([name, { weight }]) => Array(weight).fill(name));
  const count = between(random, ...FAULTS);
  const plan = Array.from({ length: count }, () => {
    const kind = oneOf(random, names);
    return { at: between(random, 0, SPAN_MS), kind, ...KINDS[kind].draw(random) };
  });
  return plan.sort((a, b) => a.at - b.at);
}

/**
 * Carries a plan out; afterwards everything is as before.
 * @param {{nodes: Record<string, import('./nodes.mjs').Node>, database: import('./database.mjs').Database, network: import('./network.mjs').Network}} cluster
 * @param {(what: string) => void} note
 */
export async function carryOut(plan, cluster, note) {
  let turn = Promise.resolve();
  const inTurn = (work) => (turn = turn.then(work));
  await Promise.all(plan.map(async ({ at, kind, hold, ...what }) => {
    await sleep(at);
    note(`${kind}: ${JSON.stringify({ ...what, hold })}`);
    const undo = await KINDS[kind].apply({ ...cluster, inTurn }, { hold, ...what });
    if (!undo) return;
    await sleep(hold);
    await undo();
    note(`undone: ${kind}`);
  }));
}
