// SPDX-License-Identifier: MIT
// A static site of a test's own, for pages that are not served by weftd: files of folders, and pages given as text.

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { BUILD, ROOT } from './weftd.mjs';

const TYPES = {
  '.js': 'text/javascript', '.mjs': 'text/javascript', '.html': 'text/html', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json',
};

/** Builds the page for use without a server, unless it is up to date. @returns {Promise<{folder: string, file: string}>} the site's folder, and the page as one file */
export async function buildSite() {
  const { MAKEFLAGS, MAKELEVEL, MFLAGS, ...env } = process.env;
  await promisify(execFile)('make', ['--no-print-directory', `OUT=${BUILD}`, 'site'], { cwd: ROOT, env });
  return { folder: join(BUILD, 'site'), file: join(BUILD, 'weft.html') };
}

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
