// SPDX-License-Identifier: MIT
// Clients of the worlds of a cluster: each sends one command after the other through the client that the page uses, several
// without waiting for answers, and everything that goes over its connections is noted.
//
// A command makes a particle whose name has the client and the number of the command. So the world itself shows the
// outcome of each command.

import { WebSocket } from 'ws';
import { WeftClient } from '../../web/client/client.js';
import { sleep, until } from '../support/wait.mjs';
import { worldUrl } from './nodes.mjs';
import { ADDRESSES } from './network.mjs';

const METHOD = 'particles.spawn';
const WINDOW = 8; // commands that wait for an answer, at most
const PAUSE_MS = 50; // between two commands, on average

/** The messages that were sent and heard, in their order. */
export class History {
  /** @type {import('./checker.mjs').Event[]} */
  events = [];

  note(event) {
    this.events.push({ at: Math.round(performance.now()), ...event });
  }
}

/** A class of sockets that note their messages, and come from the machine of the clients. */
function notedSocket(history, client, world) {
  return class extends WebSocket {
    #sent = new Map(); // id → name of its command

    constructor(url, protocols) {
      super(url, protocols, { localAddress: ADDRESSES.clients });
      this.node = new URL(url).hostname;
      this.on('message', (data, isBinary) => !isBinary && this.#heard(JSON.parse(String(data))));
    }

    send(text, ...rest) {
      const { id, method, params } = JSON.parse(text);
      if (method === METHOD) {
        this.#sent.set(id, params.name);
        history.note({ type: 'sent', client, world, name: params.name, request: id, node: this.node });
      }
      super.send(text, ...rest);
    }

    #heard({ id, result, error }) {
      const name = this.#sent.get(id);
      if (name !== undefined) history.note({ type: 'heard', client, world, name, request: id, node: this.node, ...(error ? { error: error.message } : { result }) });
    }
  };
}

export class Sender {
  #history;
  #random;
  #client;
  #stopped = false;
  #waiting = 0;
  #count = 0;

  /** @param {string} name @param {string} world @param {string} machine where it connects first @param {History} history @param {{real: () => number}} random */
  constructor(name, world, machine, history, random) {
    this.name = name;
    this.#history = history;
    this.#random = random;
    const session = `${name}-${Math.floor(random.real() * 2 ** 32).toString(16)}`;
    this.session = session;
    this.#client = new WeftClient(worldUrl(machine, world), { WebSocket: notedSocket(history, name, world), reconnect: true, session });
    this.#client.on('fault', ({ message }) => history.note({ type: 'fault', client: name, message }));
    this.isOpen = false;
    this.#client.on('state', ({ state }) => { this.isOpen = state === 'open'; });
  }

  connect() {
    return this.#client.connect();
  }

  /** Sends commands until `finish` is called. */
  async run() {
    while (!this.#stopped) {
      await sleep(2 * PAUSE_MS * this.#random.real());
      if (this.isOpen && !this.#stopped && this.#waiting < WINDOW) this.#send();
    }
  }

  #send() {
    const index = this.#count++;
    const place = [0, 1, 2].map(() => 4 * this.#random.real());
    this.#waiting++;
    this.#client.call(METHOD, { name: `${this.name}:${index}`, positions: [place] }).catch(() => {}).finally(() => this.#waiting--);
  }

  /** Sends nothing more, and waits until all commands are answered. @returns {Promise<boolean>} whether it was */
  async finish(patienceMs) {
    this.#stopped = true;
    return until(() => this.#waiting === 0, `the answers of ${this.name}`, patienceMs).then(() => true, (error) => {
      this.#history.note({ type: 'fault', client: this.name, message: error.message });
      return false;
    });
  }

  close() {
    this.#client.close();
  }
}
