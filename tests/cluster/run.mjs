// SPDX-License-Identifier: MIT
// One run: a cluster, clients that send commands, faults drawn by a seed, and the verdict of the checker.
//
//   isolated.sh node run.mjs template FOLDER           makes the folder that databases begin with
//   isolated.sh node run.mjs random SEED TEMPLATE KEPT   a run; logs and history of one that fails go to the folder KEPT
//   isolated.sh node run.mjs lying SEED TEMPLATE KEPT    a run whose database loses acknowledged commits
//
// The last line that it prints is the result, as JSON.

import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { seeded } from '../support/random.mjs';
import { sleep, until } from '../support/wait.mjs';
import { check } from './checker.mjs';
import { History, Sender } from './clients.mjs';
import { setClock } from './clock.mjs';
import { WORK } from './command.mjs';
import { Database, makeTemplate } from './database.mjs';
import { carryOut, drawPlan } from './faults.mjs';
import { finalState } from './final_state.mjs';
import { Network } from './network.mjs';
import { Node, WORLDS } from './nodes.mjs';

const CLIENTS_PER_WORLD = 2;
const NODES = ['node1', 'node2', 'node3'];
const BEFORE_MS = 500; // during which commands are sent before the first fault, and after the last one
const HEALED_MS = 60000; // until all nodes are ready again
const LOOK_MS = 100;
const RUN_MS = 200000;
const ANSWERED_MS = 60000; // until all commands are answered

/** Commits that the standby does not get are acknowledged; then all nodes are killed, and the standby becomes the primary. */
async function loseCommits(database, network, nodes) {
  await database.stopWaiting();
  const mend = await Promise.all([network.block('database1', 'database2', 'drop'), network.block('database2', 'database1', 'drop')]);
  await sleep(2000);
  await Promise.all([database.primary.kill(), ...nodes.map((node) => node.process.end('SIGKILL'))]);
  await database.promote();
  await Promise.all(mend.map((one) => one()));
  await database.addStandby();
}

async function play({ kind, random, plan, template, history }) {
  const note = (what) => history.note({ type: 'fault', client: 'run', message: what });
  const network = await Network.create();
  for (const { kind: fault, machine } of plan) if (fault === 'set a clock') await setClock(machine, 0);
  const database = await Database.start(template);
  const nodes = Object.fromEntries(NODES.map((machine) => [machine, new Node(machine)]));
  const list = Object.values(nodes);
  for (const node of list) node.start();
  const areReady = async () => (await Promise.all(list.map((node) => node.isReady()))).every(Boolean) || sleep(LOOK_MS, false);
  const ready = () => until(areReady, 'all nodes are ready', HEALED_MS);
  await ready();
  const senders = Object.keys(WORLDS).flatMap((world, at) => Array.from({ length: CLIENTS_PER_WORLD }, (_, i) =>
    new Sender(`client${at * CLIENTS_PER_WORLD + i + 1}`, world, NODES[random.integer(NODES.length)], history, seeded(Math.floor(random.real() * 2 ** 32)))));
  await Promise.all(senders.map((sender) => sender.connect()));
  const sending = senders.map((sender) => sender.run());
  await sleep(BEFORE_MS);
  if (kind === 'random') await carryOut(plan, { nodes, database, network }, note);
  else await loseCommits(database, network, list);
  await database.heal();
  await ready();
  note('all nodes are ready');
  await sleep(BEFORE_MS);
  await Promise.all(senders.map((sender) => sender.finish(ANSWERED_MS)));
  note('all commands are answered');
  await Promise.all(sending);
  for (const sender of senders) sender.close();
  const state = await finalState(list, database);
  state.sessions = Object.fromEntries(senders.map(({ name, session }) => [name, session]));
  const ends = list.flatMap((node) => node.ends.map(({ code, signal }) => `${node.machine} ended with ${signal ?? code}`));
  return { state, ends };
}

async function main([kind, ...args]) {
  if (process.pid !== 1) throw new Error('a run needs a machine of its own: isolated.sh gives it one');
  if (kind === 'template') {
    await Network.create();
    await makeTemplate(args[0]);
    return;
  }
  const [seed, template, kept] = args;
  const began = performance.now();
  const result = { kind, seed: Number(seed), passed: false };
  const random = seeded(Number(seed)), history = new History();
  const plan = kind === 'random' ? drawPlan(random) : [];
  let state;
  try {
    const played = await Promise.race([play({ kind, random, plan, template, history }), sleep(RUN_MS).then(() => { throw new Error(`the run did not end within ${RUN_MS / 1000} s`); })]);
    const { ends } = played;
    state = played.state;
    const { violations, ...counts } = check(history.events, state);
    Object.assign(result, { ...counts, faults: plan.map((fault) => fault.kind), violations, ends, passed: violations.length === 0 && ends.length === 0 });
  } catch (error) {
    result.error = error.stack;
  }
  result.seconds = Math.round((performance.now() - began) / 100) / 10;
  if (!result.passed) {
    await mkdir(kept, { recursive: true });
    for (const name of await readdir(WORK)) if (name.endsWith('.log') || name.endsWith('.capsule')) await cp(join(WORK, name), join(kept, name));
    await writeFile(join(kept, 'result.json'), JSON.stringify({ ...result, plan, state }, null, 1));
    await writeFile(join(kept, 'history.jsonl'), history.events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  }
  console.log(JSON.stringify(result));
}

await main(process.argv.slice(2));
process.exit(0);
