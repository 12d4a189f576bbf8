// SPDX-License-Identifier: MIT
// All clients of a page that are in local worlds share one worker, so that they meet in the same worlds. Each has a port to it,
// which is like a worker of its own (remote.js).

const IDLE_MS = 3000; // a worker that no client uses any more ends after so long

/** @type {Worker | null} */
let worker = null;
/** @type {Set<LocalPort>} that are open */
const ports = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let ending;

function endWorker() {
  worker?.terminate();
  worker = null;
}

/** A client's port to the page's worker. */
export class LocalPort {
  #port;

  /** @type {((event: {message?: string}) => void) | null} the worker failed */
  onerror = null;

  /** @param {() => Worker} start starts a worker, if there is none yet */
  constructor(start) {
    clearTimeout(ending);
    if (!worker) {
      worker = start();
      worker.onerror = (event) => {
        const { message } = event;
        worker = null;
        for (const port of ports) port.onerror?.({ message });
      };
    }
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    worker.postMessage({ serve: port2 }, [port2]);
    ports.add(this);
  }

  /** @param {((event: MessageEvent) => void) | null} listener */
  set onmessage(listener) {
    this.#port.onmessage = listener;
  }

  /** @param {any} message @param {Transferable[]} [transfer] */
  postMessage(message, transfer = []) {
    this.#port.postMessage(message, transfer);
  }

  close() {
    this.#port.close();
    ports.delete(this);
    if (ports.size === 0) ending = setTimeout(endWorker, IDLE_MS);
  }
}
