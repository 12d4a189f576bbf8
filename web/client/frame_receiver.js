// SPDX-License-Identifier: MIT
// Topologies and frames as they arrive, of the server or of the world that is computed here: decodes them, and delivers
// frames.
//
// Stored are only the epoch of the topology and the shapes of the objects; topology messages are decoded here, and client.js
// applies them. Frames are state, so only the newest one matters: with `holdFrames` the next frame is delivered only after
// `frameTaken()`, and frames that became outdated in the meantime are counted and dropped. A frame that can be decoded on its
// own is dropped undecoded. The frames of a stream (codec.js) are decoded as they arrive, because later ones are predicted
// from them, but converted to positions only on delivery. Particles that are watched (samples.js) are read from every frame,
// also from those that are dropped.

import { FrameStream } from './codec.js';
import {
  decodeFrame, isMotion, isPartial, isRest, MESSAGE_FRAME, MESSAGE_TOPOLOGY, messageWords, readHeader, RestingPlaces, unpackFrame,
} from './frame.js';
import { BufferPool } from './pool.js';
import { Shapes } from './shapes.js';
import { Samples } from './samples.js';
import { measure } from './statistics.js';
import { decodeTopology } from './topology.js';

const RENEW_PAUSE_MS = 1000;

/** @typedef {(byteLength: number) => ArrayBuffer} Allocate */
/** @typedef {(allocate: Allocate) => import('./frame.js').Frame} Place returns the frame of a received message, decoding it if necessary */
/** @typedef {ArrayBuffer | ArrayBufferView<ArrayBuffer>} BinaryMessage */

export class FrameReceiver {
  #holdFrames;
  #statistics;
  #emit;
  #subscribeAnew;
  /** @type {number | null} */
  #epoch = null;
  #resting = new RestingPlaces(0); // resting positions of this epoch
  /** @type {Shapes | null} */
  #shapes = null;
  /** @type {FrameStream | null} the stream of this subscription and epoch; null until its first frame arrives */
  #stream = null;
  /** @type {number | null} time since which frames refer to earlier frames that are missing */
  #missingSince = null;
  #renewedAt = -Infinity;
  #pool = new BufferPool();
  #samples = new Samples();
  #frameHeld = false;
  /** @type {{place: Place, receivedAt: number, spentMs: number} | null} the newest frame, held back until the reader has taken the previous one */
  #waiting = null;

  /**
   * @param {object} options
   * @param {boolean} options.holdFrames
   * @param {import('./statistics.js').Statistics} options.statistics of the connection, which are kept up to date
   * @param {(name: 'topologyChange' | 'frame' | 'samples' | 'fault', value: any) => void} options.emit
   * @param {() => boolean} options.subscribeAnew asks for the whole topology and a keyframe; false if that is not possible now
   */
  constructor({ holdFrames, statistics, emit, subscribeAnew }) {
    this.#holdFrames = holdFrames;
    this.#statistics = statistics;
    this.#emit = emit;
    this.#subscribeAnew = subscribeAnew;
  }

  /** The connection is lost: the next frames belong to a topology that has not come. */
  forget() {
    this.#epoch = null;
    this.dropWaiting();
  }

  /** Requests the whole topology, after a message that does not fit the known one. */
  renew() {
    this.#epoch = null;
    this.#requestTopology();
  }

  #requestTopology() {
    if (performance.now() - this.#renewedAt < RENEW_PAUSE_MS || !this.#subscribeAnew()) return;
    this.#renewedAt = performance.now();
  }

  /** @param {import('./samples.js').Watched[]} parts what is read from every frame from here on */
  watch(parts) {
    this.#samples.watch(parts, this.#shapes);
  }

  /** Reads what is watched from a frame that is computed here, whether it is shown or not. @param {BinaryMessage} message */
  sample(message) {
    if (!this.#samples.isWatching) return;
    const header = readHeader(messageWords(message));
    if (header.type === MESSAGE_FRAME && header.epoch === this.#epoch) this.#tellSamples(header, (allocate) => this.#decode(message, header, allocate));
  }

  /** @param {import('./frame.js').Header} header @param {Place} place */
  #tellSamples(header, place) {
    const samples = this.#samples.read(header, place);
    if (samples) this.#emit('samples', samples);
  }

  /**
   * @param {BinaryMessage} message a topology or a frame, of the server or of the world that is computed here
   * @param {boolean} [isSampled] whether `sample` has had it
   */
  receive(message, isSampled = false) {
    const header = readHeader(messageWords(message));
    const { type } = header;
    if (type === MESSAGE_FRAME && isRest(header)) this.#receiveRest(message, header);
    else if (type === MESSAGE_FRAME) this.#receiveFrame(message, header, isSampled);
    else if (type === MESSAGE_TOPOLOGY) this.#receiveTopology(message);
  }

  /** @param {BinaryMessage} message */
  #receiveTopology(message) {
    this.dropWaiting();
    let change;
    try {
      change = decodeTopology(message);
      if (change.base !== null && change.base !== this.#epoch) {
        this.renew();
        return;
      }
      this.#shapes = Shapes.apply(this.#shapes, change);
    } catch (error) {
      this.renew();
      throw error;
    }
    this.#epoch = change.epoch;
    this.#samples.place(this.#shapes);
    this.#resting = new RestingPlaces(change.particles);
    this.#stream = null;
    this.#missingSince = null;
    this.#emit('topologyChange', change);
  }

