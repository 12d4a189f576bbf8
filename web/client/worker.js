// SPDX-License-Identifier: MIT
// The module worker in which a browser's client lives: socket, decoding and coming back, away from the page's thread.

import { serveClient } from './host.js';

serveClient(globalThis);
