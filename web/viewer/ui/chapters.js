// SPDX-License-Identifier: MIT
// Scenes by chapter, in the order of scene.list. A server may list scenes without chapters; those that were saved have none.
import { h } from './dom.js';

/** @typedef {import('../../client/protocol.js').SceneListResult['scenes'][number]} Scene */

/**
 * Scenes in groups with a title.
 * @param {Scene[]} scenes
 * @returns {{title: string, scenes: Scene[]}[]}
 */
export function chaptersOf(scenes) {
  /** @type {Map<string, Scene[]>} */
  const chapters = new Map();
  for (const scene of scenes) {
    const title = scene.saved ? 'Saved scenes' : scene.chapter ?? 'Other scenes';
    chapters.set(title, [...(chapters.get(title) ?? []), scene]);
  }
  return [...chapters].map(([title, members]) => ({ title, scenes: members }));
}

/** The options of a select element. @param {Scene[]} scenes */
export const sceneOptions = (scenes) => chaptersOf(scenes).map(({ title, scenes: members }) => h('optgroup', { label: title },
  members.map((scene) => h('option', { value: scene.name, title: scene.description }, scene.title || scene.name))));
