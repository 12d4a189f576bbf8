// SPDX-License-Identifier: MIT
// A world's history as it is shown: the commands of one timeline as marks, its snapshots, and the timelines it has. A hand's
// moves from its grab to its letting go are one mark. Pure: what the server says comes in through `ask`.

const MOST = 1000; // commands asked for at once
const MARKS_MAX = 20000; // of a longer history the newest

/** What was done, which the shape of a mark tells. */
const MADE = 'make';
const CHANGED = 'change';
const HELD = 'hand';
const CLOCK = 'clock';
const SCENE = 'scene';

/**
 * What a mark stands for, and in words what was done.
 * @type {Record<string, [kind: MarkKind, say: (params: any) => string]>} params are of the method's type
 */
const COMMANDS = {
  'cloth.spawn': [MADE, () => 'made a cloth'],
  'mesh.spawn': [MADE, () => 'made a cloth of a mesh'],
  'particles.spawn': [MADE, () => 'made particles'],
  'rope.spawn': [MADE, () => 'made a rope'],
  'plant.spawn': [MADE, () => 'made a plant'],
  'ragdoll.spawn': [MADE, () => 'made a ragdoll'],
  'body.spawn': [MADE, ({ shape }) => (shape ? `made a ${shape}` : 'made a body')],
  'obstacle.add': [MADE, ({ shape }) => `put up an obstacle${shape ? `, a ${shape}` : ''}`],
  'stick.add': [MADE, () => 'tied two particles'],
  'stick.remove': [CHANGED, () => 'untied two particles'],
  'obstacle.remove': [CHANGED, () => 'removed an obstacle'],
  'obstacle.set': [CHANGED, () => 'changed an obstacle'],
  'object.remove': [CHANGED, ({ object }) => `removed object ${object}`],
  'object.set': [CHANGED, ({ object }) => `changed object ${object}`],
  'particle.pin': [CHANGED, ({ object }) => `pinned object ${object}`],
  'particle.unpin': [CHANGED, ({ object }) => `unpinned object ${object}`],
  'particle.move': [CHANGED, ({ object }) => `moved object ${object}`],
  'particle.set': [CHANGED, ({ object }) => `changed particles of object ${object}`],
  'particle.tear': [CHANGED, ({ object }) => `tore object ${object}`],
  'force.apply': [HELD, ({ object }) => `pushed object ${object}`],
  'grab.start': [HELD, ({ object }) => `pulled at object ${object}`],
  'grab.move': [HELD, () => 'pulled'],
  'grab.end': [HELD, () => 'let go'],
  'world.set': [CHANGED, (params) => `set ${Object.keys(params).join(', ')}`],
  'world.pause': [CLOCK, () => 'stopped the clock'],
  'world.resume': [CLOCK, () => 'started the clock'],
  scene: [SCENE, ({ name }) => `began with ${name ? `the scene ${name}` : 'nothing'}`],
  release: [HELD, () => 'let go, because its client left'],
  clock: [CLOCK, ({ running }) => (running ? 'started the clock' : 'stopped the clock')],
};

/**
 * What was done, in a few words.
 * @param {{method: string, params?: any}} command
 * @returns {{kind: MarkKind, words: string}}
 */
export function describeCommand({ method, params = {} }) {
  if (method === 'batch.run') {
    const commands = params.commands ?? [];
    const { kind, words } = describeCommand(commands[0] ?? { method: '' });
    return commands.length === 1 ? { kind, words } : { kind, words: `${words || 'did nothing'}, the first of ${commands.length} commands` };
  }
  const [kind, say] = COMMANDS[method] ?? [CHANGED, () => method];
  return { kind, words: say(params) };
}

/** The grab that a command is about: a grab has the id after the number that its command had. 0: none. @param {HistoryCommand} command */
function grabOf({ method, params, number }) {
  if (method === 'grab.start') return number + 1;
  return method === 'grab.move' || method === 'grab.end' || method === 'release' ? Number(params.grab) : 0;
}

/** @typedef {'make'|'change'|'hand'|'clock'|'scene'} MarkKind */
/** @typedef {{tick: number, until: number, client: number, kind: MarkKind, words: string}} Mark */
/** @typedef {import('../../../client/protocol.js').WorldHistoryResult} HistoryAnswer */
/** @typedef {HistoryAnswer['commands'][number]} HistoryCommand */
/** @typedef {HistoryAnswer['timelines'][number]} Timeline */

/** One timeline of a world, and which others there are. */
export class History {
  /** @type {Mark[]} in their order */
  marks = [];

  /** @type {Timeline[]} */
  timelines = [];

  /** @type {number[]} ticks that can be gone to at once */
  snapshots = [];

  timeline = 0; // listed

  home = 0;

  current = 0; // the one that goes on

  first = 0;

  last = 0;

  /** @type {Set<string>} */
  #seen = new Set();

  /** @type {Map<number, Mark>} */
  #grabs = new Map();

  #from = 0;

  /**
   * Asks for what there is, or for what has come since.
   * @param {import('../../script/recording.js').Ask} ask
   * @param {number|null} timeline which to list; null: home
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
      more = answer.more && (answer.commands.at(-1)?.tick ?? 0) > wanted; // more at one tick than there is room for are not shown
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
   * Where the ticks of a timeline begin: in the one that it and its parents branched off from.
   * @param {number} number
   * @returns {Timeline | undefined}
   */
  #root(number) {
    const at = this.timelines.find(({ timeline }) => timeline === number);
    return at?.parent ? this.#root(at.parent) ?? at : at;
  }

  /** Timelines worth showing: those in which something happened, the listed and the present one. */
  get branches() {
    const used = new Set([this.timeline, this.current, this.home]);
    for (const { timeline, parent, first, last, commands } of this.timelines) {
      if (last > first || commands > 2) used.add(timeline).add(parent);
    }
    return this.timelines.filter(({ timeline }) => used.has(timeline));
  }
}
