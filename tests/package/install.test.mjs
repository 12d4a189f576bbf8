// SPDX-License-Identifier: MIT
// `make uninstall` removes the files that `make install` has copied, and nothing else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const build = process.env.WEFT_BUILD ?? join(root, 'build');

function make(...words) {
  const { MAKEFLAGS, MAKELEVEL, MFLAGS, ...env } = process.env;
  execFileSync('make', [`OUT=${build}`, ...words], { cwd: root, env, stdio: 'pipe' });
}
const filesIn = (folder) => readdirSync(folder, { recursive: true }).filter((path) => !statSync(join(folder, path)).isDirectory()).sort();

for (const [name, places] of Object.entries({ 'usual places': [], 'a PREFIX and a LIBDIR': ['PREFIX=/usr', 'LIBDIR=/usr/lib/machine'] })) {
  test(`what is installed is removed again and nothing else: ${name}`, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'weft-install-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const prefix = places.length ? 'usr' : 'usr/local';
    // Files of others, beside and below the folders that Weft uses too.
    const others = ['bin/weft', 'lib/libweft2.so', 'share/man/man1/weft.1', 'share/weft/scenes/saved/mine.json', 'share/weft-other/file'].map((path) => `${prefix}/${path}`).sort();
    for (const path of others) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    make('install', `DESTDIR=${folder}`, ...places);
    const installed = filesIn(folder);
    const library = places.length ? 'usr/lib/machine' : 'usr/local/lib';
    for (const path of [`${prefix}/bin/weftd`, `${prefix}/share/man/man1/weftctl.1`, `${prefix}/share/bash-completion/completions/weftd`, `${library}/libweft.so.0`, `${library}/pkgconfig/weft.pc`, `${prefix}/share/weft/web/index.html`]) {
      assert.ok(installed.includes(path), path);
    }
    make('uninstall', `DESTDIR=${folder}`, ...places);
    assert.deepEqual(filesIn(folder), others);
    make('uninstall', `DESTDIR=${folder}`, ...places); // where nothing is left, that is no error
    assert.deepEqual(filesIn(folder), others);
  });
}
