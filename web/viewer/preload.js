// SPDX-License-Identifier: MIT
// Starts the client's worker before the page's other modules, so that the modules of both are loaded at the same time.

export const worker = new Worker(new URL('../client/worker.js', import.meta.url), { type: 'module' });
