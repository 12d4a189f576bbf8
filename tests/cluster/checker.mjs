// SPDX-License-Identifier: MIT
// Decides whether a cluster has kept its promises, from the messages that clients sent and heard, and from the store at
// the end. The checker knows nothing of servers, databases and faults.
//
// A command is one of a client's, whose name `client:index` counts them in the order in which they were sent. Its outcome is
// ACKNOWLEDGED if any answer to it was a result. If the answer was that nothing was changed, it must not have been applied.
// Otherwise (another error, or no answer) it may have been.

/**
 * @typedef {object} Event a message that a client sent or heard, in the order of the client's own clock
 * @property {'sent' | 'heard' | 'fault'} type
 * @property {string} client
 * @property {string} [world]
 * @property {string} [name] of the command
 * @property {string | number} [request] its id, which stays the same when the client repeats it
 * @property {string} [node] address of the node that it was sent to or heard from
 * @property {object} [result]
 * @property {string} [error] message of an answer that is an error
 */

/**
 * @typedef {object} WorldState the final state of one world
 * @property {string[]} objects names of the objects of commands, in the order of their ids, in which they were applied
 * @property {{timeline: number, sequence: number, session: string, request: string}[]} entries the stored history
 * @property {{what: string, tick: number, hash: string}[]} hashes of the world as it ended, and of each way to compute it again from the store
 */

/**
 * @typedef {object} FinalState
 * @property {Record<string, WorldState>} worlds by name
 * @property {Record<string, string>} sessions key of the session of each client
 * @property {{world: string, epoch: number, address: string}[]} writers which addresses have written to a world in which epoch
 * @property {{world: string, epoch: number, url: string | null}[]} owners rows that the table of owners has had
 */

/** The promises, by their violations. */
export const PROMISES = {
  lost: 'acknowledged commands lost',
  twice: 'commands applied twice',
  order: 'commands applied out of the order of their client',
  owners: 'epochs of a world with two owners',
  hash: 'final hashes that differ from a replay of what is stored',
  refused: 'commands applied that were answered as changing nothing',
  answers: 'commands with answers that contradict each other',
  invented: 'objects that no client has made',
  silent: 'commands that were never answered',
};

/** @typedef {{promise: keyof PROMISES, what: string}} Violation */

const NOTHING_CHANGED = /^nothing was changed/;
const indexOf = (name) => Number(name.slice(name.lastIndexOf(':') + 1));

/** The clients' knowledge of each command. @param {Event[]} events */
function commandsOf(events) {
  const commands = new Map();
  for (const { type, client, world, name, request, node, result, error } of events) {
    if (name === undefined) continue;
    if (!commands.has(name)) commands.set(name, { name, client, world, request: String(request), results: [], errors: [], nodes: new Set() });
    const command = commands.get(name);
    if (type === 'heard' && result !== undefined) {
      command.results.push(JSON.stringify(result));
      command.nodes.add(node);
    }
    if (type === 'heard' && error !== undefined) command.errors.push(error);
  }
  return [...commands.values()];
}

/** @param {any[]} list @param {(one: any) => string} keyOf @returns {Map<string, any[]>} */
function grouped(list, keyOf) {
  const groups = new Map();
  for (const one of list) {
    const key = keyOf(one);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(one);
  }
  return groups;
}

/** The entries that occur more than once. @param {string[]} list */
const repeated = (list) => [...grouped(list, (one) => one)].filter(([, all]) => all.length > 1).map(([one]) => one);

/** Pairs of neighbours whose second number is not the higher one. @param {{at: number, of: string}[]} list */
const descents = (list) => list.slice(1).map((one, i) => [list[i], one]).filter(([before, after]) => after.at <= before.at);

/** Whether each command is in its world as often as it may be. @returns {Violation[]} */
function checkObjects(name, { objects }, commands) {
  const counts = new Map([...grouped(objects, (one) => one)].map(([one, all]) => [one, all.length]));
  const known = new Set(commands.map((command) => command.name));
  const found = [];
  for (const { name: command, results, errors } of commands) {
    const count = counts.get(command) ?? 0;
    if (results.length > 0 && count === 0) found.push({ promise: 'lost', what: `${command} was acknowledged and is not in ${name}` });
    if (count > 1) found.push({ promise: 'twice', what: `${command} is ${count} times in ${name}` });
    if (results.length === 0 && errors.length > 0 && errors.every((error) => NOTHING_CHANGED.test(error)) && count > 0) {
      found.push({ promise: 'refused', what: `${command} is in ${name}, and its answer was: ${errors[0]}` });
    }
  }
  for (const one of counts.keys()) if (!known.has(one)) found.push({ promise: 'invented', what: `${one} is in ${name}` });
  for (const [client, own] of grouped(objects, (one) => one.slice(0, one.lastIndexOf(':')))) {
    const first = [...new Set(own)].map((of) => ({ at: indexOf(of), of })); // duplicates are reported above
    for (const [before, after] of descents(first)) found.push({ promise: 'order', what: `${client}: ${after.of} was applied to ${name} after ${before.of}` });
  }
  return found;
}

