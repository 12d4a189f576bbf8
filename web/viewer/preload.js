// SPDX-License-Identifier: MIT
// Starts the client's worker before the page's other modules, so that the modules of both are loaded at the same time, unless the page
// itself has started it, as a page with bundled modules does (site/page.mjs). The worker connects to a server and subscribes at once,
// so that the first frame is on its way while the page's modules are compiled; without a server it loads the engine.

import { startWorker } from '../client/start_worker.js';
import { EVENTS, framesAt } from './page/subscriptions.js';
import { isLocalPage, shownAddress } from './page/world_address.js';
import { FIRST_STEP } from './timing/precision.js';

/** @type {Worker} */
export const worker = /** @type {any} */ (globalThis).weftWorker ?? startWorker();
if (isLocalPage()) {
  worker.postMessage({ prepareLocal: true });
} else {
  const calls = [['subscribeEvents', EVENTS], ['subscribeFrames', framesAt(FIRST_STEP)], ['connect']];
  worker.postMessage({ prepare: { url: shownAddress(), calls } });
}
