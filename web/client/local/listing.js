// SPDX-License-Identifier: MIT
// The history of a local world as replies: world.history and world.log (PROTOCOL.md).

import { Refusal } from './errors.js';
import { KIND, numberOf } from './history.js';
/** @import { Logged } from './history.js' */
/** @import { LocalWorld } from './world.js' */

/** Records that are no command: their method and parameters. @param {import('../engine/engine.js').RecordText} text */
function ownDeed({ kind, grab, running, name }) {
  if (kind === 'release') return { method: 'release', params: { grab } };
  return { method: kind, params: kind === 'scene' ? { running, name } : { running } };
}

/** @param {LocalWorld} local @param {Logged} logged */
function listEntry(local, { timeline, sequence, entry }) {
  const text = local.textOf(entry);
  const { method, params } = text.kind === 'command' ? text : ownDeed(text);
  return { tick: entry.tick, timeline, sequence, client: entry.client, number: text.number, method, params };
}

/** The reply to world.history. @param {LocalWorld} local @param {{timeline?: number, from?: number, most?: number}} params */
export function listHistory(local, { timeline: wanted, from = 0, most = 100 }) {
  const { history, world, engine } = local;
  const listed = wanted ?? history.home;
  const timeline = history.find(listed);
  if (!timeline) throw new Refusal('NOT_FOUND', `there is no timeline ${listed} in this world`, '/timeline');
  const found = history.entries(history.endOf(listed)).filter(({ entry }) => entry.tick >= from);
  return {
    tick: world.tickCount,
    timeline: history.timeline,
    home: history.home,
    first: history.firstTick(listed),
    last: timeline.last,
    kept: { bytes: local.server.bytes, over: false },
    timelines: history.timelines.map(({ timeline: number, parent, first, last, entries }) => ({ timeline: number, parent, first, last, commands: entries.length, physics: engine.physicsVersion })),
    snapshots: timeline.snapshots.map(({ tick, bytes }) => ({ tick, bytes: bytes.length })),
    commands: found.slice(0, most).map((logged) => listEntry(local, logged)),
    more: found.length > most,
  };
}

/** @param {LocalWorld} local @param {Logged} logged @param {number} index */
function logEntry(local, { entry }, index) {
  const text = local.textOf(entry);
  const head = { index, tick: entry.tick, client: entry.client };
  switch (text.kind) {
    case 'command': return { ...head, method: text.method, params: text.params, made: text.made };
    case 'release': return { ...head, method: 'grab.end', params: { grab: text.grab } }; // the command that it could have been
    case 'scene': return { ...head, method: 'scene', params: { name: text.name } };
    default: return { ...head, method: 'clock' };
  }
}

/** The reply to world.log. @param {LocalWorld} local @param {{from?: number, most?: number}} params */
export function listLog(local, { from = 0, most = 1000 }) {
  const { history, world, time } = local;
  const place = time.shown?.place ?? history.place;
  const entries = history.entries(place);
  const [first] = entries;
  const begins = from === 0 && first?.entry.kind === KIND.scene && first.entry.tick === 1;
  const batch = world.sceneCommands;
  return {
    tick: world.tickCount,
    timeline: place.timeline,
    ...(from === 0 && { stateHash: world.hash }),
    commands: entries.slice(from, from + most).map((logged, at) => logEntry(local, logged, from + at)),
    next: Math.min(Math.max(from, 0) + most, entries.length),
    count: entries.length,
    ...(begins && { scene: { name: local.textOf(first.entry).name, firstId: numberOf(first.entry) + 1, ...(batch && { batch }) } }),
  };
}
