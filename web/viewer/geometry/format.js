// SPDX-License-Identifier: MIT
// Which files hold geometry, by their names: all that the page knows of them until one comes.

/** @param {string} name of a file @returns {'obj'|'ply'|'gltf'|'glb'|null} */
export function formatOf(name) {
  const ending = name.toLowerCase().match(/\.(obj|ply|gltf|glb)$/);
  return ending && /** @type {'obj' | 'ply' | 'gltf' | 'glb'} */ (ending[1]);
}
