// SPDX-License-Identifier: MIT
// Reads and writes capsules, parts of a world's history as files (FRAMES.md, "Capsules"), and replays them with the engine in
// the page or in Node.
//
//     const capsule = await readCapsule(bytes);
//     const replay = new CapsuleReplay(await loadEngine(), capsule);
//     while (replay.tick < capsule.lastTick) replay.step();

const MAGIC = 'weftcaps';
const FORMAT = 3;
const FROM_EMPTY = 1;
const GZIP = [0x1f, 0x8b];
const SQLITE = 'SQLite format 3';

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The file is no capsule, is damaged, or has a format that this version does not read. */
export class CapsuleError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'CapsuleError';
  }
}

/**
 * @typedef {object} Capsule
 * @property {string} world name of the world on the server that made the capsule
 * @property {string} version of that server
 * @property {number} tickHz ticks a second of the world's time
 * @property {Date} made
 * @property {number} physics version of the arithmetic that computed the first tick
 * @property {number} newestPhysics the same of the last tick
 * @property {number} firstTick the tick of the snapshot
 * @property {number} lastTick
 * @property {Uint8Array | null} snapshot for World.restore; null: the history begins with an empty world
 * @property {string} snapshotHash
 * @property {{tick: number, records: Uint8Array}[]} ticks those with records, for World.applyRecord
 * @property {{tick: number, records: number, hash: string}[]} hashes of the state after `tick`, when so many records
 *   had been applied since the beginning
 */

const hex = (/** @type {bigint} */ hash) => hash.toString(16).padStart(16, '0');

/** Numbers and blocks, one after another, little-endian. */
class Reader {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  /** The place of the next `length` bytes. @param {number} length */
  take(length) {
    if (length > this.bytes.length - this.at) throw new CapsuleError('The capsule is damaged: it ends too early.');
    this.at += length;
    return this.at - length;
  }

  u32() {
    return this.view.getUint32(this.take(4), true);
  }

  u64() {
    return this.view.getBigUint64(this.take(8), true);
  }

  count() {
    return Number(this.u64());
  }

  f64() {
    return this.view.getFloat64(this.take(8), true);
  }

  block() {
    const length = this.count();
    const start = this.take(length);
    return this.bytes.subarray(start, start + length);
  }

  text() {
    return decoder.decode(this.block());
  }
}

/** @param {Uint8Array} bytes */
async function decompress(bytes) {
  const stream = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  try {
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new CapsuleError('The capsule is damaged: it cannot be decompressed to its end.');
  }
}

/**
 * Throws CapsuleError.
 * @param {Uint8Array} bytes of the file
 * @returns {Promise<Capsule>}
 */
export async function readCapsule(bytes) {
  if (String.fromCharCode(...bytes.subarray(0, SQLITE.length)) === SQLITE) {
    throw new CapsuleError('This capsule has an older format, which only servers read: import it with world.import, and export it again.');
  }
  if (!GZIP.every((byte, index) => bytes[index] === byte)) throw new CapsuleError('This is not a Weft capsule.');
  const reader = new Reader(await decompress(bytes));
  if (String.fromCharCode(...reader.bytes.subarray(0, MAGIC.length)) !== MAGIC) throw new CapsuleError('This is not a Weft capsule.');
  reader.take(MAGIC.length);
  const format = reader.u32();
  if (format !== FORMAT) throw new CapsuleError(`The capsule has format ${format}, this version reads format ${FORMAT}.`);
  const fromEmpty = (reader.u32() & FROM_EMPTY) !== 0;
  const [physics, newestPhysics, tickHz] = [reader.u32(), reader.u32(), reader.f64()];
  const made = new Date(reader.count());
  const [firstTick, lastTick, snapshotHash] = [reader.count(), reader.count(), hex(reader.u64())];
  const [version, world] = [reader.text(), reader.text()];
  const snapshot = reader.block();
  const ticks = [];
  for (let left = reader.count(); left > 0; left--) {
    const records = reader.block();
    ticks.push({ tick: new Reader(records.subarray(8)).count(), records });
  }
  const hashes = [];
  for (let left = reader.count(); left > 0; left--) hashes.push({ tick: reader.count(), records: reader.count(), hash: hex(reader.u64()) });
  if (reader.at !== reader.bytes.length) throw new CapsuleError('The capsule is damaged: it does not end where it should.');
  return { world, version, tickHz, made, physics, newestPhysics, firstTick, lastTick, snapshot: fromEmpty ? null : snapshot, snapshotHash, ticks, hashes };
}

