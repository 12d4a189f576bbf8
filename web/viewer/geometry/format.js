// SPDX-License-Identifier: MIT
// Recognizes files with geometry by their names. This small module lets the page load the rest only when such a file arrives.

/** @param {string} name of a file @returns {'obj'|'ply'|'stl'|'gltf'|'glb'|null} */
export function formatOf(name) {
  const ending = name.toLowerCase().match(/\.(obj|ply|stl|gltf|glb)$/);
  return ending && /** @type {'obj' | 'ply' | 'stl' | 'gltf' | 'glb'} */ (ending[1]);
}
