// SPDX-License-Identifier: MIT
// The history of a local world: timelines with the records of what was done, snapshots, and hashes of the state, as a server's
// store keeps them. A timeline shares its past with the one that it comes from; nothing is ever changed in one that was left.

const KEPT_BYTES = 192e6; // of snapshots: of each timeline, every second one is dropped beyond this
const HEADER = 32; // bytes of a message of type 4 (FRAMES.md, "Records of a tick")
const RECORD_HEADER = 24;
const RECORDS = 4; // type of a message
export const KIND = Object.freeze({ command: 1, scene: 2, release: 3, clock: 4, load: 5 });

/**
 * A record: `tick` is the first that sees it, `client` the number of the client that caused it, 0: none.
 * @typedef {{tick: number, kind: number, client: number, data: Uint8Array}} Entry
 *
 * A state: that after `tick`, when `sequence` entries of its timeline had been applied, of which the newest is of the tick `seen`.
 * @typedef {{tick: number, sequence: number, seen: number, bytes: Uint8Array, hash: string}} Snapshot
 *
 * @typedef {object} Timeline
 * @property {number} timeline its number, from 1 on
 * @property {number} parent the timeline it comes from, 0: none @property {number} parentSequence how many entries of it they share
 * @property {number} first tick @property {number} last tick
 * @property {Entry[]} entries its own @property {Snapshot[]} snapshots by rising ticks
 * @property {{tick: number, sequence: number, hash: string}[]} hashes of states
 *
 * An entry on the way to a state, with its place.
 * @typedef {{timeline: number, sequence: number, entry: Entry}} Logged
 *
 * @typedef {{timeline: number, sequence: number}} Place the last entry that was applied
 */

/** @param {number} bytes */
const padded = (bytes) => Math.ceil(bytes / 8) * 8;

/** Records as a message of type 4. @param {Entry[]} entries of one tick @param {number} physics version @param {number} [first] number of the first */
export function packRecords(entries, physics, first = 1) {
  const size = entries.reduce((sum, { data }) => sum + RECORD_HEADER + padded(data.length), HEADER);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes[0] = RECORDS;
  view.setBigUint64(8, BigInt(entries[0].tick), true);
  view.setUint32(16, entries.length, true);
  view.setUint32(20, physics, true);
  let at = HEADER;
  entries.forEach(({ kind, client, data }, index) => {
    view.setUint32(at, kind, true);
    view.setUint32(at + 4, client, true);
    view.setBigUint64(at + 8, BigInt(first + index), true);
    view.setBigUint64(at + 16, BigInt(data.length), true);
    bytes.set(data, at + RECORD_HEADER);
    at += RECORD_HEADER + padded(data.length);
  });
  return bytes;
}

/** The records of a message of type 4. @param {Uint8Array} bytes @returns {Entry[]} */
export function unpackRecords(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tick = Number(view.getBigUint64(8, true));
  const entries = [];
  for (let at = HEADER; entries.length < view.getUint32(16, true);) {
    const length = Number(view.getBigUint64(at + 16, true));
    const start = at + RECORD_HEADER;
    entries.push({ tick, kind: view.getUint32(at, true), client: view.getUint32(at + 4, true), data: bytes.slice(start, start + length) });
    at = start + padded(length);
  }
  return entries;
}

/** The simulation's sequence number before an entry. @param {Entry} entry */
export const numberOf = ({ data }) => new DataView(data.buffer, data.byteOffset).getUint32(0, true);

/** The entry with which a scene begins. @param {number} number @param {boolean} running @param {string} scene @param {number} client */
export function sceneEntry(number, running, scene, client) {
  const name = new TextEncoder().encode(scene);
  const data = new Uint8Array(16 + name.length);
  const view = new DataView(data.buffer);
  view.setUint32(0, number, true);
  view.setUint32(4, running ? 1 : 0, true);
  view.setBigUint64(8, BigInt(name.length), true);
  data.set(name, 16);
  return { tick: 1, kind: KIND.scene, client, data };
}

/** The entry of a clock that was set to run or stand. @param {number} tick @param {number} number @param {boolean} running */
export function clockEntry(tick, number, running) {
  const data = new Uint8Array(8);
  const view = new DataView(data.buffer);
  view.setUint32(0, number, true);
  view.setUint32(4, running ? 1 : 0, true);
  return { tick, kind: KIND.clock, client: 0, data };
}

export class History {
  /** @type {Timeline[]} by number, from 1 on */
  timelines = [];
  timeline = 0; // the one that goes on
  home = 0; // the one whose ticks can be sought
  /** Told what has changed, so that it can be stored. @type {(change: {entry?: Logged, snapshot?: [number, Snapshot], dropped?: [number, Snapshot][]}) => void} */
  onChange = () => {};

