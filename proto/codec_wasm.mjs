// SPDX-License-Identifier: MIT
// Compiles the decoder of coding 2 to WebAssembly and embeds it as base64 in web/client/codec_wasm.js, so that loading it
// needs neither a compiler nor a further request: node proto/codec_wasm.mjs [--check]. Compiling needs clang and lld; --check
// only compares the hash of the sources with the one stored in the module.

import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUTPUT = join(ROOT, 'web/client/codec_wasm.js');
const SOURCES = [
  'proto/codec_wasm.c', 'server/proto/frame/codec_cloth.h', 'server/proto/frame/codec_decode.c', 'server/proto/frame/codec_decode.h',
  'server/proto/frame/codec_inner.h', 'server/proto/frame/codec_lanes.h', 'server/proto/frame/codec_model.h', 'server/proto/frame/codec_reader.h', 'server/proto/frame/codec_rows.h',
  'server/proto/frame/codec_states.h', 'server/proto/frame/codec_tables.h',
];
const FLAGS = [
  '--target=wasm32', '-std=c17', '-O3', '-ffp-contract=off', '-fno-strict-aliasing', '-msimd128', '-mbulk-memory', '-ffreestanding',
  '-nostdlib', '-Iserver', '-Wall', '-Wextra', '-Werror', '-Wno-unused-function', '-Wl,--no-entry', '-Wl,--strip-all', '-Wl,-z,stack-size=16384',
];

function sourceHash() {
  const hash = createHash('sha256').update(FLAGS.join(' '));
  for (const path of SOURCES) hash.update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

function build() {
  const folder = mkdtempSync(join(tmpdir(), 'weft-codec-'));
  try {
    const module = join(folder, 'codec.wasm');
    execFileSync('clang', [...FLAGS, 'proto/codec_wasm.c', '-o', module], { cwd: ROOT, stdio: 'inherit' });
    return readFileSync(module);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function text(module) {
  const lines = module.toString('base64').match(/.{1,120}/g).map((line) => `  '${line}',`);
  return `// SPDX-License-Identifier: MIT
// Built by proto/codec_wasm.mjs from server/proto/frame/codec_decode.c; do not edit.

/** The SHA-256 of the sources and flags that the module was built from. */
export const SOURCE_HASH = '${sourceHash()}';

/** The module of ${module.length} bytes, base64. */
// prettier-ignore
export const MODULE = [
${lines.join('\n')}
].join('');
`;
}

if (process.argv.includes('--check')) {
  const made = /SOURCE_HASH = '([0-9a-f]+)'/.exec(readFileSync(OUTPUT, 'utf8'))?.[1];
  if (made !== sourceHash()) {
    console.error('web/client/codec_wasm.js is older than its sources: run `make wasm`.');
    process.exitCode = 1;
  }
} else {
  const module = build();
  writeFileSync(OUTPUT, text(module));
  console.log(`web/client/codec_wasm.js: a module of ${module.length} bytes`);
}
