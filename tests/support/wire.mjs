// SPDX-License-Identifier: MIT
// Raw bytes on a TCP socket, for input that a correct client never sends.

import { connect } from 'node:net';
import { rememberConnection } from './connections.mjs';
import { Contract } from './contract.mjs';
import { until } from './wait.mjs';

export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** The head of a handshake: `fields` replace or add header fields of a correct client (null removes one). */
export function handshake({ path = '/worlds/lab', host = '127.0.0.1', fields = {} } = {}) {
  const all = {
    Host: host, Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', ...fields,
  };
  const lines = Object.entries(all).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** A frame; `mask` null leaves it unmasked, `head` replaces the first byte, `bytes` sets the size of the length field (1, 3 or 9). */
export function frame(opcode, payload, { final = true, mask = [1, 2, 3, 4], head, announced, bytes } = {}) {
  const body = Buffer.from(payload);
  const length = announced ?? body.length;
  const bit = mask ? 0x80 : 0;
  const room = bytes ?? (length < 126 ? 1 : length < 65536 ? 3 : 9);
  const lengths = Buffer.alloc(room);
  if (room === 1) lengths[0] = bit | length;
  else if (room === 3) (lengths[0] = bit | 126), lengths.writeUInt16BE(length, 1);
  else (lengths[0] = bit | 127), lengths.writeBigUInt64BE(BigInt(length), 1);
  if (mask) body.forEach((byte, i) => (body[i] = byte ^ mask[i & 3]));
  return Buffer.concat([Buffer.from([head ?? ((final ? 0x80 : 0) | opcode)]), lengths, Buffer.from(mask ?? []), body]);
}

/** A socket and all received bytes; `closed` once either side has ended it. */
export class Wire {
  bytes = Buffer.alloc(0);
  closed = false;

  constructor(t, port, host = '127.0.0.1') {
    this.socket = connect(port, host);
    this.socket.on('data', (data) => (this.bytes = Buffer.concat([this.bytes, data])));
    this.socket.on('error', () => {});
    this.ended = new Promise((end) => this.socket.once('close', () => end((this.closed = true))));
    rememberConnection(port, () => this.socket.destroy());
    t.after(() => this.socket.destroy());
  }

  /** Completes the handshake and skips the server's first message. */
  static async open(t, port, options) {
    const wire = new Wire(t, port);
    wire.socket.write(handshake(options));
    await until(() => wire.text.includes('"hello"') || wire.closed, 'the hello');
    if (wire.closed) throw new Error(`no handshake: ${wire.text.slice(0, 200)}`);
    wire.bytes = wire.bytes.subarray(wire.bytes.indexOf('\r\n\r\n') + 4);
    await until(() => wire.frames().length > 0, 'the whole hello');
    return wire;
  }

  write(...parts) {
    for (const part of parts) this.socket.write(part);
  }

  get text() {
    return this.bytes.toString('latin1');
  }

  /** The status of an HTTP response, undefined before it arrives. */
  get status() {
    return Number(/^HTTP\/1\.[01] (\d{3}) /.exec(this.text)?.[1]) || undefined;
  }

  /** The complete received frames: {opcode, final, masked, reserved, payload}. */
  frames() {
    const frames = [];
    for (let at = 0; at + 2 <= this.bytes.length;) {
      const short = this.bytes[at + 1] & 127;
      const room = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (at + room > this.bytes.length) break;
      const length = short < 126 ? short : short === 126 ? this.bytes.readUInt16BE(at + 2) : Number(this.bytes.readBigUInt64BE(at + 2));
      if (at + room + length > this.bytes.length) break;
      const first = this.bytes[at];
      frames.push({
        opcode: first & 15, final: first >= 128, reserved: (first >> 4) & 7, masked: this.bytes[at + 1] >= 128,
        payload: this.bytes.subarray(at + room, at + room + length),
      });
      at += room + length;
    }
    return frames;
  }

  /** The code of the received close frame; undefined without a close frame, null for one without a code. */
  get closeCode() {
    const close = this.frames().find(({ opcode }) => opcode === OPCODE.close);
    return close && (close.payload.length >= 2 ? close.payload.readUInt16BE(0) : null);
  }

  /** The received JSON messages. The requests are unknown here, so only the form of replies is validated. */
  messages() {
    const texts = this.frames().filter(({ opcode }) => opcode === OPCODE.text).map(({ payload }) => String(payload));
    for (const text of texts) new Contract().received(text);
    return texts.map((text) => JSON.parse(text));
  }
}

/** Sends bytes and returns the received ones, until the server closes the connection or a timeout. */
export async function exchange(t, port, bytes, patienceMs = 3000) {
  const wire = new Wire(t, port);
  wire.write(bytes);
  const timer = setTimeout(() => wire.socket.destroy(), patienceMs);
  await wire.ended;
  clearTimeout(timer);
  return wire;
}
