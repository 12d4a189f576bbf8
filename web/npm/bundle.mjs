// SPDX-License-Identifier: MIT
// Makes one file of the package with three.js inside, for pages without a bundler. Workers are part of the file: they start from
// a Blob, which also works where the file comes from another server. Other files (WebAssembly) stay in the package beside it.
import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

const WORKER = /new Worker\(new URL\('([^']+)', import\.meta\.url\), \{ type: 'module' \}\)/g;
const FILE = /new URL\('([^']+\.(?:wasm|json))', import\.meta\.url\)/g;
const BASE = '__weftBase'; // in a worker: the address of the bundle

/** Rewrites the addresses of workers and of other files. @param {string} out the folder of the bundle @param {boolean} worker @returns {import('esbuild').Plugin} */
const inline = (out, worker) => ({
  name: 'inline',
  setup(builder) {
    builder.onResolve({ filter: /^worker-text:/ }, ({ path }) => ({ path: path.slice(12), namespace: 'worker-text' }));
    builder.onLoad({ filter: /.*/, namespace: 'worker-text' }, async ({ path }) => ({ contents: await bundled(path, out, true), loader: 'text' }));
    builder.onLoad({ filter: /[\\/]web[\\/].*\.js$/ }, async ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const imports = [];
      const contents = (await readFile(path, 'utf8'))
        .replace(WORKER, (_, name) => {
          const text = `workerText${imports.push(`import workerText${imports.length} from 'worker-text:${resolve(dirname(path), name)}';`) - 1}`;
          const head = `\`const ${BASE} = \${JSON.stringify(${worker ? BASE : 'import.meta.url'})};\``;
          return `new Worker(URL.createObjectURL(new Blob([${head}, ${text}], { type: 'text/javascript' })), { type: 'module' })`;
        })
        .replace(FILE, (_, name) => {
          const file = relative(out, resolve(dirname(path), name)).split(sep).join('/');
          return `new URL('${file}', ${worker ? BASE : 'import.meta.url'})`;
        });
      return { contents: imports.join('\n') + contents, loader: 'js' };
    });
  },
});

/** @param {string} entry @param {string} out @param {boolean} [worker] @returns {Promise<string>} the text of one module */
export async function bundled(entry, out, worker = false) {
  const { outputFiles: [{ text }] } = await build({
    entryPoints: [entry], bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'eof', logLevel: 'error', write: false,
    outfile: resolve(out, 'weft-world.js'), plugins: [inline(out, worker)],
  });
  return text;
}
