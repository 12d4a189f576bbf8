// SPDX-License-Identifier: MIT
// The client's worker, started by itself ahead of everything else: its modules come while those of the page are on their way.

export const worker = new Worker(new URL('../client/worker.js', import.meta.url), { type: 'module' });
