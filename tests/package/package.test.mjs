// SPDX-License-Identifier: MIT
// The npm package weft-world as it is packed: its manifest, its types, and its use in Node.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { copyExample, installPackage, runTool } from '../support/npm_package.mjs';
import { ROOT, Weftd } from '../support/weftd.mjs';

const TSC = join(ROOT, 'tests/node_modules/.bin/tsc');
const { folder, tarball, installed } = await installPackage();

/** The blocks of code in a text. */
const blocks = (text, language) => [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1]);

test('publint finds no fault, and the version is that of the server', async () => {
  const { publint } = await import('publint');
  const { messages } = await publint({ pkgDir: installed, pack: false, strict: true });
  assert.deepEqual(messages, []);
  const [, version] = /WEFT_VERSION "(.*)"/.exec(await readFile(join(ROOT, 'server/base/version.h'), 'utf8'));
  assert.equal(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')).version, version);
});

const skip = Number(process.versions.node.split('.')[0]) >= 20 ? false : 'arethetypeswrong needs Node 20';
test('every entry has the types that it should have (arethetypeswrong)', { skip }, async () => {
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const { types, problems, entrypoints } = await checkPackage(createPackageFromTarballData(new Uint8Array(await readFile(tarball))));
  assert.ok(types);
  assert.ok(Object.keys(entrypoints).length >= 6);
  // The package has ECMAScript modules only, which neither require() nor the resolution of TypeScript before 4.7 finds.
  const meant = problems.filter(({ kind, resolutionKind }) => kind !== 'CJSResolvesToESM' && resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs');
  assert.deepEqual(meant, []);
});

test('a wrong method, parameter, result or event is an error of types, what is right is none', async () => {
  const types = await copyExample(folder, 'types');
  for (const resolution of [{ module: 'nodenext', moduleResolution: 'nodenext' }, { module: 'esnext', moduleResolution: 'bundler' }]) {
    const compilerOptions = { ...resolution, strict: true, noEmit: true, skipLibCheck: false, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
    await writeFile(join(types, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    await writeFile(join(types, 'package.json'), '{"type": "module"}');
    await runTool(TSC, ['--project', types]);
  }
});

test('in Node the client calls a server, the engine computes, and the element can be imported', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  await writeFile(join(folder, 'script.mjs'), `
    import { WeftClient, WeftWorldElement } from 'weft-world';
    import { loadEngine } from 'weft-world/engine';
    const WebSocket = globalThis.WebSocket ?? (await import('ws')).WebSocket;
    const client = new WeftClient('${server.url('main')}', { WebSocket });
    await client.connect();
    const { particles } = await client.call('cloth.spawn', { columns: 3, rows: 3 });
    client.close();
    const world = (await loadEngine()).createWorld();
    world.tick();
    console.log(particles, world.tickCount, typeof WeftWorldElement);`);
  assert.equal(await runTool(process.execPath, ['script.mjs'], { cwd: folder }), '9 1 function\n');
});

test('the scripts of its README run', async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=empty']);
  const scripts = blocks(await readFile(join(installed, 'README.md'), 'utf8'), 'js');
  assert.ok(scripts.length >= 2);
  for (const [index, script] of scripts.entries()) {
    await writeFile(join(folder, `readme-${index}.mjs`), script.replaceAll('127.0.0.1:8080', `127.0.0.1:${server.port}`));
    assert.notEqual(await runTool(process.execPath, [`readme-${index}.mjs`], { cwd: folder }), '');
  }
});
