// SPDX-License-Identifier: MIT
// Starts the worker of a client (worker.js). Only the page's own modules use this, not those of the worker, because bundlers take
// no worker that starts itself.

export function startWorker() {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
}
