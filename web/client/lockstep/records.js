// SPDX-License-Identifier: MIT
// The records in a message of ticks (FRAMES.md, "Lockstep"), as far as the client needs to know them: who caused them.

import { HEADER } from './own_world.js';

const HASH = 1; // a flag
const GRAB_MOVE = 0; // a kind
const POSITION_BYTES = 12;

/**
 * The hash of the state after the steps of a message, or null.
 * @param {Uint8Array} message of type 6
 */
export function hashOf(message) {
  if ((message[1] & HASH) === 0) return null;
  return new DataView(message.buffer, message.byteOffset).getBigUint64(HEADER, true).toString(16).padStart(16, '0');
}

/**
 * The numbers of the clients that caused the records, in their order; 0: none. The engine checks the records when it applies
 * them, so a message that is cut off only ends the list.
 * @param {Uint8Array} message of type 6
 */
export function causesOf(message) {
  const causes = [];
  let at = HEADER + ((message[1] & HASH) === 0 ? 0 : 8);
  const varint = () => {
    let value = 0;
    for (let scale = 1; at < message.length; scale *= 128) {
      const byte = message[at++];
      value += (byte & 127) * scale;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < message.length) {
    const kind = varint();
    causes.push(varint());
    const length = varint(); // of a grab that moves, its number
    at += kind === GRAB_MOVE ? POSITION_BYTES : length;
  }
  return causes;
}
