// SPDX-License-Identifier: MIT
// The Makefile: dependencies and rebuilding, and that generated files are up to date.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = mkdtempSync(join(tmpdir(), 'weft-build-'));
const object = join(out, 'server/base/result.o');
after(() => rmSync(out, { recursive: true, force: true }));

function make(...variables) {
  const { MAKEFLAGS, MAKELEVEL, MFLAGS, ...env } = process.env;
  execFileSync('make', [`OUT=${out}`, ...variables, object], { cwd: root, env, stdio: 'pipe' });
  return statSync(object).mtimeMs;
}

test('an object is built once for the same flags, and anew for others', () => {
  const first = make();
  assert.equal(make(), first, 'nothing changed, so nothing is rebuilt');
  const unoptimised = make('OPTIMISE=-O0');
  assert.notEqual(unoptimised, first, 'other flags, another object');
  assert.equal(make('OPTIMISE=-O0'), unoptimised);
});

test('make run builds on all cores, unless it is told on how many', () => {
  const { MAKEFLAGS, MAKELEVEL, MFLAGS, ...env } = process.env;
  const plan = (...more) => execFileSync('make', ['-n', 'run', `OUT=${out}`, ...more], { cwd: root, env, encoding: 'utf8' }).split('\n').find((line) => /make.* all$/.test(line));
  assert.match(plan(), / -j "\$\(nproc.*\)" all$/);
  assert.doesNotMatch(plan('-j1'), / -j /, 'the jobs of the make that runs it');
});

test('a warning fails the build', () => {
  assert.throws(() => make('CFLAGS=-Wframe-larger-than=1'), /-Werror=frame-larger-than/);
});

test('the generated protocol files are those that proto/ makes', () => {
  execFileSync(process.execPath, ['proto/generate.mjs', '--check'], { cwd: root, stdio: 'pipe' });
});

test('the server is hardened: canaries, checked copies, read-only tables of addresses, control-flow enforcement', () => {
  const build = process.env.WEFT_BUILD ?? join(root, 'build');
  const read = (...options) => execFileSync('readelf', options, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  for (const name of ['weftd', 'weftctl']) {
    const program = join(build, name);
    const dynamic = read('-d', program);
    assert.match(dynamic, /BIND_NOW|Flags:.*NOW/, `${name} resolves all symbols at its start`);
    assert.match(dynamic, /Flags:.*PIE/, `${name} can be loaded anywhere`);
    const segments = read('-lW', program);
    assert.match(segments, /GNU_RELRO/, `${name} has tables that become read-only`);
    assert.match(segments, /GNU_STACK.* RW /, `the stack of ${name} is not executable`);
    const symbols = read('-sW', '--dyn-syms', program);
    assert.match(symbols, /__stack_chk_fail/, `${name} has canaries`);
    assert.match(symbols, /__(memcpy|snprintf|vsnprintf)_chk/, `${name} has checked copies`);
  }
  if (process.arch === 'x64') {
    assert.match(read('-n', join(build, 'server/main.o')), /IBT, SHSTK/, 'the compiler prepares control-flow enforcement');
  }
});