/** Whether each acknowledged command is in the stored history once, and the commands of a session in their order. @returns {Violation[]} */
function checkEntries(name, { entries }, commands, sessions) {
  const keyOf = ({ session, request }) => `${session} ${request}`;
  const stored = grouped(entries, keyOf);
  const found = [];
  for (const { name: command, client, request, results } of commands) {
    const rows = stored.get(keyOf({ session: sessions[client], request })) ?? [];
    if (results.length > 0 && rows.length === 0) found.push({ promise: 'lost', what: `${command} was acknowledged and is not in the history of ${name}` });
    if (rows.length > 1) found.push({ promise: 'twice', what: `${command} is ${rows.length} times in the history of ${name}` });
  }
  for (const own of grouped(entries, ({ session, timeline }) => `${session} ${timeline}`).values()) {
    const rows = [...own].sort((a, b) => a.sequence - b.sequence).map(({ session, request }) => ({ at: Number(request), of: `request ${request} of ${session}` }));
    for (const [before, after] of descents(rows)) if (after.at !== before.at) found.push({ promise: 'order', what: `${name}: ${after.of} follows ${before.of} in the history` });
  }
  return found;
}

/** @returns {Violation[]} */
function checkHashes(name, { hashes: [end, ...others] }) {
  return others.filter(({ tick, hash }) => tick !== end.tick || hash !== end.hash)
    .map(({ what, tick, hash }) => ({ promise: 'hash', what: `${name}: ${end.what}: tick ${end.tick}, ${end.hash}; ${what}: tick ${tick}, ${hash}` }));
}

/** @returns {Violation[]} */
function checkOwners({ writers, owners }) {
  const found = [];
  const epochOf = ({ world, epoch }) => `${world}, epoch ${epoch}`;
  for (const [key, rows] of grouped(writers, epochOf)) {
    const addresses = [...new Set(rows.map(({ address }) => address))];
    if (addresses.length > 1) found.push({ promise: 'owners', what: `${key}: ${addresses.join(' and ')} have written` });
  }
  for (const [key, rows] of grouped(owners.filter(({ url }) => url !== null), epochOf)) {
    const urls = [...new Set(rows.map(({ url }) => url))];
    if (urls.length > 1) found.push({ promise: 'owners', what: `${key}: ${urls.join(' and ')} have owned it` });
  }
  return found;
}

/**
 * @param {Event[]} events @param {FinalState} state
 * @returns {{violations: Violation[], sent: number, acknowledged: number, refused: number, unknown: number}}
 */
export function check(events, state) {
  const commands = commandsOf(events);
  const violations = [];
  for (const { name, results, errors } of commands) {
    if (results.length > 0 && errors.some((error) => NOTHING_CHANGED.test(error))) violations.push({ promise: 'answers', what: `${name}: ${results[0]}, and ${errors[0]}` });
    if (new Set(results).size > 1) violations.push({ promise: 'answers', what: `${name}: ${[...new Set(results)].join(', and ')}` });
    if (results.length + errors.length === 0) violations.push({ promise: 'silent', what: name });
  }
  for (const [name, own] of grouped(commands, ({ world }) => world)) {
    const world = state.worlds[name];
    if (!world) {
      for (const { name: command, results } of own) if (results.length > 0) violations.push({ promise: 'lost', what: `${command} was acknowledged, and there is no world ${name}` });
      continue;
    }
    violations.push(...checkObjects(name, world, own), ...checkEntries(name, world, own, state.sessions), ...checkHashes(name, world));
  }
  for (const request of repeated(commands.map(({ client, request: id }) => `${client} ${id}`))) violations.push({ promise: 'answers', what: `two commands are request ${request}` });
  violations.push(...checkOwners(state));
  const acknowledged = commands.filter(({ results }) => results.length > 0).length;
  const refused = commands.filter(({ results, errors }) => results.length === 0 && errors.length > 0 && errors.every((error) => NOTHING_CHANGED.test(error))).length;
  return { violations, sent: commands.length, acknowledged, refused, unknown: commands.length - acknowledged - refused };
}
