// SPDX-License-Identifier: MIT
// Plugins of esbuild for everything that is bundled of web/: the page's import map, and the addresses of workers and other files,
// which are wrong once the modules that name them have been joined into one.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const WORKER = /new Worker\(new URL\('([^']+)', import\.meta\.url\), \{ type: 'module' \}\)/g;
const FILE = /new URL\('([^']+\.(?:wasm|json|css))', import\.meta\.url\)/g;
const OWN_MODULE = /[\\/]web[\\/](?:client|element|notebook|npm|site|viewer)[\\/].*\.js$/;

/**
 * Resolves the names of npm packages as the page does.
 * @param {string} html the text of index.html @param {string} web the folder of index.html
 * @returns {import('esbuild').Plugin}
 */
export function importMap(html, web) {
  const { imports } = JSON.parse(/<script type="importmap">([^]*?)<\/script>/.exec(html)[1]);
  return {
    name: 'import map',
    setup(builder) {
      builder.onResolve({ filter: /^[^./]/ }, ({ path, kind, namespace }) => {
        if (kind === 'entry-point' || namespace !== 'file') return undefined;
        const key = Object.keys(imports).find((name) => name === path || (name.endsWith('/') && path.startsWith(name)));
        return key === undefined ? undefined : { path: resolve(web, imports[key] + path.slice(key.length)) };
      });
    },
  };
}

/**
 * Replaces `new Worker(new URL('FILE', import.meta.url), { type: 'module' })` and `new URL('FILE', import.meta.url)` by expressions
 * that hold in the bundle.
 * @typedef {(specifier: string) => string} Imported adds an import to the module and returns the name of its default export
 * @param {object} expressions
 * @param {(path: string, imported: Imported) => string} expressions.worker @param {(path: string, imported: Imported) => string} expressions.file
 * @returns {import('esbuild').Plugin}
 */
export function addresses({ worker, file }) {
  return {
    name: 'addresses',
    setup(builder) {
      builder.onLoad({ filter: OWN_MODULE, namespace: 'file' }, async ({ path }) => {
        const imports = [];
        const imported = (specifier) => `address${imports.push(`import address${imports.length} from ${JSON.stringify(specifier)};`) - 1}`;
        const contents = (await readFile(path, 'utf8'))
          .replace(WORKER, (_, name) => worker(resolve(dirname(path), name), imported))
          .replace(FILE, (_, name) => file(resolve(dirname(path), name), imported));
        return { contents: imports.join('') + contents, loader: 'js' };
      });
    },
  };
}

/**
 * Provides modules of a namespace of their own: `PREFIX:PATH` is the module that `load` makes of PATH.
 * @param {string} prefix
 * @param {(path: string) => Promise<import('esbuild').OnLoadResult> | import('esbuild').OnLoadResult} load
 * @returns {import('esbuild').Plugin}
 */
export function made(prefix, load) {
  return {
    name: prefix,
    setup(builder) {
      builder.onResolve({ filter: new RegExp(`^${prefix}:`) }, ({ path }) => ({ path: path.slice(prefix.length + 1), namespace: prefix }));
      builder.onLoad({ filter: /.*/, namespace: prefix }, ({ path }) => load(path));
    },
  };
}
