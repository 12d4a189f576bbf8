// SPDX-License-Identifier: MIT
// Brings the world and the page to where a step begins. A step without a scene goes on in the world of the step before; so whoever
// comes to it from elsewhere gets the scene and the commands of all steps from the last scene on.
import { idsByName } from './watch.js';
/** @import { Command, Lesson } from './format.js' */
/** @import { Page } from '../../page/page.js' */

const SHOWN_MS = 10000; // how long a scene may take until it is drawn, before its view is set

/** The step with the scene that a step is played in; the first one if there is none. @param {Lesson} lesson @param {number} index */
export function beginningOf({ steps }, index) {
  return Math.max(0, steps.findLastIndex(({ scene }, at) => at <= index && scene !== undefined));
}

/**
 * Replaces names of objects by their ids: of members `object`, except for "$0", "$1" …
 * @param {any} value @param {Map<string, number>} ids @returns {any}
 */
function withIds(value, ids) {
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => {
    if (name !== 'object' || typeof each !== 'string' || each.startsWith('$')) return [name, withIds(each, ids)];
    if (!ids.has(each)) throw new Error(`This step needs an object named “${each}”, which is not in the world.`);
    return [name, ids.get(each)];
  }));
}

/** @param {Page} page @param {Command[]} commands */
async function run(page, commands) {
  try {
    const ids = await idsByName(page);
    return Boolean(await page.call('batch.run', { commands: withIds(commands, ids) }));
  } catch (error) {
    page.refuse(/** @type {Error} */ (error));
    return false;
  }
}

/** @param {Page} page @param {boolean} paused */
async function setClock(page, paused) {
  const { running } = await page.ask('world.get');
  return running !== paused || Boolean(await page.call(paused ? 'world.pause' : 'world.resume'));
}

/** Moves the camera once the page shows what the server has now. @param {Page} page @param {number[]} view */
async function look(page, view) {
  const { epoch } = await page.ask('world.get');
  const end = performance.now() + SHOWN_MS;
  let pictures = 0; // since the epoch is shown: the scene is framed with the first one
  const off = page.on('picture', ({ now }) => {
    if (page.world.topology?.epoch === epoch) pictures++;
    if (pictures < 2 && now < end) return;
    off();
    if (pictures === 2) page.stage.rig.write(view, true);
  });
}

/**
 * @param {Page} page @param {Lesson} lesson @param {number} index of the step
 * @param {boolean} goesOn whether the world is that of the step before
 * @returns {Promise<boolean>} whether the world is ready for the step; if not, the user has been told or has cancelled
 */
export async function setUpWorld(page, { steps, ...lesson }, index, goesOn) {
  const from = goesOn ? index : beginningOf({ steps, ...lesson }, index);
  for (const { scene, commands } of steps.slice(from, index + 1)) {
    if (scene !== undefined && !await page.call('scene.load', { name: scene })) return false;
    if (commands && !await run(page, commands)) return false;
  }
  if (!await setClock(page, steps[index].paused ?? false)) return false;
  const view = steps.slice(from, index + 1).findLast((step) => step.view)?.view;
  if (view) await look(page, [...view.eye, ...view.target]);
  return true;
}

/** Shows the overlays and the panels of a step, or of the last step before it that says something of them. @param {Page} page @param {Lesson} lesson @param {number} index */
export async function setUpPanels(page, { steps }, index) {
  const said = steps.slice(0, index + 1);
  const xray = said.findLast((step) => step.xray !== undefined)?.xray;
  const panels = said.findLast((step) => step.panels !== undefined)?.panels ?? [];
  if (xray) page.address.set('xray', xray.join(',') || null);
  for (const id of new Set(steps.flatMap((step) => step.panels ?? []))) if (!panels.includes(id)) page.docks.close(id);
  const shown = page.docks.isOpen('lessons');
  for (const id of panels) if (!page.docks.isOpen(id)) await page.docks.open(id, false);
  if (shown && !page.docks.isOpen('lessons')) await page.docks.open('lessons', false); // on a small screen there is room for one
}
