// SPDX-License-Identifier: MIT
// Bundles the page for a static host (several files, loaded as they are needed) and for one file (everything inside).
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipAsync } from '@gfx/zopfli';
import { build } from 'esbuild';
import { addresses, importMap, made } from '../plugins.mjs';

const OPTIONS = /** @type {const} */ ({
  bundle: true, minify: true, format: 'esm', target: 'es2022', charset: 'utf8', legalComments: 'eof', logLevel: 'error', write: false,
});
const HASHED = '[name]-[hash]'; // a file of another content has another name, so that all of them may be cached for ever
const FILES = 'weftFiles'; // a constant of the page as one file, and of those of its workers that need it (inside.js)
const CLIENT_WORKER = 'weftWorkerUrl'; // a constant of the page as one file: the address of the client's worker (inside_worker.js)

/**
 * @param {string} web the folder of index.html @param {string} html its text @param {{sourcemap?: boolean}} [options] `sourcemap`: maps to the source, for the tools of browsers
 * @returns {Promise<{files: Map<string, Uint8Array>, worker: string, first: string, main: string, needed: string[]}>} the files by their
 *   names in one folder; the names of the client's worker, of the modules that prepare it and that start the page, and of those that
 *   the page imports statically
 */
export async function bundleModules(web, html, { sourcemap = false } = {}) {
  const files = new Map();
  const plugins = [
    importMap(html, web),
    addresses({
      worker: (path, imported) => `new Worker(new URL(${imported(`worker:${path}`)}, import.meta.url), { type: 'module' })`,
      file: (path, imported) => `new URL(${imported(`copied:${path}`)}, import.meta.url)`,
    }),
    made('copied', async (path) => ({ contents: await readFile(path), loader: 'file' })),
    made('worker', async (path) => ({ contents: await bundleWorker(path), loader: 'file' })),
  ];
  const bundleWorker = async (/** @type {string} */ entry) => {
    const { outputFiles } = await build({ ...OPTIONS, entryPoints: [entry], outdir: web, assetNames: HASHED, plugins });
    const module = outputFiles.find(({ path }) => basename(path) === basename(entry));
    for (const file of outputFiles) if (file !== module) files.set(basename(file.path), file.contents);
    return module.contents;
  };
  const { outputFiles, metafile: { outputs } } = await build({
    ...OPTIONS, absWorkingDir: web, entryPoints: ['viewer/preload.js', 'viewer/main.js'], splitting: true, outdir: 'out', metafile: true,
    entryNames: HASHED, chunkNames: HASHED, assetNames: HASHED, plugins: [together(join(web, 'viewer/main.js')), ...plugins], sourcemap,
  });
  for (const { path, contents } of outputFiles) files.set(basename(path), contents);
  const pathOf = (/** @type {string} */ entry) => Object.keys(outputs).find((path) => outputs[path].entryPoint === entry);
  const main = pathOf('viewer/main.js');
  const worker = Object.keys(outputs).find((path) => !path.endsWith('.map') && `worker:${join(web, 'client/worker.js')}` in outputs[path].inputs && !outputs[path].exports.length);
  const needed = new Set([main]);
  for (const path of needed) for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') needed.add(next);
  return { files, worker: basename(worker), first: basename(pathOf('viewer/preload.js')), main: basename(main), needed: [...needed].map((path) => basename(path)) };
}

/**
 * Makes one file of everything that the page needs at once. esbuild makes a file for each set of modules that the same lazily loaded
 * modules need; here each of these imports the page's first module, which has run by then, and so needs all that it needs.
 * @param {string} main the page's first module @returns {import('esbuild').Plugin}
 */
function together(main) {
  return {
    name: 'together',
    setup(builder) {
      builder.onResolve({ filter: /.*/ }, async ({ path, kind, importer, resolveDir, namespace }) => {
        if (kind !== 'dynamic-import') return undefined;
        const found = await builder.resolve(path, { kind: 'import-statement', importer, resolveDir, namespace });
        return found.errors.length > 0 ? found : { path: found.path, namespace: 'lazy' };
      });
      builder.onLoad({ filter: /.*/, namespace: 'lazy' }, ({ path }) => (
        { contents: `import ${JSON.stringify(main)}; export * from ${JSON.stringify(path)};`, resolveDir: dirname(path), loader: 'js' }));
    },
  };
}

/**
 * Workers are classic ones: Chromium starts no module worker from a Blob of a page that was opened from a disk.
 * @param {string} web the folder of index.html @param {string} html its text
 * @returns {Promise<string[]>} two scripts: a classic one with the files that are no modules, and the client's worker, which it
 *   starts; and a module with all other modules and workers inside
 */
export async function bundleWhole(web, html) {
  const plugins = [
    importMap(html, web),
    replacement(join(web, 'client/local/resources.js'), join(web, 'site/inside.js')),
    replacement(join(web, 'client/start_worker.js'), join(web, 'site/inside_worker.js')),
    addresses({
      worker: (path, imported) => `new Worker(URL.createObjectURL(new Blob(${imported(`worker:${path}`)}, { type: 'text/javascript' })))`,
      file: (path, imported) => `new URL(${imported(`inside:${path}`)})`,
    }),
    made('inside', async (path) => ({ contents: await readFile(path), loader: 'dataurl' })),
    made('worker', async (path) => {
      return { contents: `export default ${await workerParts(path)};`, loader: 'js' };
    }),
  ];
  const workerParts = async (/** @type {string} */ path) => {
    const text = await bundled(path, 'iife');
    return `[${[...(text.includes(FILES) ? [`"const ${FILES}=",JSON.stringify(${FILES}),";"`] : []), JSON.stringify(text)]}]`;
  };
  const bundled = async (/** @type {string} */ entry, /** @type {'esm' | 'iife'} */ format) => (
    await build({ ...OPTIONS, format, entryPoints: [entry], plugins })).outputFiles[0].text;
  // Zopfli makes the engine 5 % smaller than zlib does, for any browser.
  const packed = async (/** @type {string} */ name) => Buffer.from(await gzipAsync(await readFile(join(web, 'client', name)), { numiterations: 5 })).toString('base64');
  const files = { engine: await packed('engine/weft-simd.wasm'), scenes: await packed('local/scenes.json') };
  const first = [
    `const ${FILES}=${JSON.stringify(files)};`,
    `const ${CLIENT_WORKER}=URL.createObjectURL(new Blob(${await workerParts(join(web, 'client/worker.js'))},{type:"text/javascript"}));`,
    `weftWorker=new Worker(${CLIENT_WORKER});`, // it starts beside the page's module, not after it
  ];
  return [first.join('\n'), await bundled(join(web, 'viewer/main.js'), 'esm')];
}

/** Takes one module in place of another. @param {string} from @param {string} to @returns {import('esbuild').Plugin} */
function replacement(from, to) {
  return {
    name: 'replacement',
    setup(builder) {
      builder.onResolve({ filter: new RegExp(`[/\\\\]${basename(from).replace('.', '\\.')}$`) }, ({ path, resolveDir }) => (join(resolveDir, path) === from ? { path: to } : undefined));
    },
  };
}

/** The style sheets of the page, joined. @param {string} web the folder of index.html @param {string[]} sheets their paths @returns {Promise<string>} */
export async function bundleStyle(web, sheets) {
  const contents = sheets.map((path) => `@import ${JSON.stringify(path)};`).join('\n');
  const { outputFiles } = await build({ bundle: true, minify: true, charset: 'utf8', target: 'es2022', logLevel: 'error', write: false, stdin: { contents, loader: 'css', resolveDir: web } });
  return outputFiles[0].text;
}
