// SPDX-License-Identifier: MIT
// Writes the modules that the first picture needs into index.html as modulepreload links, so that a browser requests them all
// at once instead of discovering them one by one: preload.mjs [--check]. These are the modules that viewer/main.js imports
// statically, directly or indirectly.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const HERE = dirname(fileURLToPath(import.meta.url));
const FIRST = 'viewer/main.js';
const BLOCK = /( *<!-- preload\.mjs writes this -->\n)[^]*?( *<!-- end -->\n)/;

const page = readFileSync(join(HERE, 'index.html'), 'utf8');
const { imports } = JSON.parse(/<script type="importmap">([^]*?)<\/script>/.exec(page)[1]);

// Bare module names are resolved by the import map.
const mapped = {
  name: 'import map',
  setup(builder) {
    builder.onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      const key = Object.keys(imports).find((name) => name === path || (name.endsWith('/') && path.startsWith(name)));
      return key === undefined ? undefined : { path: join(HERE, imports[key] + path.slice(key.length)) };
    });
  },
};

const { metafile: { inputs } } = await build({
  absWorkingDir: HERE, entryPoints: [FIRST], bundle: true, splitting: true, format: 'esm', outdir: 'out', write: false, metafile: true, plugins: [mapped], logLevel: 'error',
});
const found = new Set([FIRST]);
for (const path of found) {
  for (const { path: imported, kind } of inputs[path].imports) if (kind === 'import-statement') found.add(imported);
}

const lines = [...found].filter((path) => path !== FIRST).sort().map((path) => `  <link rel="modulepreload" href="./${relative(HERE, join(HERE, path))}">\n`);
const written = page.replace(BLOCK, (_, start, end) => start + lines.join('') + end);
if (written === page) process.exit(0);
if (process.argv.includes('--check')) {
  console.error('index.html does not list all modules that its first picture needs: run node web/preload.mjs');
  process.exit(1);
}
writeFileSync(join(HERE, 'index.html'), written);
