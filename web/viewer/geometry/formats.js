// SPDX-License-Identifier: MIT
// Checks an untrusted geometry file before a loader reads it: its declared lengths must fit the file, and it must not refer
// to other files or URLs. Of a glTF file only the geometry is kept, in one buffer, and nothing is fetched. Pure.
import { FileFault } from './mesh.js';

export const BYTES_MAX = 32 * 1024 * 1024;
const GLB = { magic: 0x46546c67, json: 0x4e4f534a, bin: 0x004e4942 };
/** @type {Record<number, number>} */
const COMPONENT_BYTES = { 5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4 };
/** @type {Record<string, number>} */
const COMPONENTS = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT2: 4, MAT3: 9, MAT4: 16 };
const NODES_MAX = 20000;
const HEADER_MAX = 65536;
/** @type {Record<string, string>} */
const COMPRESSIONS = { KHR_draco_mesh_compression: 'Draco', EXT_meshopt_compression: 'meshopt', KHR_meshopt_compression: 'meshopt' };

/** @typedef {any} Unchecked a part of untrusted JSON: any value, which is checked before use */

/** Rejects a PLY file whose header declares more data than the file can hold. @param {Uint8Array} bytes */
export function checkPly(bytes) {
  const text = new TextDecoder('latin1').decode(bytes.subarray(0, HEADER_MAX));
  const header = /^ply\r?\n?[^]*?end_header(\r\n|\r|\n)/.exec(text)?.[0];
  if (!header) throw new FileFault('The PLY header is missing.');
  const elements = header.split(/(?=^element )/m).slice(1);
  for (const element of elements) {
    const [, name, count] = /^element\s+(\S+)\s+(\S+)/.exec(element) ?? [];
    const properties = element.match(/^property /gm)?.length ?? 0;
    // Each property takes at least a byte; in a text file at least a character and a separator.
    if (!/^\d+$/.test(count ?? '') || properties === 0 || Number(count) * properties > bytes.length) {
      throw new FileFault(`It claims ${count} of ${name}, more than its ${bytes.length.toLocaleString('en')} bytes can hold. The file is damaged or truncated.`);
    }
  }
}

const STL = { header: 84, triangle: 50 }; // bytes before the first triangle of a binary file, and of each

/**
 * The triangles of an STL file, binary or text; they share no corner.
 * @param {Uint8Array} bytes @returns {{positions: Float64Array, triangles: Uint32Array}}
 */
export function trianglesOfStl(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= STL.header ? view.getUint32(STL.header - 4, true) : 0;
  /** @type {number[] | Float64Array} */
  let places;
  if (count > 0 && bytes.length >= STL.header + STL.triangle * count) {
    places = new Float64Array(9 * count);
    for (let i = 0; i < places.length; i++) places[i] = view.getFloat32(STL.header + STL.triangle * Math.floor(i / 9) + 12 + 4 * (i % 9), true);
  } else {
    const text = new TextDecoder('latin1').decode(bytes);
    if (!/^\s*solid/.test(text)) throw new FileFault(`It claims ${count.toLocaleString('en')} triangles, more than its ${bytes.length.toLocaleString('en')} bytes can hold. The file is damaged or truncated.`);
    places = Array.from(text.matchAll(/vertex\s+(\S+)\s+(\S+)\s+(\S+)/g), ([, ...place]) => place.map(Number)).flat();
  }
  return { positions: Float64Array.from(places), triangles: Uint32Array.from({ length: Math.floor(places.length / 9) * 3 }, (_, i) => i) };
}

/**
 * Converts a glTF file to a binary one that has only its geometry.
 * @param {Uint8Array} bytes of a .gltf or .glb
 * @param {(name: string) => Uint8Array|undefined} beside returns a file that was dropped together with the glTF file
 * @returns {ArrayBuffer} a .glb
 */