  /** @param {BinaryMessage} message @param {import('./frame.js').Header} header */
  #receiveRest(message, header) {
    if (header.epoch !== this.#epoch) return;
    if (isMotion(header)) this.#takeMotion(message);
    else this.#resting.keep(decodeFrame(message));
  }

  /** @param {BinaryMessage} message @param {import('./frame.js').Header} header @param {boolean} isSampled */
  #receiveFrame(message, header, isSampled) {
    this.#statistics.framesReceived++;
    if (header.epoch !== this.#epoch) {
      this.#statistics.framesSkipped++;
      if (this.#epoch === null) this.#requestTopology();
      return;
    }
    const receivedAt = performance.now();
    const place = isMotion(header) ? this.#takeMotion(message) : (/** @type {Allocate} */ allocate) => this.#decode(message, header, allocate);
    if (place && !isSampled && this.#samples.isWatching) this.#tellSamples(header, place);
    if (!place) {
      this.#statistics.framesSkipped++;
    } else if (this.#frameHeld) {
      this.dropWaiting();
      this.#waiting = { place, receivedAt, spentMs: performance.now() - receivedAt };
    } else {
      this.#tellFrame(place, receivedAt, performance.now() - receivedAt);
    }
  }

  /**
   * Returns a function that gives the frame of a stream's message for as long as that frame is the newest; null for a message
   * without a frame to display.
   * @param {BinaryMessage} message @returns {Place | null}
   */
  #takeMotion(message) {
    this.#stream ??= new FrameStream(this.#shapes ?? new Shapes(0, []));
    const stream = this.#stream;
    const packed = unpackFrame(message);
    let taken;
    try {
      taken = stream.take(packed);
    } catch (error) {
      this.#statistics.framesSkipped += packed.rest ? 0 : 1;
      this.#requestTopology(); // no later frame can be decoded without it
      throw error;
    }
    if (taken === 'missing') this.#noteMissing();
    else if (taken === 'frame') this.#missingSince = null;
    if (taken !== 'frame') return null;
    const { header: { tick, epoch }, refresh, keyframe } = packed;
    return (allocate) => {
      const { positions, ranges } = stream.place(allocate);
      const count = positions.length / 3;
      return { tick, epoch, refresh, keyframe, partial: false, rest: false, positions, ranges, count, bytes: message.byteLength };
    };
  }

  // The server knows which frames it has sent and sends a keyframe when one is missing. If no keyframe arrives in time, the
  // client requests everything anew.
  #noteMissing() {
    this.#missingSince ??= performance.now();
    if (performance.now() - this.#missingSince >= RENEW_PAUSE_MS) this.#requestTopology();
  }

  /** @param {Place} place @param {number} receivedAt @param {number} spentMs arrival time and decoding time, in ms */
  #tellFrame(place, receivedAt, spentMs) {
    let frame;
    const startedAt = performance.now();
    try {
      frame = place((byteLength) => this.#pool.take(byteLength));
    } catch (error) {
      this.#statistics.framesSkipped++;
      throw error;
    }
    measure(this.#statistics, 'decodeMs', spentMs + performance.now() - startedAt);
    frame.receivedAt = receivedAt;
    this.#frameHeld = this.#holdFrames;
    this.#emit('frame', frame);
  }

  /**
   * Decodes a frame that does not depend on others. The pool holds buffers for whole worlds; positions of a part of a world
   * are copied into such a buffer.
   * @param {BinaryMessage} message @param {import('./frame.js').Header} header @param {Allocate} allocate
   */
  #decode(message, header, allocate) {
    return isPartial(header) ? this.#resting.complete(decodeFrame(message), allocate) : decodeFrame(message, allocate);
  }

  /** The reader has taken the last frame, so the next one may be delivered. */
  frameTaken() {
    this.#frameHeld = false;
    if (!this.#waiting) return;
    const { place, receivedAt, spentMs } = this.#waiting;
    this.#waiting = null;
    try {
      this.#tellFrame(place, receivedAt, spentMs);
    } catch (error) {
      this.#emit('fault', error);
    }
  }

  /** @param {ArrayBuffer} buffer a buffer of an earlier frame that is no longer in use */
  giveBuffer(buffer) {
    this.#pool.give(buffer);
  }

  /** A frame that was not delivered yet is outdated. */
  dropWaiting() {
    if (this.#waiting) this.#statistics.framesSkipped++;
    this.#waiting = null;
  }
}