/** The number of records in a message of type 4. @param {Uint8Array} records */
const recordCount = (records) => new DataView(records.buffer, records.byteOffset).getUint32(16, true);

/** Computes the ticks of a capsule again, in a world of its own, and compares the hashes. */
export class CapsuleReplay {
  /**
   * Throws EngineError, for instance if the capsule is of another physics version or needs greater capacities.
   * @param {Awaited<ReturnType<typeof import('./engine.js').loadEngine>>} engine
   * @param {Capsule} capsule
   * @param {Parameters<typeof engine.createWorld>[0]} [options] capacities
   */
  constructor(engine, capsule, options = {}) {
    this.capsule = capsule;
    this.world = engine.createWorld({ name: capsule.world, tickHz: capsule.tickHz, ...options });
    this.applied = 0; // records
    this.next = 0; // index in capsule.ticks
    if (capsule.snapshot) this.world.restore(capsule.snapshot);
  }

  get tick() {
    return this.world.tickCount;
  }

  /** Computes the next tick. Throws CapsuleError if the state differs from what the capsule says. */
  step() {
    const { ticks, hashes } = this.capsule;
    const due = ticks[this.next];
    if (due?.tick === this.tick + 1) {
      this.world.applyRecord(due.records);
      this.applied += recordCount(due.records);
      this.next++;
    }
    this.world.step();
    for (const known of hashes) {
      if (known.tick === this.tick && known.records === this.applied && known.hash !== this.world.hash) {
        throw new CapsuleError(`At tick ${this.tick} the hash of the state is ${this.world.hash}, in the capsule it is ${known.hash}.`);
      }
    }
  }

  dispose() {
    this.world.destroy();
  }
}

/** Writes numbers and blocks as Reader reads them. */
class Writer {
  /** @type {Uint8Array[]} */
  parts = [];

  /** @param {number} size @param {(view: DataView) => void} write */
  number(size, write) {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    this.parts.push(new Uint8Array(view.buffer));
  }

  /** @param {number} value */
  u32(value) {
    this.number(4, (view) => view.setUint32(0, value, true));
  }

  /** @param {number | bigint} value */
  u64(value) {
    this.number(8, (view) => view.setBigUint64(0, BigInt(value), true));
  }

  /** @param {number} value */
  f64(value) {
    this.number(8, (view) => view.setFloat64(0, value, true));
  }

  /** @param {Uint8Array} bytes */
  block(bytes) {
    this.u64(bytes.length);
    this.parts.push(bytes);
  }

  /** @param {string} value */
  text(value) {
    this.block(new TextEncoder().encode(value));
  }
}

/** The file of a capsule. @param {Capsule} capsule @returns {Promise<Uint8Array>} */
export async function writeCapsule(capsule) {
  const { snapshot, ticks, hashes } = capsule;
  const writer = new Writer();
  writer.parts.push(new TextEncoder().encode(MAGIC));
  writer.u32(FORMAT);
  writer.u32(snapshot ? 0 : FROM_EMPTY);
  writer.u32(capsule.physics);
  writer.u32(capsule.newestPhysics);
  writer.f64(capsule.tickHz);
  writer.u64(capsule.made.getTime());
  writer.u64(capsule.firstTick);
  writer.u64(capsule.lastTick);
  writer.u64(BigInt(`0x${capsule.snapshotHash}`));
  writer.text(capsule.version);
  writer.text(capsule.world);
  writer.block(snapshot ?? new Uint8Array(0));
  writer.u64(ticks.length);
  for (const { records } of ticks) writer.block(records);
  writer.u64(hashes.length);
  for (const { tick, records, hash } of hashes) {
    writer.u64(tick);
    writer.u64(records);
    writer.u64(BigInt(`0x${hash}`));
  }
  const stream = new Blob(/** @type {BlobPart[]} */ (writer.parts)).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
