// SPDX-License-Identifier: MIT
// Copies the files of the npm packages that the page loads from node_modules to vendor/, where the import map of index.html
// expects them. Comments are removed and names shortened, because three.js is half of the data that the first picture needs.
// Run after `npm ci`; vendor/ is not committed.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, transformSync } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));

const files = {
  'three/build/three.module.js': 'three/three.module.js',
  'three/build/three.core.js': 'three/three.core.js',
  'three/LICENSE': 'three/LICENSE',
  'three/examples/jsm/environments/RoomEnvironment.js': 'three/addons/environments/RoomEnvironment.js',
  'three/examples/jsm/controls/TransformControls.js': 'three/addons/controls/TransformControls.js',
  'three/examples/jsm/exporters/GLTFExporter.js': 'three/addons/exporters/GLTFExporter.js',
  'three/examples/jsm/exporters/OBJExporter.js': 'three/addons/exporters/OBJExporter.js',
  'three/examples/jsm/geometries/ConvexGeometry.js': 'three/addons/geometries/ConvexGeometry.js',
  'three/examples/jsm/libs/meshopt_simplifier.module.js': 'three/addons/libs/meshopt_simplifier.module.js',
  'three/examples/jsm/math/ConvexHull.js': 'three/addons/math/ConvexHull.js',
  'three/examples/jsm/utils/BufferGeometryUtils.js': 'three/addons/utils/BufferGeometryUtils.js',
  'camera-controls/dist/camera-controls.module.min.js': 'camera-controls/camera-controls.js',
  'camera-controls/LICENSE': 'camera-controls/LICENSE',
  'lil-gui/dist/lil-gui.esm.min.js': 'lil-gui/lil-gui.js',
  'lil-gui/LICENSE.md': 'lil-gui/LICENSE.md',
  'uplot/dist/uPlot.esm.js': 'uplot/uPlot.js',
  'uplot/dist/uPlot.min.css': 'uplot/uPlot.css',
  'uplot/LICENSE': 'uplot/LICENSE',
  'gifenc/dist/gifenc.esm.js': 'gifenc/gifenc.js',
  'gifenc/LICENSE.md': 'gifenc/LICENSE.md',
  'qrcode-generator/dist/qrcode.mjs': 'qrcode-generator/qrcode.js',
  'fflate/esm/browser.js': 'fflate/fflate.js',
  'fflate/LICENSE': 'fflate/LICENSE',
};

rmSync(join(here, 'vendor'), { recursive: true, force: true });
for (const [from, to] of Object.entries(files)) {
  const target = join(here, 'vendor', to);
  mkdirSync(dirname(target), { recursive: true });
  if (to.endsWith('.js')) writeFileSync(target, shortened(readFileSync(join(here, 'node_modules', from), 'utf8')));
  else cpSync(join(here, 'node_modules', from), target);
}

// The file loaders for a worker, bundled into one module, because import maps do not apply in workers.
const loaders = `
  export { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';
  export { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
  export { PLYLoader } from 'three/examples/jsm/loaders/PLYLoader.js';
  export { Mesh, MeshBasicMaterial } from 'three';`;
buildSync({
  stdin: { contents: loaders, resolveDir: here }, bundle: true, minify: true, format: 'esm', target: 'es2022', legalComments: 'inline', logLevel: 'error',
  outfile: join(here, 'vendor/three/loaders.js'),
});

// Type declarations for the modules that workers import by their paths (read.js of web/viewer/geometry, gif_worker.js of web/viewer/scene).
const types = {
  'gifenc/gifenc.d.ts': `type Palette = number[][];
type Format = 'rgb565' | 'rgb444' | 'rgba4444';
export declare function quantize(rgba: Uint8Array | Uint8ClampedArray, colors: number, options?: { format?: Format }): Palette;
export declare function applyPalette(rgba: Uint8Array | Uint8ClampedArray, palette: Palette, format?: Format): Uint8Array;
export declare function GIFEncoder(): {
  writeFrame(index: Uint8Array, width: number, height: number, options: {
    palette?: Palette, delay?: number, transparent?: boolean, transparentIndex?: number, dispose?: number, repeat?: number,
  }): void;
  finish(): void;
  bytes(): Uint8Array<ArrayBuffer>;
};
`,
  'three/loaders.d.ts': `export { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
export { OBJLoader } from 'three/addons/loaders/OBJLoader.js';
export { PLYLoader } from 'three/addons/loaders/PLYLoader.js';
export { Mesh, MeshBasicMaterial } from 'three';
`,
  'three/addons/libs/meshopt_simplifier.module.d.ts': `type Simplified = [triangles: Uint32Array, error: number];
export declare const MeshoptSimplifier: {
  ready: Promise<void>;
  simplify(triangles: Uint32Array, positions: Float32Array, stride: number, corners: number, error: number, flags?: string[]): Simplified;
  simplifySloppy(triangles: Uint32Array, positions: Float32Array, stride: number, locked: null, corners: number, error: number): Simplified;
};
`,
};
for (const [to, text] of Object.entries(types)) writeFileSync(join(here, 'vendor', to), text);

function shortened(text) {
  return transformSync(text, { minify: true, legalComments: 'inline', target: 'es2022' }).code;
}

// Removes lil-gui's icon font: it is a data: URL, which the server's content security policy blocks. The icons are ordinary
// characters, so installed fonts display them.
const style = readFileSync(join(here, 'node_modules/lil-gui/dist/lil-gui.css'), 'utf8');
writeFileSync(join(here, 'vendor/lil-gui/lil-gui.css'), style.replace(/@font-face\s*\{[^}]*\}/, ''));

console.log(`vendor/: ${Object.keys(files).length + 2} files written`);
