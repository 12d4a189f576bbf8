// SPDX-License-Identifier: MIT
// Reads the triangles of an OBJ, PLY, STL or glTF file with three.js's loaders, and reduces them with meshoptimizer's simplifier.
// formats.js checks each file before a loader gets it, and the loaders fetch nothing. Reading can take seconds, so this
// module runs in a worker (worker.js). Import maps have no effect in workers, so the loaders are bundled.
import { GLTFLoader, Mesh, MeshBasicMaterial, OBJLoader, PLYLoader } from '../../vendor/three/loaders.js';
import { MeshoptSimplifier } from '../../vendor/three/addons/libs/meshopt_simplifier.module.js';
import { formatOf } from './format.js';
import { BYTES_MAX, checkPly, geometryOnly, trianglesOfStl } from './formats.js';
import { cleanMesh, FileFault, simplified } from './mesh.js';

/** @import { BufferAttribute, InterleavedBufferAttribute, Object3D } from 'three' */

const SLACK = 1.3; // factor on the requested number of corners, because a reduction that preserves the topology of the surface may leave more

/**
 * Reads files that were dropped on the page or chosen: one mesh, and the files that the mesh refers to.
 * @param {File[]} files
 * @param {(step: string, share: number) => void} progress called at the beginning of each step with its name and the share of
 *   the work that is done
 * @returns {Promise<ReturnType<typeof cleanMesh> & {name: string}>} rejects with a FileFault
 */
export async function readFiles(files, progress) {
  const file = files.find(({ name }) => formatOf(name));
  if (!file) throw new FileFault(`“${files[0]?.name ?? 'This'}” isn’t an OBJ, PLY, STL, glTF or GLB file.`);
  try {
    const size = files.reduce((sum, { size: bytes }) => sum + bytes, 0);
    if (size > BYTES_MAX) throw new FileFault(`It has ${Math.round(size / 2 ** 20)} MB; at most ${BYTES_MAX / 2 ** 20} MB are allowed.`);
    if (size === 0) throw new FileFault('It is empty.');
    progress('Reading', 0);
    const contents = new Map(await Promise.all(files.map(async (each) => /** @type {const} */ ([each.name, new Uint8Array(await each.arrayBuffer())]))));
    progress('Understanding', 0.05);
    const [format, bytes] = [formatOf(file.name), contents.get(file.name)];
    if (!format || !bytes) throw new FileFault('It isn’t an OBJ, PLY, STL, glTF or GLB file.');
    const scene = format === 'stl' ? null : await READERS[format](bytes, contents);
    progress('Reading triangles', 0.5);
    const raw = scene ? trianglesOf(scene) : trianglesOfStl(bytes);
    progress('Merging vertices', 0.6);
    return { name: file.name, ...cleanMesh(raw) };
  } catch (error) {
    const why = error instanceof FileFault ? error.message : `It can’t be read, because it is damaged or truncated: ${/** @type {Error} */ (error).message}`;
    throw new FileFault(`“${file.name}”: ${why}`);
  }
}

/** @param {Uint8Array} bytes @param {Map<string, Uint8Array>} contents */
const readGltf = async (bytes, contents) => {
  const binary = geometryOnly(bytes, (name) => contents.get(name));
  return (await new GLTFLoader().parseAsync(binary, '')).scene;
};

/** @type {Record<'gltf' | 'glb' | 'obj' | 'ply', (bytes: Uint8Array<ArrayBuffer>, contents: Map<string, Uint8Array>) => Object3D | Promise<Object3D>>} */
const READERS = {
  gltf: readGltf,
  glb: readGltf,
  obj: (bytes) => new OBJLoader().parse(new TextDecoder().decode(bytes)),
  ply(bytes) {
    checkPly(bytes);
    const geometry = new PLYLoader().parse(bytes.buffer);
    if (!geometry.index) throw new FileFault('It contains no triangles, only points.');
    return new Mesh(geometry, new MeshBasicMaterial());
  },
};

/** All triangles of a scene, in the coordinates of the scene. @param {Object3D} scene */
function trianglesOf(scene) {
  /** @type {{node: import('three').Mesh, points: BufferAttribute | InterleavedBufferAttribute, index: BufferAttribute | null, used: number}[]} */
  const parts = [];
  let [vertices, corners] = [0, 0];
  scene.updateMatrixWorld(true);
  scene.traverse((node) => {
    if (!(node instanceof Mesh)) return;
    const points = node.geometry.getAttribute('position');
    if (!points) return;
    const { index } = node.geometry;
    const used = 3 * Math.floor((index ? index.count : points.count) / 3);
    parts.push({ node, points, index, used });
    vertices += points.count;
    corners += used;
  });
  const positions = new Float64Array(3 * vertices);
  const triangles = new Uint32Array(corners);
  let [first, corner] = [0, 0];
  for (const { node, points, index, used } of parts) {
    const point = node.position.clone();
    for (let i = 0; i < points.count; i++) point.fromBufferAttribute(points, i).applyMatrix4(node.matrixWorld).toArray(positions, 3 * (first + i));
    for (let k = 0; k < used; k++) triangles[corner++] = first + (index ? index.getX(k) : k);
    first += points.count;
  }
  return { positions, triangles };
}

/**
 * Loads the simplifier.
 * @returns {Promise<(mesh: import('./mesh.js').Mesh, most: number) => import('./mesh.js').Mesh>} reduces a mesh to at most
 *   `most` corners; throws a FileFault if no triangle would remain
 */
export async function loadReducer() {
  await MeshoptSimplifier.ready; // the simplifier is WebAssembly, which loads asynchronously
  /** @param {import('./mesh.js').Mesh} mesh @param {number} corners */
  const reduce = ({ positions, triangles }, corners) => {
    const [kept] = MeshoptSimplifier.simplify(triangles, positions, 3, corners, 1, ['Prune']);
    return kept.length <= SLACK * corners ? kept : MeshoptSimplifier.simplifySloppy(triangles, positions, 3, null, corners, 1)[0];
  };
  return (mesh, most) => simplified(mesh, most, reduce);
}
