// SPDX-License-Identifier: MIT
// Builds the folder that a server serves: node web/site/served.mjs FOLDER. Its page loads a few bundled files (app/) instead of each
// module; their names change with their contents, so that browsers keep them for ever. Beside them are the modules as they are in the
// source, since other pages import them by their addresses (client/client.js, element/index.js), and source.html, the page that loads
// these.
import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compressFolder } from '../compress.mjs';
import { bundledPage, WEB, writeFolder } from './page.mjs';

const COPIED = ['reference.html', 'watch.html', 'client', 'element', 'lessons', 'viewer', 'vendor'];

if (!process.argv[2]) throw new Error('usage: node web/site/served.mjs FOLDER');
const folder = resolve(process.argv[2]);
const files = await bundledPage(null, { sourcemap: true });
writeFolder(folder, files, (fresh) => {
  for (const name of COPIED) {
    cpSync(join(WEB, name), join(fresh, name), { recursive: true, preserveTimestamps: true, filter: (path) => !/\.(made|compressed)$/.test(path) });
  }
  cpSync(join(WEB, 'index.html'), join(fresh, 'source.html'), { preserveTimestamps: true });
  compressFolder(join(fresh, 'app'));
});
console.log(`${folder}: ${files.size} bundled files`);