  /** @param {number} timeline @returns {Timeline | undefined} */
  find(timeline) {
    return this.timelines[timeline - 1];
  }

  /** @returns {Timeline} the one that goes on */
  get current() {
    return this.timelines[this.timeline - 1];
  }

  /** Where the world is: all entries of the current timeline were applied. @returns {Place} */
  get place() {
    return { timeline: this.timeline, sequence: this.current.entries.length };
  }

  /**
   * Begins a timeline, which goes on from now.
   * @param {Place | null} from where it branches off; null: it shares nothing with another one
   * @param {Omit<Snapshot, 'sequence'>} state in which it begins
   */
  begin(from, { tick, seen, bytes, hash }) {
    const timeline = this.timelines.length + 1;
    this.timelines.push({
      timeline, parent: from?.timeline ?? 0, parentSequence: from?.sequence ?? 0, first: tick, last: tick, entries: [], snapshots: [], hashes: [],
    });
    this.timeline = this.home = timeline;
    this.keep({ tick, sequence: 0, seen, bytes, hash });
  }

  /** @param {Entry} entry of the current timeline */
  add(entry) {
    const { entries, timeline } = this.current;
    entries.push(entry);
    this.onChange({ entry: { timeline, sequence: entries.length, entry } });
  }

  /** Keeps a snapshot of the current timeline, or of the given one. @param {Snapshot} snapshot @param {Timeline} [of] */
  keep(snapshot, of = this.current) {
    const at = of.snapshots.findIndex(({ tick, sequence }) => tick > snapshot.tick || (tick === snapshot.tick && sequence >= snapshot.sequence));
    if (at < 0) of.snapshots.push(snapshot);
    else if (of.snapshots[at].tick === snapshot.tick && of.snapshots[at].sequence === snapshot.sequence) return;
    else of.snapshots.splice(at, 0, snapshot);
    this.onChange({ snapshot: [of.timeline, snapshot] });
    if (this.bytes > KEPT_BYTES) this.#thin();
  }

  /** Bytes of all snapshots. */
  get bytes() {
    return this.timelines.reduce((sum, { snapshots }) => snapshots.reduce((all, { bytes }) => all + bytes.length, sum), 0);
  }

  #thin() {
    /** @type {[number, Snapshot][]} */
    const dropped = [];
    for (const { timeline, snapshots } of this.timelines) {
      for (let at = snapshots.length - 2; at > 0; at -= 2) dropped.push([timeline, snapshots.splice(at, 1)[0]]); // the first and the newest stay
    }
    if (dropped.length > 0) this.onChange({ dropped });
  }

  /** The timelines that lead to a place, the oldest first, each with its last entry on the way. @param {Place} place */
  way({ timeline, sequence }) {
    const way = [];
    let last = sequence;
    for (let at = this.find(timeline); at; at = this.find(at.parent)) {
      way.unshift({ timeline: at, last });
      last = at.parentSequence;
    }
    return way;
  }

  /** The entries on the way to a place, in their order. @param {Place} place @returns {Logged[]} */
  entries(place) {
    return this.way(place).flatMap(({ timeline: { timeline, entries }, last }) => (
      entries.slice(0, last).map((entry, index) => ({ timeline, sequence: index + 1, entry }))));
  }

  /** The place at the end of a timeline. @param {number} timeline @returns {Place} */
  endOf(timeline) {
    return { timeline, sequence: /** @type {Timeline} */ (this.find(timeline)).entries.length };
  }

  /** The first tick of a timeline and those that it comes from. @param {number} timeline */
  firstTick(timeline) {
    return this.way({ timeline, sequence: 0 })[0].timeline.first;
  }

  /**
   * The newest state on the way to a place that fits.
   * @param {Place} place @param {(snapshot: Snapshot) => boolean} fits @returns {{snapshot: Snapshot, place: Place} | null}
   */
  stateOn(place, fits) {
    const way = this.way(place);
    for (let at = way.length - 1; at >= 0; at--) {
      const { timeline: { timeline, snapshots }, last } = way[at];
      const snapshot = snapshots.findLast((each) => each.sequence <= last && fits(each));
      if (snapshot) return { snapshot, place: { timeline, sequence: snapshot.sequence } };
    }
    return null;
  }

  /** The newest state in which nothing of a later tick has been done. @param {Place} place @param {number} tick */
  stateAt(place, tick) {
    return this.stateOn(place, (state) => state.tick < tick || (state.tick === tick && state.seen <= tick))
      ?? this.stateOn(place, (state) => state.sequence === 0); // a history may begin in the middle of a tick
  }

  /** The entries between a place and a later one on the same way. @param {Place} from @param {Place} to @returns {Logged[]} */
  between(from, to) {
    return this.entries(to).slice(this.way(from).reduce((sum, { last }) => sum + last, 0));
  }
}
