// SPDX-License-Identifier: MIT
// The engine as an installed library: the example is built with pkg-config outside of the tree, in C and in C++, and gets the
// same hash as a server from the same command.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { laboratory, ROOT } from '../support/weftd.mjs';

const BUILD = process.env.WEFT_BUILD ?? join(ROOT, 'build');
const TICKS = 120;
// A user's program cannot be linked with the sanitizers' libraries without their compiler.
const skip = process.env.WEFT_SANITIZER ? 'the library is built without sanitizers' : false;

/** Installs the library into a folder, builds the example there with pkg-config, and returns its output. */
function build(t) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-library-'));
  t.after(() => rmSync(folder, { recursive: true }));
  execFileSync('make', ['-s', '-C', ROOT, 'install-lib', `OUT=${BUILD}`, `PREFIX=${folder}`, ...compilerOf(BUILD)], { stdio: 'pipe' });
  copyFileSync(join(ROOT, 'tests/library/cloth.c'), join(folder, 'cloth.c'));
  const flags = (...options) => execFileSync('pkg-config', [...options, 'weft'], { encoding: 'utf8', env: { ...process.env, PKG_CONFIG_PATH: join(folder, 'lib/pkgconfig') } }).trim().split(/\s+/);
  return { folder, flags };
}

/** The compiler of the build, so that make considers its objects up to date. */
function compilerOf(folder) {
  const flags = execFileSync('cat', [join(folder, 'flags')], { encoding: 'utf8' });
  return [`CC=${/^(ccache )?\S+/.exec(flags)[0]}`];
}

const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Werror'];

async function hashOfServer(t) {
  const { call } = await laboratory(t);
  const { object } = await call('cloth.spawn', { columns: 20, rows: 20, spacing: 0.05, position: [0, 2, 0] });
  assert.equal(object, 1);
  await call('world.step', { ticks: TICKS });
  return (await call('world.get')).stateHash;
}

test('the example builds with pkg-config in C and C++, shared and static, and its hash is that of a server', { skip }, async (t) => {
  const { folder, flags } = build(t);
  const run = (name, env = {}) => execFileSync(join(folder, name), { encoding: 'utf8', env: { ...process.env, ...env } });
  execFileSync('cc', ['-std=c99', ...strict, 'cloth.c', '-o', 'shared', ...flags('--cflags', '--libs')], { cwd: folder, stdio: 'pipe' });
  execFileSync('cc', ['-x', 'c++', '-std=c++17', ...strict, 'cloth.c', '-x', 'none', '-o', 'plus', ...flags('--cflags', '--libs'), '-lstdc++'], { cwd: folder, stdio: 'pipe' });
  execFileSync('cc', ['-std=c17', 'cloth.c', '-o', 'static', ...flags('--cflags'), join(folder, 'lib/libweft.a'), '-lcjson', '-lm'], { cwd: folder, stdio: 'pipe' });
  const printed = run('shared', { LD_LIBRARY_PATH: join(folder, 'lib') });
  assert.equal(run('plus', { LD_LIBRARY_PATH: join(folder, 'lib') }), printed);
  assert.equal(run('static'), printed);
  const [hello, reply, particle, last] = printed.trim().split('\n');
  assert.equal(JSON.parse(hello).method, 'hello');
  assert.deepEqual(JSON.parse(reply).result, { object: 1, particles: 400, tick: 1 });
  assert.match(particle, /^particle 399 of 400 is at /);
  assert.equal(last, `tick ${TICKS}, hash ${await hashOfServer(t)}`);
});

test('the library shows the functions of weft.h and no others, and calls no socket, clock, thread or file', { skip }, (t) => {
  const { folder } = build(t);
  const library = join(folder, 'lib', readdirSync(join(folder, 'lib')).find((name) => /^libweft\.so\.\d+\.\d+\.\d+$/.test(name)));
  const names = (...options) => execFileSync('nm', ['--dynamic', '--format=posix', ...options, library], { encoding: 'utf8' }).split('\n').filter(Boolean).map((line) => line.split(/[ @]/)[0]);
  const shown = names('--defined-only').filter((name) => !/^(weft_|_init$|_fini$)/.test(name));
  assert.deepEqual(shown, []);
  const allowed = /^(cJSON_\w+|_\w*|calloc|malloc|realloc|free|mmap|munmap|madvise|sysconf|mem\w+|str\w+|snprintf|qsort|bsearch|frexpf?|ldexpf?|log10f?|sqrtf?|floorf?|ceilf?|fabsf?|fmin|sinf?|cosf?|acosf?|atan2f?|powf?|expf?)$/;
  assert.deepEqual(names('--undefined-only').filter((name) => !allowed.test(name)), []);
});
