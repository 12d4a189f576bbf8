// SPDX-License-Identifier: MIT
// Sends the same bytes to all clients 60 times per second, with `ws`: ws_sender.mjs BYTES. Compatible with `weftctl load`.

import { WebSocketServer } from 'ws';
import { frameOf, pace } from './pace.mjs';

const bytes = Number(process.argv[2]);
const viewers = new Set();
const server = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false, handleProtocols: () => 'weft.v1', backlog: 1024 });
server.on('listening', () => console.log(`port ${server.address().port}`));
server.on('connection', (socket) => {
  socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'hello', params: { tickHz: 60 } }));
  socket.on('message', () => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }));
    viewers.add(socket);
  });
  socket.on('close', () => viewers.delete(socket));
  socket.on('error', () => {});
});
pace(60, (tick) => {
  const frame = frameOf(bytes, tick);
  for (const socket of viewers) {
    if (socket.bufferedAmount < bytes) socket.send(frame);
  }
});
