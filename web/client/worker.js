// SPDX-License-Identifier: MIT
// The module worker that runs a browser's client: the socket, decoding and reconnecting, outside of the page's thread.

import { serveClient } from './host.js';

serveClient(globalThis);
