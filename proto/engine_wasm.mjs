// SPDX-License-Identifier: MIT
// Compiles the whole engine (server/engine/weft.h) to WebAssembly, with SIMD and without, into web/client/engine. The modules
// are committed, so that running them needs neither a compiler nor the source of cJSON:
//
//     node proto/engine_wasm.mjs [--check]
//
// Compiling needs clang, lld, wasi-libc and Debian's sources of cJSON, which apt-get fetches once into build/cjson. --check
// only compares the hash of the sources with the one stored beside the modules.
import { createHash } from 'node:crypto';
import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(ROOT, 'web/client/engine');
const CJSON = {
  file: 'cjson_1.7.15.orig.tar.gz',
  sha256: '5308fd4bd90cef7aa060558514de6a1a4a0819974a26e6ed13973c5f624c24b2',
};
// Files that use an operating system, which the engine does not need.
const LEFT_OUT = /^server\/base\/(job_thread|log|log_line|queue)\./;
const FLAGS = [
  '--target=wasm32-wasi', '-std=c17', '-O3', '-fno-math-errno', '-ffp-contract=off', '-fno-strict-aliasing',
  '-D_GNU_SOURCE', '-DNDEBUG', '-Iserver', '-Wall', '-Wextra', '-Wno-unused', '-Wno-unused-parameter', '-Werror',
];
// Code that runs for a command and computes no physics is compiled for size: the page in one file carries it all.
const SMALL = { files: '^server/(engine|proto/(gen|json|message|record))/', flags: ['-Os', '-fno-vectorize'] };
// clang 14 moves loads past a memmove that overwrites them when its SLP vectorizer makes splats, so that pass is disabled;
// compiled for size, the simulation has other bits with it (tests/client/capsule_player.test.mjs), so it is not.
const VARIANTS = { 'weft.wasm': [], 'weft-simd.wasm': ['-msimd128', '-fno-slp-vectorize'] };
const LINK = ['-Wl,-z,stack-size=1048576', '-Wl,--strip-all', '-Wl,--export=malloc', '-Wl,--export=free'];

function filesBelow(folder) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]))
    .sort();
}

const files = ['base', 'sim', 'proto', 'engine'].flatMap((name) => filesBelow(`server/${name}`)).filter((path) => /\.[ch]$/.test(path) && !LEFT_OUT.test(path));
const sources = files.filter((path) => path.endsWith('.c'));
const functions = [...readFileSync(join(ROOT, 'server/engine/weft.h'), 'utf8').matchAll(/^WEFT_API .*?\b(weft_\w+)\(/gm)].map((match) => match[1]);

function sourceHash() {
  const hash = createHash('sha256').update(JSON.stringify([FLAGS, SMALL, VARIANTS, LINK, CJSON]));
  for (const path of files) hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex');
}

/** Returns a folder with cJSON.c and cJSON.h of the pinned version, from Debian's source package. */
function cjson(folder) {
  const kept = join(ROOT, 'build/cjson');
  const archive = join(kept, CJSON.file);
  mkdirSync(kept, { recursive: true });
  if (!existsSync(archive)) {
    const list = join(folder, 'sources.list');
    const lists = join(folder, 'lists');
    mkdirSync(join(lists, 'partial'), { recursive: true });
    writeFileSync(list, 'deb-src http://deb.debian.org/debian bookworm main\n');
    const options = ['-q', '-o', `Dir::Etc::sourcelist=${list}`, '-o', 'Dir::Etc::sourceparts=-', '-o', `Dir::State::lists=${lists}`];
    execFileSync('apt-get', [...options, 'update'], { stdio: 'inherit' });
    execFileSync('apt-get', [...options, '--download-only', 'source', 'cjson'], { cwd: kept, stdio: 'inherit' });
  }
  const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (found !== CJSON.sha256) throw new Error(`${archive} has the SHA-256 ${found}, not ${CJSON.sha256}`);
  execFileSync('tar', ['xf', archive, '-C', folder, '--strip-components=1', '--wildcards', '*/cJSON.c', '*/cJSON.h']);
  mkdirSync(join(folder, 'include/cjson'), { recursive: true });
  copyFileSync(join(folder, 'cJSON.h'), join(folder, 'include/cjson/cJSON.h'));
}

async function build(folder, name, more) {
  const flags = [...FLAGS, ...more, `-I${join(folder, 'include')}`];
  const small = [...flags, ...SMALL.flags];
  const waiting = [...sources.entries()].map(([index, path]) => [join(folder, `${index}.o`), path, new RegExp(SMALL.files).test(path) ? small : flags]);
  waiting.push([join(folder, 'cjson.o'), join(folder, 'cJSON.c'), [...small, '-Wno-error']]);
  const objects = waiting.map(([object]) => object);
  const worker = async () => {
    for (let job = waiting.pop(); job; job = waiting.pop()) {
      await run('clang', [...job[2], '-c', job[1], '-o', job[0]], { cwd: ROOT });
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  // Without -O3 here: with it clang runs any wasm-opt that the machine has, and not every one knows what clang has written.
  await run('clang', ['--target=wasm32-wasi', '-mexec-model=reactor', ...LINK, ...functions.map((each) => `-Wl,--export=${each}`), ...objects, '-lm', '-o', join(FOLDER, name)]);
}

const record = join(FOLDER, 'sources.json');
if (process.argv.includes('--check')) {
  const made = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).sha256 : 'none';
  if (made !== sourceHash()) {
    console.error("The engine's WebAssembly modules are older than their sources: run `make wasm`.");
    process.exit(1);
  }
} else {
  const folder = mkdtempSync(join(tmpdir(), 'weft-engine-'));
  try {
    mkdirSync(FOLDER, { recursive: true });
    cjson(folder);
    for (const [name, more] of Object.entries(VARIANTS)) {
      await build(folder, name, more);
      console.log(`wrote web/client/engine/${name}`);
    }
    writeFileSync(record, `${JSON.stringify({ sha256: sourceHash() }, null, 2)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
