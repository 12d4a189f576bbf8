// SPDX-License-Identifier: MIT
// What web/client/start_worker.js gives, where the page is one file: the client's worker from that file.

/* global weftWorkerUrl */

export function startWorker() {
  return new Worker(weftWorkerUrl); // defined by the page (bundle.mjs)
}
