// SPDX-License-Identifier: MIT
// A world's history as displayed: the commands of one timeline as marks, its snapshots, and its timelines. The moves of one
// grab are one mark. Pure: requests go through `ask`.

const MOST = 1000; // commands per request
const MARKS_MAX = 20000; // of a longer history, the newest commands are shown

/** The kinds of commands, which determine the shape of a mark. */
const MADE = 'make';
const CHANGED = 'change';
const HELD = 'hand';
const CLOCK = 'clock';
const SCENE = 'scene';

/**
 * The kind of mark for each method, and a description of the command.
 * @type {Record<string, [kind: MarkKind, say: (params: any) => string]>} params have the type of the method
 */
const COMMANDS = {
  'cloth.spawn': [MADE, () => 'added a cloth'],
  'mesh.spawn': [MADE, () => 'added a cloth from a mesh'],
  'particles.spawn': [MADE, () => 'added particles'],
  'rope.spawn': [MADE, () => 'added a rope'],
  'plant.spawn': [MADE, () => 'added a plant'],
  'ragdoll.spawn': [MADE, () => 'added a ragdoll'],
  'soft.spawn': [MADE, () => 'added a soft body'],
  'body.spawn': [MADE, ({ shape }) => (shape ? `added a ${shape}` : 'added a body')],
  'obstacle.add': [MADE, ({ shape }) => `added an obstacle${shape ? ` (${shape})` : ''}`],
  'stick.add': [MADE, () => 'added a stick'],
  'stick.set': [CHANGED, () => 'changed a stick'],
  'stick.remove': [CHANGED, () => 'removed a stick'],
  'obstacle.remove': [CHANGED, () => 'removed an obstacle'],
  'obstacle.set': [CHANGED, () => 'changed an obstacle'],
  'object.remove': [CHANGED, ({ object }) => `removed object ${object}`],
  'object.set': [CHANGED, ({ object }) => `changed object ${object}`],
  'particle.pin': [CHANGED, ({ object }) => `pinned object ${object}`],
  'particle.unpin': [CHANGED, ({ object }) => `unpinned object ${object}`],
  'particle.move': [CHANGED, ({ object }) => `moved object ${object}`],
  'particle.set': [CHANGED, ({ object }) => `changed particles of object ${object}`],
  'particle.tear': [CHANGED, ({ object }) => `tore object ${object}`],
  'blade.cut': [CHANGED, ({ object }) => (object ? `cut object ${object}` : 'cut')],
  'force.apply': [HELD, ({ object }) => `pushed object ${object}`],
  'grab.start': [HELD, ({ object }) => `dragged object ${object}`],
  'grab.move': [HELD, () => 'dragged'],
  'grab.end': [HELD, () => 'released an object'],
  'world.set': [CHANGED, (params) => `set ${Object.keys(params).join(', ')}`],
  'world.pause': [CLOCK, () => 'paused'],
  'world.resume': [CLOCK, () => 'resumed'],
  scene: [SCENE, ({ name }) => `started with ${name ? `the scene ${name}` : 'an empty world'}`],
  release: [HELD, () => 'released an object, because the client left'],
  clock: [CLOCK, ({ running }) => (running ? 'resumed' : 'paused')],
};

/**
 * A short description of a command.
 * @param {{method: string, params?: any}} command
 * @returns {{kind: MarkKind, words: string}}
 */
export function describeCommand({ method, params = {} }) {
  if (method === 'batch.run') {
    const commands = params.commands ?? [];
    const { kind, words } = describeCommand(commands[0] ?? { method: '' });
    return commands.length === 1 ? { kind, words } : { kind, words: commands.length === 0 ? 'ran no commands' : `${words}, the first of ${commands.length} commands` };
  }
  const [kind, say] = COMMANDS[method] ?? [CHANGED, () => method];
  return { kind, words: say(params) };
}

/**
 * The grab that a command refers to: the id of a grab follows from the number of its command. 0 for other commands.
 * @param {HistoryCommand} command
 */