export function geometryOnly(bytes, beside) {
  const { json, bin } = openGltf(bytes);
  if (json.asset?.version?.split?.('.')[0] !== '2') throw new FileFault('It isn’t a glTF 2.0 file.');
  for (const name of list(json.extensionsRequired)) {
    if (COMPRESSIONS[name]) throw new FileFault(`It is compressed with ${COMPRESSIONS[name]}. Save it without compression.`);
  }
  checkNodes(list(json.nodes));
  const buffers = list(json.buffers).map((buffer, index) => bufferBytes(buffer, index, bin, beside));
  const { views, binary } = joinBuffers(list(json.bufferViews), buffers);
  const accessors = list(json.accessors);
  accessors.forEach((accessor, index) => checkAccessor(accessor, index, views));
  return closeGltf({
    asset: { version: '2.0' },
    ...(Number.isInteger(json.scene) && { scene: json.scene }),
    scenes: list(json.scenes).map(({ nodes }) => ({ nodes: list(nodes) })),
    nodes: list(json.nodes).map(geometryOfNode),
    meshes: list(json.meshes).map(({ primitives }) => ({ primitives: list(primitives).map((primitive) => geometryOfPrimitive(primitive, accessors)) })),
    accessors: accessors.map(geometryOfAccessor), bufferViews: views, buffers: [{ byteLength: binary.length }],
    ...(list(json.extensionsUsed).includes('KHR_mesh_quantization') && { extensionsUsed: ['KHR_mesh_quantization'] }),
  }, binary);
}

/** @param {unknown} value @returns {Unchecked[]} */
const list = (value) => (Array.isArray(value) ? value : []);

/** @param {Uint8Array} bytes */
function openGltf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0, true) !== GLB.magic) return { json: parsed(bytes), bin: null };
  const told = view.getUint32(8, true);
  if (told > bytes.length) throw new FileFault(`It is truncated: its header says ${told} bytes, but it has ${bytes.length}.`);
  let json = null;
  let bin = null;
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    if (at + 8 + size > bytes.length) throw new FileFault('It is truncated within a chunk.');
    const part = bytes.subarray(at + 8, at + 8 + size);
    if (type === GLB.json) json ??= parsed(part);
    else if (type === GLB.bin) bin ??= part;
    at += 8 + size;
  }
  if (!json) throw new FileFault('Its JSON chunk is missing.');
  return { json, bin };
}

/** @param {Uint8Array} bytes @returns {Unchecked} */
function parsed(bytes) {
  try {
    const json = JSON.parse(new TextDecoder().decode(bytes));
    if (json && typeof json === 'object') return json;
  } catch { /* said below */ }
  throw new FileFault('Its JSON is not valid glTF.');
}

/**
 * @param {Unchecked} buffer @param {number} index @param {Uint8Array | null} bin @param {(name: string) => Uint8Array | undefined} beside
 */
function bufferBytes({ uri, byteLength }, index, bin, beside) {
  let bytes;
  if (uri === undefined) bytes = bin;
  else if (typeof uri === 'string' && uri.startsWith('data:')) bytes = fromBase64(uri);
  else if (typeof uri === 'string' && !/^[a-z][a-z0-9+.-]*:|^\/\//i.test(uri)) bytes = beside(decodeName(uri));
  else throw new FileFault(`It wants to fetch “${String(uri).slice(0, 80)}” from another address, which is not allowed. Save it as one .glb file.`);
  if (!bytes && uri) throw new FileFault(`Its geometry is in “${uri.slice(0, 80)}”. Drop that file together with it, or save it as one .glb file.`);
  if (!bytes) throw new FileFault('Its geometry is missing.');
  if (!(byteLength <= bytes.length)) throw new FileFault(`Its buffer ${index} should have ${byteLength} bytes, but has ${bytes.length}: the file is truncated.`);
  return bytes;
}

/** @param {string} uri @returns {string} */
function decodeName(uri) {
  try {
    return decodeURIComponent(uri).split(/[\\/]/).at(-1) ?? '';
  } catch {
    return uri;
  }
}

/** @param {string} uri @returns {Uint8Array} */
function fromBase64(uri) {
  try {
    return Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));
  } catch {
    throw new FileFault('It contains invalid base64 data.');
  }
}

