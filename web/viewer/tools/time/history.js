// SPDX-License-Identifier: MIT
// A world's history as it is shown: the commands of one timeline as marks, its snapshots, and the timelines it has. A hand's
// moves from its grab to its letting go are one mark. Pure: what the server says comes in through `ask`.

const MOST = 1000; // commands asked for at once
const MARKS_MAX = 20000; // of a longer history the newest

const MADE = 'make';
const CHANGED = 'change';
const HELD = 'hand';
const CLOCK = 'clock';
const SCENE = 'scene';

// What a mark stands for, and in words what was done.
const DEEDS = {
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
 * @param {{method: string, params?: object}} command
 * @returns {{kind: string, words: string}}
 */
export function deedOf({ method, params = {} }) {
  if (method === 'batch.run') {
    const commands = params.commands ?? [];
    const { kind, words } = deedOf(commands[0] ?? { method: '' });
    return commands.length === 1 ? { kind, words } : { kind, words: `${words || 'did nothing'}, the first of ${commands.length} commands` };
  }
  const [kind, say] = DEEDS[method] ?? [CHANGED, () => method];
  return { kind, words: say(params) };
}

// The grab that a command is about: a grab has the id after the number that its command had. 0: none.
function grabOf({ method, params, number }) {
  if (method === 'grab.start') return number + 1;
  return method === 'grab.move' || method === 'grab.end' || method === 'release' ? params.grab : 0;
}

/** @typedef {{tick: number, until: number, client: number, kind: string, words: string}} Mark */

/** One timeline of a world, and which others there are. */
export class History {
  /** @type {Mark[]} in their order */
  marks = [];

  /** @type {{timeline: number, parent: number, first: number, last: number, commands: number}[]} */
  timelines = [];

  /** @type {number[]} ticks that can be gone to at once */
  snapshots = [];

  timeline = 0; // listed

  home = 0;

  current = 0; // the one that goes on

  first = 0;

  last = 0;

  #seen = new Set();

  #grabs = new Map();

  #from = 0;

  /**
   * Asks for what there is, or for what has come since.
   * @param {(method: string, params: object) => Promise<object>} ask
   * @param {number|null} timeline which to list; null: home
   */
  async load(ask, timeline) {
    for (let more = true; more;) {
      const wanted = timeline === null || timeline === this.timeline ? this.#from : 0;
      const answer = await ask('world.history', { ...(timeline && { timeline }), from: wanted, most: MOST });
      const listed = timeline ?? answer.home;
      if (listed !== this.timeline) {
        this.#begin(listed);
        if (wanted > 0) continue;
      }
      this.#take(answer);
      more = answer.more && answer.commands.at(-1).tick > wanted; // more at one tick than there is room for are not shown
    }
  }

  #begin(timeline) {
    this.timeline = timeline;
    this.marks = [];
    this.#seen.clear();
    this.#grabs.clear();
    this.#from = 0;
  }

  #take({ home, timeline, last, timelines, snapshots, commands }) {
    Object.assign(this, { home, current: timeline, timelines, last, snapshots: snapshots.map(({ tick }) => tick) });
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

  #add(command) {
    const { tick, client } = command;
    const grab = grabOf(command);
    const held = this.#grabs.get(grab);
    if (held) {
      held.until = tick;
      return;
    }
    const mark = { tick, until: tick, client, ...deedOf(command) };
    if (grab) this.#grabs.set(grab, mark);
    this.marks.push(mark);
  }

  // Where the ticks of a timeline begin: in the one that it and its parents branched off from.
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
