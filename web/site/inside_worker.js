// SPDX-License-Identifier: MIT
// Takes the place of web/client/start_worker.js where the page is one file: starts the client's worker from a part of that file.

/* global weftWorkerUrl */

export function startWorker() {
  return new Worker(weftWorkerUrl); // defined by the page (bundle.mjs)
}