/** Concatenates buffers, each aligned to a multiple of 4. @param {Unchecked[]} views @param {Uint8Array[]} buffers */
function joinBuffers(views, buffers) {
  /** @type {number[]} */
  const starts = [];
  let length = 0;
  for (const bytes of buffers) {
    starts.push(length);
    length += Math.ceil(bytes.length / 4) * 4;
  }
  if (length > 2 * BYTES_MAX) throw new FileFault('It contains too much data.');
  const binary = new Uint8Array(length);
  buffers.forEach((bytes, index) => binary.set(bytes, starts[index]));
  return {
    binary,
    views: views.map(({ buffer, byteOffset = 0, byteLength, byteStride }, index) => {
      const within = byteOffset >= 0 && byteLength >= 0 && byteOffset + byteLength <= buffers[buffer]?.length;
      if (!within) throw new FileFault(`Buffer view ${index} lies outside its buffer: the file is damaged.`);
      return { buffer: 0, byteOffset: starts[buffer] + byteOffset, byteLength, ...(byteStride !== undefined && { byteStride }) };
    }),
  };
}

/** @param {Unchecked} accessor @param {number} index @param {Unchecked[]} views */
function checkAccessor({ bufferView, componentType, count, type, byteOffset = 0, sparse }, index, views) {
  const size = COMPONENT_BYTES[componentType] * COMPONENTS[type];
  const view = views[bufferView];
  const stride = view?.byteStride ?? size;
  const fits = Number.isInteger(count) && count > 0 && view && byteOffset >= 0 && stride >= size && stride <= 252 &&
    byteOffset + (count - 1) * stride + size <= view.byteLength;
  if (!fits) throw new FileFault(`Accessor ${index} lists ${count} entries, which are missing: the file is damaged or truncated.`);
  if (sparse) throw new FileFault('It uses sparse accessors, which are not supported. Save it without them.');
}

/** @param {Unchecked[]} nodes */
function checkNodes(nodes) {
  if (nodes.length > NODES_MAX) {
    throw new FileFault(`It has ${nodes.length.toLocaleString('en')} nodes; the limit is ${NODES_MAX.toLocaleString('en')}.`);
  }
  const parent = new Map();
  nodes.forEach((node, index) => {
    for (const child of list(node?.children)) {
      if (!(child in nodes) || parent.has(child)) throw new FileFault('Its nodes do not form a tree: the file is damaged.');
      parent.set(child, index);
    }
  });
  for (let index = 0; index < nodes.length; index++) {
    let depth = 0;
    for (let at = index; parent.has(at); at = parent.get(at)) if (++depth > 256) throw new FileFault('Its nodes are nested too deeply or in a cycle.');
  }
}

/** @param {Unchecked} node */
function geometryOfNode(node) {
  /** @type {Record<string, unknown>} */
  const kept = {};
  for (const name of ['children', 'mesh', 'matrix', 'translation', 'rotation', 'scale']) if (node?.[name] !== undefined) kept[name] = node[name];
  return kept;
}

/** @param {Unchecked} primitive @param {Unchecked[]} accessors */
function geometryOfPrimitive(primitive, accessors) {
  const { attributes, indices, mode } = primitive ?? {};
  const position = attributes?.POSITION;
  const sound = accessors[position]?.type === 'VEC3' && (indices === undefined || accessors[indices]);
  if (!sound) throw new FileFault('A mesh in it has no positions: the file is damaged.');
  return { attributes: { POSITION: position }, ...(indices !== undefined && { indices }), ...(mode !== undefined && { mode }) };
}

/** Sets placeholder bounds: loaders require them, but the page does not use them. @param {Unchecked} accessor */
function geometryOfAccessor({ bufferView, byteOffset, componentType, normalized, count, type }) {
  return {
    bufferView, componentType, count, type, ...(byteOffset && { byteOffset }), ...(normalized === true && { normalized }),
    ...(type === 'VEC3' && { min: [0, 0, 0], max: [0, 0, 0] }),
  };
}

/** @param {object} json @param {Uint8Array} binary */
function closeGltf(json, binary) {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const textBytes = Math.ceil(text.length / 4) * 4;
  const bytes = new Uint8Array(28 + textBytes + binary.length).fill(0x20, 20, 20 + textBytes);
  const view = new DataView(bytes.buffer);
  [GLB.magic, 2, bytes.length, textBytes, GLB.json].forEach((word, i) => view.setUint32(4 * i, word, true));
  bytes.set(text, 20);
  view.setUint32(20 + textBytes, binary.length, true);
  view.setUint32(24 + textBytes, GLB.bin, true);
  bytes.set(binary, 28 + textBytes);
  return bytes.buffer;
}
