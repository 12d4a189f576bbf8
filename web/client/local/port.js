// SPDX-License-Identifier: MIT
// All clients of a page that are in local worlds share one worker, so that they meet in the same worlds. Each has a port to it,
// which is like a worker of its own (remote.js).

import { portTo } from '../remote.js';

const IDLE_MS = 3000; // a worker that no client uses any more ends after so long

/** @type {Worker | null} */
let worker = null;
let isLent = false; // the worker is that of a client, which ends it
/** @type {Set<LocalPort>} that are open */
const ports = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let ending;

function endWorker() {
  if (!isLent) worker?.terminate();
  worker = null;
}

/** Local worlds of the page are in this worker from here on. @param {Worker} other the worker of a client that went to a local world */
export function lendWorker(other) {
  if (worker === other) return;
  clearTimeout(ending);
  if (ports.size === 0) endWorker();
  worker = other;
  isLent = true;
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
      isLent = false;
      worker.onerror = (event) => {
        const { message } = event;
        worker = null;
        for (const port of ports) port.onerror?.({ message });
      };
    }
    this.#port = portTo(worker);
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
