// SPDX-License-Identifier: MIT
// The Makefile: what is rebuilt and when, and that what was generated is fresh.
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

test('a warning fails the build', () => {
  assert.throws(() => make('CFLAGS=-Wframe-larger-than=1'), /-Werror=frame-larger-than/);
});

test('the generated protocol files are those that proto/ makes', () => {
  execFileSync(process.execPath, ['proto/generate.mjs', '--check'], { cwd: root, stdio: 'pipe' });
});
