// SPDX-License-Identifier: MIT
// Builds the page for use without a server: node web/site/build.mjs FOLDER writes FOLDER/site/, a folder for any static host, and
// FOLDER/weft.html, one file that opens from a disk.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleWhole } from './bundle.mjs';
import { bundledPage, html, licenses, pageStyle, pageWith, WEB, writeFolder } from './page.mjs';

const WORLD = 'local:default'; // what the page shows unless its address says otherwise

/** The text of a script for use in HTML, where these three would end it or change how it is read. @param {string} text */
function inScript(text) {
  const found = /<!--|<script|<\/script/i.exec(text);
  if (found) throw new Error(`A script in HTML must not hold "${found[0]}": …${text.slice(Math.max(0, found.index - 60), found.index + 60)}…`);
  return text;
}

async function buildSite(folder) {
  const site = await bundledPage(WORLD);
  writeFolder(folder, site);
  console.log(`${folder}: ${site.size} files`);
}

async function buildFile(path) {
  const [files, page] = (await bundleWhole(WEB, html)).map(inScript);
  if (licenses.includes('--')) throw new Error('A comment in HTML must not hold "--", but a licence does.');
  const text = pageWith({ world: WORLD, head: `  <!--\n${licenses}\n-->\n  <style>${await pageStyle()}</style>\n`, end: `<script>${files}</script>\n<script type="module">${page}</script>\n` });
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
  console.log(`${path}: ${Math.round(Buffer.byteLength(text) / 1000)} KB, ${Math.round(gzipSync(text, { level: 9 }).length / 1000)} KB compressed`);
}

if (!process.argv[2]) throw new Error('usage: node web/site/build.mjs FOLDER');
const out = resolve(process.argv[2]);
mkdirSync(out, { recursive: true });
await buildSite(join(out, 'site'));
await buildFile(join(out, 'weft.html'));
