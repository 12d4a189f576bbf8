// SPDX-License-Identifier: MIT
// Makes one file of the package with three.js inside, for pages without a bundler. Workers are part of the file: they start from
// a Blob, which also works where the file comes from another server. Other files (WebAssembly) stay in the package beside it.
import { relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { addresses, made } from '../plugins.mjs';

const BASE = '__weftBase'; // in a worker: the address of the bundle

/** Rewrites the addresses of workers and of other files. @param {string} out the folder of the bundle @param {string} base expression of the bundle's address */
const inline = (out, base) => addresses({
  worker(path, imported) {
    const head = `\`const ${BASE} = \${JSON.stringify(${base})};\``;
    return `new Worker(URL.createObjectURL(new Blob([${head}, ${imported(`worker:${path}`)}], { type: 'text/javascript' })), { type: 'module' })`;
  },
  file: (path) => `new URL('${relative(out, path).split(sep).join('/')}', ${base})`,
});

/** @param {string} entry @param {string} out @param {string} [base] @returns {Promise<string>} the text of one module */
export async function bundled(entry, out, base = 'import.meta.url') {
  const { outputFiles: [{ text }] } = await build({
    entryPoints: [entry], bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'eof', logLevel: 'error', write: false,
    outfile: resolve(out, 'weft-world.js'), plugins: [inline(out, base), made('worker', async (path) => ({ contents: await bundled(path, out, BASE), loader: 'text' }))],
  });
  return text;
}
