// SPDX-License-Identifier: MIT
// Starts the client's worker before the page's other modules, so that the modules of both are loaded at the same time.

import { startWorker } from '../client/start_worker.js';

export const worker = startWorker();
