// SPDX-License-Identifier: MIT
// Compresses each file of the page with gzip to NAME.gz, if that makes it smaller; the server sends the result to browsers
// that accept gzip (server/net/http/file.c). make runs this script after vendor.mjs; a file whose .gz is newer is skipped.
// The .gz files are not committed. HTML files are skipped, because the server computes a page's content security policy from
// its text.
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { constants, gzipSync } from 'node:zlib';

const TYPES = /\.(js|mjs|css|json|md|txt|svg|wasm)$/;
const LEAST_BYTES = 512;

const here = dirname(fileURLToPath(import.meta.url));
let written = 0;

function compress(path) {
  const packed = `${path}.gz`;
  const made = statSync(packed, { throwIfNoEntry: false, bigint: true });
  if (made && made.mtimeNs > statSync(path, { bigint: true }).mtimeNs) return;
  const bytes = readFileSync(path);
  const compressed = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION });
  if (bytes.length < LEAST_BYTES || compressed.length >= bytes.length) return rmSync(packed, { force: true });
  // The file is renamed when it is complete, because a server may be reading the folder, or a second build may be writing to
  // it.
  writeFileSync(`${packed}.${process.pid}`, compressed);
  renameSync(`${packed}.${process.pid}`, packed);
  written++;
}

/** @param {string} folder */
export function compressFolder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compressFolder(path);
    else if (TYPES.test(entry.name)) compress(path);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const folder of ['client', 'element', 'lessons', 'viewer', 'vendor']) compressFolder(join(here, folder));
  console.log(`web/: ${written} files compressed`);
}
