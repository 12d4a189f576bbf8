// SPDX-License-Identifier: MIT
// A server in this process with programmed behaviour: hello on connection, replies from a table, binary messages on request.

import { once } from 'node:events';
import { WebSocketServer } from 'ws';

const HELLO = { server: 'weft', version: '0', protocol: 1, instance: 'fake', session: 1, role: 'editor', world: 'main', tick: 0, tickHz: 60, epoch: 1, limits: {} };

export class FakeServer {
  /** @type {object[]} all received requests, in order */
  requests = [];
  /** method → (params, socket) => result; throws {code, message, data} to refuse */
  methods = { 'frames.subscribe': () => ({}), 'frames.unsubscribe': () => ({}), 'events.subscribe': () => ({}) };
  hello = HELLO;
  greets = true;

  static async start(port = 0) {
    const fake = new FakeServer();
    await fake.listen(port);
    return fake;
  }

  async listen(port) {
    this.server = new WebSocketServer({ host: '127.0.0.1', port, handleProtocols: () => 'weft.v1' });
    this.server.on('connection', (socket) => this.#greet(socket));
    await once(this.server, 'listening');
    this.port = this.server.address().port;
    this.url = `ws://127.0.0.1:${this.port}/worlds/main`;
  }

  /** Ends all connections at once and stops listening. */
  async stop() {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  send(message) {
    for (const socket of this.server.clients) socket.send(typeof message === 'string' || ArrayBuffer.isView(message) ? message : JSON.stringify(message));
  }

  event(method, params) {
    this.send({ jsonrpc: '2.0', method, params });
  }

  calls(method) {
    return this.requests.filter((request) => request.method === method);
  }

  #greet(socket) {
    if (this.greets) socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'hello', params: this.hello }));
    socket.on('message', (data) => this.#answer(socket, JSON.parse(data)));
  }

  #answer(socket, request) {
    this.requests.push(request);
    const { id, method, params } = request;
    if (id === undefined) return;
    try {
      const result = this.methods[method]?.(params, socket);
      if (result !== undefined) socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    } catch (error) {
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }
  }
}