function grabOf({ method, params, number }) {
  if (method === 'grab.start') return number + 1;
  return method === 'grab.move' || method === 'grab.end' || method === 'release' ? Number(params.grab) : 0;
}

/** @typedef {'make'|'change'|'hand'|'clock'|'scene'} MarkKind */
/** @typedef {{tick: number, until: number, client: number, kind: MarkKind, words: string}} Mark */
/** @typedef {import('../../../client/protocol.js').WorldHistoryResult} HistoryAnswer */
/** @typedef {HistoryAnswer['commands'][number]} HistoryCommand */
/** @typedef {HistoryAnswer['timelines'][number]} Timeline */

/** One timeline of a world, and the list of all timelines. */
export class History {
  /** @type {Mark[]} marks in the order of ticks */
  marks = [];

  /** @type {Timeline[]} */
  timelines = [];

  /** @type {number[]} ticks of snapshots, which can be displayed at once */
  snapshots = [];

  timeline = 0; // the listed timeline

  home = 0;

  current = 0; // the timeline that the world continues

  first = 0;

  last = 0;

  /** @type {Set<string>} */
  #seen = new Set();

  /** @type {Map<number, Mark>} */
  #grabs = new Map();

  #from = 0;

  /**
   * Requests the history, or its new part.
   * @param {import('../../script/recording.js').Ask} ask
   * @param {number|null} timeline the timeline to list; null for the current one
   */
  async load(ask, timeline) {
    for (let more = true; more;) {
      const wanted = timeline === null || timeline === this.timeline ? this.#from : 0;
      /** @type {HistoryAnswer} */
      const answer = await ask('world.history', { ...(timeline && { timeline }), from: wanted, most: MOST });
      const listed = timeline ?? answer.home;
      if (listed !== this.timeline) {
        this.#begin(listed);
        if (wanted > 0) continue;
      }
      this.#take(answer);
      more = answer.more && (answer.commands.at(-1)?.tick ?? 0) > wanted; // if one tick has more commands than a request returns, the rest is not shown
    }
  }

  /** @param {number} timeline */
  #begin(timeline) {
    this.timeline = timeline;
    this.marks = [];
    this.#seen.clear();
    this.#grabs.clear();
    this.#from = 0;
  }

  /** @param {HistoryAnswer} historyAnswer */
  #take({ home, timeline, last, timelines, snapshots, commands }) {
    this.home = home;
    this.current = timeline;
    this.timelines = timelines;
    this.last = last;
    this.snapshots = snapshots.map(({ tick }) => tick);
    this.first = this.#root(this.timeline)?.first ?? 0;
    for (const command of commands) {
      const key = `${command.timeline}/${command.sequence}`;
      if (this.#seen.has(key)) continue;
      this.#seen.add(key);
      this.#add(command);
      this.#from = command.tick;
    }
    if (this.marks.length > MARKS_MAX) this.marks.splice(0, this.marks.length - MARKS_MAX);
  }

  /** @param {HistoryCommand} command */
  #add(command) {
    const { tick, client } = command;
    const grab = grabOf(command);
    const held = this.#grabs.get(grab);
    if (held) {
      held.until = tick;
      return;
    }
    const mark = { tick, until: tick, client, ...describeCommand(command) };
    if (grab) this.#grabs.set(grab, mark);
    this.marks.push(mark);
  }

  /**
   * Finds the first tick of a timeline within its chain of parents.
   * @param {number} number
   * @returns {Timeline | undefined}
   */
  #root(number) {
    const at = this.timelines.find(({ timeline }) => timeline === number);
    return at?.parent ? this.#root(at.parent) ?? at : at;
  }

  /** The timelines to display: those with commands, the listed one and the present one. */
  get branches() {
    const used = new Set([this.timeline, this.current, this.home]);
    for (const { timeline, parent, first, last, commands } of this.timelines) {
      if (last > first || commands > 2) used.add(timeline).add(parent);
    }
    return this.timelines.filter(({ timeline }) => used.has(timeline));
  }
}
