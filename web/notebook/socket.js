// SPDX-License-Identifier: MIT
// Takes the place of a WebSocket in a notebook, where the browser may reach nothing but the kernel: its other end is the module _views.py
// of the Python package, whose head has the messages. They travel over the channel of a widget, which carries objects and bytes.
import { randomKey } from '../client/random_key.js';

const [CONNECTING, OPEN, CLOSED] = [0, 1, 3];
const ALIVE_MS = 4000; // between two signs of life
const SILENT_MS = 10000; // without an answer: the kernel computes, or is gone
const TELL_EVERY = 4; // messages of bytes, until the kernel is told how many have come
const TELL_MS = 100; // at the latest
const ABNORMAL = 1006;
const REMOVED = 4001; // the client does not come back by itself

/**
 * A widget's model, as anywidget hands it to a view.
 * @typedef {object} Model
 * @property {(message: object) => void} send
 * @property {(name: string, take: (message: any, buffers: (DataView | ArrayBuffer)[]) => void) => void} on
 * @property {(name: string, take: (message: any, buffers: (DataView | ArrayBuffer)[]) => void) => void} off
 */
/** @typedef {{connection?: string, kind: string, text?: string, code?: number, reason?: string}} Message */

/** The way to the kernel, for the sockets of one view. */
export class Channel {
  /** Called when the kernel has not answered for a while (true), and when it does again (false). @type {(silent: boolean) => void} */
  onsilence = () => {};

  #model;

  /** @type {Map<string, ChannelSocket>} */
  #sockets = new Map();

  #silent = false;

  #ended = '';

  /** @type {(message: Message, buffers: (DataView | ArrayBuffer)[]) => void} */
  #take = (message, buffers) => this.#receive(message, buffers);

  /** @param {Model} model */
  constructor(model) {
    this.#model = model;
    model.on('msg:custom', this.#take);
  }

  /** Why nothing reaches the kernel any more; "" while it does. */
  get ended() {
    return this.#ended;
  }

  /** @param {string} connection @param {ChannelSocket} socket */
  add(connection, socket) {
    this.#sockets.set(connection, socket);
  }

  /** @param {string} connection */
  remove(connection) {
    this.#sockets.delete(connection);
  }

  /** @param {Message & {messages?: number}} message */
  send(message) {
    if (!this.#ended) this.#model.send(message);
  }

  /** The kernel is gone for good: sockets end, and are not opened again. @param {string} reason */
  end(reason) {
    this.#ended = reason;
    for (const socket of [...this.#sockets.values()]) socket.end(REMOVED, reason);
  }

  /** Leaves the world for good: a client that connects again is refused. */
  close() {
    for (const socket of [...this.#sockets.values()]) socket.close();
    this.#ended = 'the view is closed';
    this.#model.off('msg:custom', this.#take);
  }

  /** @param {boolean} silent */
  hear(silent) {
    if (silent === this.#silent) return;
    this.#silent = silent;
    this.onsilence(silent);
  }

  /** @param {Message} message @param {(DataView | ArrayBuffer)[]} buffers */
  #receive(message, buffers) {
    const socket = message?.connection === undefined ? undefined : this.#sockets.get(message.connection);
    if (!socket) return; // for another view of the widget
    this.hear(false);
    socket.receive(message, buffers);
  }
}

export class ChannelSocket {
  readyState = CONNECTING;

  binaryType = 'arraybuffer';

  /** @type {((event: {data: string | ArrayBuffer}) => void) | null} */
  onmessage = null;

  /** @type {((event: {code: number, reason: string}) => void) | null} */
  onclose = null;

  /** @type {(() => void) | null} unused: failures are told by `onclose` */
  onerror = null;

  #channel;

  #connection = randomKey();

  #received = 0;

  #told = 0;

  #heardAt = performance.now();

  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #telling;

  #alive;

  /** @param {Channel} channel */
  constructor(channel) {
    this.#channel = channel;
    channel.add(this.#connection, this);
    this.#alive = setInterval(() => this.#signal(), ALIVE_MS);
    queueMicrotask(() => {
      if (channel.ended) this.end(REMOVED, channel.ended);
      else channel.send({ connection: this.#connection, kind: 'open' });
    });
  }

  /** @param {string} text */
  send(text) {
    if (this.readyState !== CLOSED) this.#channel.send({ connection: this.#connection, kind: 'text', text });
  }

  /** @param {number} [code] */
  close(code = 1000) {
    if (this.readyState === CLOSED) return;
    this.#channel.send({ connection: this.#connection, kind: 'close' });
    this.#close();
    queueMicrotask(() => this.onclose?.({ code, reason: '' }));
  }

  /** The other end has closed. @param {number} code @param {string} reason */
  end(code, reason) {
    if (this.readyState === CLOSED) return;
    this.#close();
    this.onclose?.({ code, reason });
  }

  /** @param {Message} message of the kernel @param {(DataView | ArrayBuffer)[]} buffers */
  receive({ kind, text = '', code = ABNORMAL, reason = '' }, buffers) {
    if (this.readyState === CLOSED) return;
    this.#heardAt = performance.now();
    if (kind === 'close') {
      this.end(code, reason);
      return;
    }
    this.readyState = OPEN;
    if (kind === 'text') this.onmessage?.({ data: text });
    else if (kind === 'bytes') this.#take(buffers[0]);
  }

  #close() {
    this.readyState = CLOSED;
    clearInterval(this.#alive);
    clearTimeout(this.#telling);
    this.#channel.remove(this.#connection);
  }

  /** @param {DataView | ArrayBuffer} bytes */
  #take(bytes) {
    this.#received++;
    if (this.#received - this.#told >= TELL_EVERY) this.#tell();
    else this.#telling ??= setTimeout(() => this.#tell(), TELL_MS);
    const data = bytes instanceof ArrayBuffer ? bytes : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    this.onmessage?.({ data: /** @type {ArrayBuffer} */ (data) });
  }

  #tell() {
    clearTimeout(this.#telling);
    this.#telling = undefined;
    this.#told = this.#received;
    this.#channel.send({ connection: this.#connection, kind: 'taken', messages: this.#received });
  }

  #signal() {
    this.#channel.send({ connection: this.#connection, kind: 'alive' });
    if (performance.now() - this.#heardAt > SILENT_MS) this.#channel.hear(true);
  }
}

/** The class of the sockets of a channel, for what takes a WebSocket. @param {Channel} channel */
export const socketClass = (channel) => class extends ChannelSocket {
  constructor() {
    super(channel);
  }
};
