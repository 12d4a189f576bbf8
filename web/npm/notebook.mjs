// SPDX-License-Identifier: MIT
// Writes the page's part of the notebook's widget for the Python package: node web/npm/notebook.mjs FOLDER writes FOLDER/widget.js,
// which is small, and FOLDER/view.js.gz, one module with three.js inside.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bundled } from './bundle.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const NO_ADDRESS = '"https://weft.invalid/"'; // the module has no address of its own, and loads nothing beside it

if (!process.argv[2]) throw new Error('usage: node web/npm/notebook.mjs FOLDER');
const out = resolve(process.argv[2]);
mkdirSync(out, { recursive: true });
copyFileSync(join(HERE, '../notebook/widget.js'), join(out, 'widget.js'));
const text = await bundled(join(HERE, '../notebook/view.js'), out, NO_ADDRESS);
writeFileSync(join(out, 'view.js.gz'), gzipSync(text, { level: 9 }));
