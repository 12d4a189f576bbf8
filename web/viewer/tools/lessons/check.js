// SPDX-License-Identifier: MIT
// Whether the check of a step holds, by what the server tells everyone (methods that read) and by what the learner has done with the
// page since the step began. Pure: watch.js gathers the facts.
/** @import { Check } from './format.js' */

/**
 * @typedef {{method: string, params: any, answer: any, from?: number[]}} Deed a command of the learner, as in the page's journal;
 *   `from`: where a hand took hold
 */
/**
 * @typedef {object} Facts
 * @property {(check: Check) => unknown} now the reply to the check's method, undefined if there is none
 * @property {(check: Check) => unknown} before the reply to it when the step began
 * @property {Deed[]} deeds since the step began @property {(name: string) => number | undefined} idOf the id of an object with this name
 * @property {string[]} panels that are open @property {string[]} overlays that are shown
 */

/** All checks that read, within a check. @param {Check} check @returns {Check[]} */
export function readsOf(check) {
  if (check.read !== undefined) return [check];
  return (check.all ?? check.any ?? []).flatMap(readsOf);
}

/** The value at a place such as "/gravity/1"; undefined if there is none. @param {unknown} value @param {string} place */
export function valueAt(value, place) {
  let at = /** @type {any} */ (value);
  for (const name of place.split('/').slice(1)) at = at !== null && typeof at === 'object' && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
}

/** Whether a value has all that another one has. @param {unknown} value @param {unknown} wanted @returns {boolean} */
function includes(value, wanted) {
  if (wanted === null || typeof wanted !== 'object' || Array.isArray(wanted)) return JSON.stringify(value) === JSON.stringify(wanted);
  return value !== null && typeof value === 'object' && Object.entries(wanted).every(([name, each]) => includes(/** @type {any} */ (value)[name], each));
}

/** @param {Check} check @param {Facts} facts */
function reads(check, { now, before }) {
  const { member = '', least = -Infinity, most = Infinity, equals, rises, falls } = check;
  const value = valueAt(now(check), member);
  if (value === undefined || (equals !== undefined && value !== equals)) return false;
  if (check.least !== undefined || check.most !== undefined) if (typeof value !== 'number' || value < least || value > most) return false;
  if (rises === undefined && falls === undefined) return true;
  const change = Number(value) - Number(valueAt(before(check), member));
  return rises !== undefined ? change >= rises : change <= -Number(falls);
}

/** The distances that hands went, each with the object and whether it was let go. @param {Deed[]} deeds */
function dragsOf(deeds) {
  /** @type {Map<number, {object: number, from: number[] | null, distance: number, released: boolean}>} */
  const drags = new Map();
  for (const { method, params, answer, from = null } of deeds) {
    if (method === 'grab.start') drags.set(answer.grab, { object: params.object, from, distance: 0, released: false });
    const drag = drags.get(params.grab);
    if (!drag) continue;
    if (method === 'grab.end') drag.released = true;
    if (method !== 'grab.move') continue;
    drag.from ??= params.position;
    const [x, y, z] = /** @type {number[]} */ (drag.from);
    drag.distance = Math.max(drag.distance, Math.hypot(params.position[0] - x, params.position[1] - y, params.position[2] - z));
  }
  return [...drags.values()];
}

/** @param {Check} check @param {Facts} facts */
function dragged({ drag = 0, object, released }, { deeds, idOf }) {
  const id = object === undefined ? undefined : idOf(object);
  if (object !== undefined && id === undefined) return false;
  return dragsOf(deeds).some((one) => one.distance >= drag && (id === undefined || one.object === id) && (!released || one.released));
}

/** @param {Check} check @param {Facts} facts @returns {boolean} */
export function holds(check, facts) {
  if (check.all) return check.all.every((each) => holds(each, facts));
  if (check.any) return check.any.some((each) => holds(each, facts));
  if (check.read !== undefined) return reads(check, facts);
  if (check.drag !== undefined) return dragged(check, facts);
  if (check.panel !== undefined) return facts.panels.includes(check.panel);
  if (check.overlay !== undefined) return facts.overlays.includes(check.overlay);
  return facts.deeds.filter(({ method, params }) => method === check.did && includes(params, check.params ?? {})).length >= (check.times ?? 1);
}
