// SPDX-License-Identifier: MIT
// Files of others: reads the triangles of an OBJ, PLY or glTF by three.js's loaders, which are loaded only when there is something
// to read, and reduces them by meshoptimizer's simplifier. What the loaders get was looked at before (geometry/formats.js); they
// fetch nothing.
import { formatOf } from '../geometry/format.js';
import { BYTES_MAX, checkPly, geometryOnly } from '../geometry/formats.js';
import { cleanMesh, FileFault, simplified } from '../geometry/mesh.js';

const SLACK = 1.3; // of the corners asked for, that a reduction which keeps the surface whole may leave

/**
 * Reads what lies on the page or was chosen: one file, and what it names.
 * @param {File[]} files
 * @returns {Promise<ReturnType<typeof cleanMesh> & {name: string}>} rejects with a FileFault
 */
export async function readFiles(files) {
  const file = files.find(({ name }) => formatOf(name));
  if (!file) throw new FileFault(`“${files[0]?.name ?? 'This'}” is no OBJ, PLY, glTF or GLB file.`);
  try {
    const size = files.reduce((sum, { size: bytes }) => sum + bytes, 0);
    if (size > BYTES_MAX) throw new FileFault(`It has ${Math.round(size / 2 ** 20)} MB; at most ${BYTES_MAX / 2 ** 20} MB can be taken.`);
    if (size === 0) throw new FileFault('It is empty.');
    const contents = new Map(await Promise.all(files.map(async (each) => [each.name, new Uint8Array(await each.arrayBuffer())])));
    return { name: file.name, ...cleanMesh(trianglesOf(await READERS[formatOf(file.name)](contents.get(file.name), contents))) };
  } catch (error) {
    const why = error instanceof FileFault ? error.message : `It cannot be read, it is broken or cut off: ${error.message}`;
    throw new FileFault(`“${file.name}”: ${why}`);
  }
}

const readGltf = async (bytes, contents) => {
  const binary = geometryOnly(bytes, (name) => contents.get(name));
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  return (await new GLTFLoader().parseAsync(binary, '')).scene;
};

const READERS = {
  gltf: readGltf,
  glb: readGltf,
  async obj(bytes) {
    const { OBJLoader } = await import('three/addons/loaders/OBJLoader.js');
    return new OBJLoader().parse(new TextDecoder().decode(bytes));
  },
  async ply(bytes) {
    checkPly(bytes);
    const [{ PLYLoader }, { Mesh, MeshBasicMaterial }] = await Promise.all([import('three/addons/loaders/PLYLoader.js'), import('three')]);
    const geometry = new PLYLoader().parse(bytes.buffer);
    if (!geometry.index) throw new FileFault('It holds no triangles, only points.');
    return new Mesh(geometry, new MeshBasicMaterial());
  },
};

// All triangles of a scene, in the space of the scene.
function trianglesOf(scene) {
  const positions = [];
  const triangles = [];
  scene.updateMatrixWorld(true);
  scene.traverse((node) => {
    const points = node.isMesh && node.geometry.getAttribute('position');
    if (!points) return;
    const first = positions.length / 3;
    const point = node.position.clone();
    for (let i = 0; i < points.count; i++) {
      point.fromBufferAttribute(points, i).applyMatrix4(node.matrixWorld);
      positions.push(point.x, point.y, point.z);
    }
    const { index } = node.geometry;
    const corners = index ? index.count : points.count;
    for (let c = 0; c + 2 < corners; c += 3) {
      for (let k = c; k < c + 3; k++) triangles.push(first + (index ? index.getX(k) : k));
    }
    node.geometry.dispose();
  });
  return { positions, triangles };
}

/** Reduces meshes; made by `loadReducer`, for the code that does it comes as WebAssembly. */
export async function loadReducer() {
  const { MeshoptSimplifier: tool } = await import('three/addons/libs/meshopt_simplifier.module.js');
  await tool.ready;
  const reduce = ({ positions, triangles }, corners) => {
    const [kept] = tool.simplify(triangles, positions, 3, corners, 1, ['Prune']);
    return kept.length <= SLACK * corners ? kept : tool.simplifySloppy(triangles, positions, 3, null, corners, 1)[0];
  };
  return (mesh, most) => simplified(mesh, most, reduce);
}
