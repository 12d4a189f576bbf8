// SPDX-License-Identifier: MIT
// Packs the npm package weft-world: node web/npm/pack.mjs FOLDER writes FOLDER/weft-world/ and FOLDER/weft-world-VERSION.tgz.
//
// The package has the folders of web/ as they are, but only the modules that its entries import, and declarations for those
// that its users see; and one bundle of all for pages without a bundler.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundled } from './bundle.mjs';

const WEB = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const TSC = join(WEB, '../tests/node_modules/.bin/tsc');
const ENTRIES = ['npm/index.js', 'npm/element.js', 'npm/engine.js', 'npm/engine_node.js', 'client/client.js', 'client/joints.js', 'client/protocol.js'];
const ADDRESS = /new URL\('(\.[^']+)', import\.meta\.url\)/g; // of workers and WebAssembly
const IMPORTED = /(?:from|import|import\(|module) ?['"](\.[^'"]+)\.js['"]|<reference path="([^"]+)"/g; // by declarations

if (!process.argv[2]) throw new Error('usage: node web/npm/pack.mjs FOLDER');
const out = resolve(process.argv[2]);
const target = join(out, 'weft-world');
rmSync(target, { recursive: true, force: true });

/** Copies a file of web/ to the same place in the package. @param {string} name */
function copy(name) {
  mkdirSync(dirname(join(target, name)), { recursive: true });
  copyFileSync(join(WEB, name), join(target, name));
}

/** The modules of web/ that the entries import, and the files that those name by address. @returns {Promise<Set<string>>} */
async function modules() {
  const files = new Set();
  for (let entries = ENTRIES; entries.length > 0;) {
    const { metafile } = await build({
      absWorkingDir: WEB, entryPoints: entries, bundle: true, splitting: true, format: 'esm', platform: 'neutral', outdir: 'out', write: false, metafile: true,
      packages: 'external', logLevel: 'error',
    });
    const found = Object.keys(metafile.inputs);
    for (const name of found) files.add(name);
    const named = found.flatMap((name) => [...readFileSync(join(WEB, name), 'utf8').matchAll(ADDRESS)].map(([, path]) => relative(WEB, resolve(WEB, dirname(name), path)).split(sep).join('/')));
    for (const name of named) if (!name.endsWith('.js')) files.add(name);
    entries = named.filter((name) => name.endsWith('.js') && !files.has(name));
  }
  return files;
}

/** Writes the declarations that the entries need, directly or indirectly. */
function declarations() {
  const all = join(out, 'types');
  rmSync(all, { recursive: true, force: true });
  execFileSync(TSC, ['--project', join(WEB, 'npm/tsconfig.json'), '--outDir', all], { stdio: 'inherit' });
  const wanted = ENTRIES.filter((name) => name !== 'npm/engine_node.js').map((name) => name.replace(/\.js$/, '.d.ts'));
  for (const name of wanted) {
    const made = existsSync(join(all, name)) ? join(all, name) : join(WEB, name); // written by hand or by the generator
    const text = readFileSync(made, 'utf8').replace(/(<reference path=")[^"]*(?=\/tag\.d\.ts")/, '$1.'); // tsc refers from its own folder
    mkdirSync(dirname(join(target, name)), { recursive: true });
    writeFileSync(join(target, name), text);
    for (const [, module, reference] of text.matchAll(IMPORTED)) {
      const path = relative(WEB, resolve(WEB, dirname(name), reference ?? `${module}.d.ts`)).split(sep).join('/');
      if (!wanted.includes(path)) wanted.push(path);
    }
  }
  rmSync(all, { recursive: true });
}

for (const name of await modules()) copy(name);
declarations();
mkdirSync(join(target, 'dist'));
writeFileSync(join(target, 'dist/weft-world.js'), await bundled(join(WEB, 'npm/index.js'), join(WEB, 'dist')));
for (const name of ['package.json', 'README.md']) copyFileSync(join(WEB, 'npm', name), join(target, name));
copyFileSync(join(WEB, '../LICENSE'), join(target, 'LICENSE'));
execFileSync('npm', ['pack', '--silent', '--pack-destination', out], { cwd: target, stdio: ['ignore', 'inherit', 'inherit'] });
