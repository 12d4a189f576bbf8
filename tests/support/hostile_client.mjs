// SPDX-License-Identifier: MIT
// A misbehaving client in a process of its own, so that it does not slow down the measuring process:
//
//   node hostile_client.mjs flood URL PER_SECOND     small requests at that rate, whatever is answered
//   node hostile_client.mjs largest URL BYTES KIND   one message of so many bytes after the other: padding, numbers, commands
//
// It ends when its connection is closed, and then prints the result as one line of JSON.
import { WebSocket } from 'ws';

const [, , mode, url, size, kind] = process.argv;
const BEAT_MS = 10;
const tally = { sent: 0, results: 0, errors: {}, code: 0, reason: '' };
const socket = new WebSocket(url, 'weft.v1', { perMessageDeflate: false });

socket.on('message', (data) => {
  const { error, id } = JSON.parse(data);
  if (id === undefined) return;
  if (error) tally.errors[error.code] = (tally.errors[error.code] ?? 0) + 1;
  else tally.results++;
  if (mode === 'largest') send();
});
socket.on('close', (code, reason) => {
  console.log(JSON.stringify({ ...tally, code, reason: String(reason) }));
  process.exit();
});
socket.on('error', () => {});

function largest(bytes) {
  const [head, item, tail] = {
    padding: ['{"jsonrpc":"2.0","id":1,"method":"pointer.move","params":{"position":[0,0,0]', ' ', '}}'],
    numbers: ['{"jsonrpc":"2.0","id":1,"method":"particles.spawn","params":{"positions":[0', ',0', ']}}'],
    commands: ['{"jsonrpc":"2.0","id":1,"method":"batch.run","params":{"commands":[{"method":"object.remove","params":{"object":4000000000}}',
      ',{"method":"grab.end","params":{"grab":4000000000}}', ']}}'],
  }[kind];
  return head + item.repeat(Math.floor((bytes - head.length - tail.length) / item.length)) + tail;
}

let message;
function send() {
  if (socket.readyState !== WebSocket.OPEN) return;
  socket.send(message);
  tally.sent++;
}

socket.on('open', () => {
  if (mode === 'largest') {
    message = largest(Number(size));
    send();
    return;
  }
  const began = performance.now();
  setInterval(() => {
    const due = ((performance.now() - began) / 1000) * Number(size);
    while (tally.sent < due && socket.bufferedAmount < 1 << 20) {
      message = `{"jsonrpc":"2.0","id":${tally.sent},"method":"world.set","params":{"friction":0.5}}`;
      send();
      if (socket.readyState !== WebSocket.OPEN) return;
    }
  }, BEAT_MS);
});
