// SPDX-License-Identifier: MIT
// A static site of a test's own, for pages that are not served by weftd: files of folders, and pages given as text.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json',
};

/**
 * @param {{after: (end: () => any) => void}} t the site ends with this test
 * @param {string} folder
 * @param {Record<string, string | Uint8Array>} [pages] by their paths
 * @returns {Promise<{origin: string, pages: Record<string, string | Uint8Array>, close: () => void}>}
 */
export async function serveSite(t, folder, pages = {}) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://site').pathname));
    try {
      const body = pages[path] ?? (await readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path)));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? (typeof body === 'string' || path.endsWith('/') ? 'text/html' : 'application/octet-stream') }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  t.after(close);
  return { origin: `http://127.0.0.1:${server.address().port}`, pages, close };
}
