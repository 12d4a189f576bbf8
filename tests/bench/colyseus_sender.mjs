// SPDX-License-Identifier: MIT
// Sends the same bytes to all clients 60 times per second, with Colyseus' broadcastBytes: colyseus_sender.mjs BYTES.

import { createServer } from 'node:http';
import { Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { frameOf, pace } from './pace.mjs';

const bytes = Number(process.argv[2]);

class Bench extends Room {
  maxClients = 100000;
  patchRate = null;

  onCreate() {
    pace(60, (tick) => this.broadcastBytes('frame', frameOf(bytes, tick)));
  }
}

const http = createServer();
const server = new Server({ greet: false, transport: new WebSocketTransport({ server: http, pingInterval: 0 }) });
server.define('bench', Bench);
await server.listen(0, '127.0.0.1');
console.log(`port ${http.address().port}`);
