// SPDX-License-Identifier: MIT
// Writes NAME.gz beside each file of the page that gets smaller by gzip, for the server to send to browsers that accept
// it (server/net/http/file.c). Run by make after vendor.mjs; a file whose .gz is newer is skipped. The .gz files are never
// committed. HTML is left out, because the server computes the content policy of a page from its text.
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
  // Renamed when it is whole: a server may be reading the folder, and a second build may be writing to it.
  writeFileSync(`${packed}.${process.pid}`, compressed);
  renameSync(`${packed}.${process.pid}`, packed);
  written++;
}

function compressFolder(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compressFolder(path);
    else if (TYPES.test(entry.name)) compress(path);
  }
}

for (const folder of ['client', 'viewer', 'vendor']) compressFolder(join(here, folder));
console.log(`web/: ${written} files compressed`);
