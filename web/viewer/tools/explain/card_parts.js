// SPDX-License-Identifier: MIT
// Experiments, equations and sentences that several cards have.

/** @import { Page } from '../../page/page.js' */

/** @typedef {import('../../../client/protocol.js').WorldSetParams} WorldSetParams */
/** @typedef {[method: any, params: any]} Request params have the type of the method */
/** @typedef {{text: string, label?: string, does?: Request[] | ((page: import('../../page/page.js').Page) => unknown)}} Try */
/** @typedef {{title: string, solved: string[], equations: string[][], where: string[][], tries: Try[]}} Card */

/** @param {WorldSetParams} params @returns {Request[]} */
export const set = (params) => [['world.set', params]];
/** @param {number} x @param {number} y @param {number} z @returns {Request[]} */
export const wind = (x, y, z, gust = 0) => set({ wind: { velocity: [x, y, z], gust } });
/** @type {Try} */
export const AGAIN = { text: 'Restore the initial state.', label: 'Restart scene', does: [['world.reset', {}]] };

/** Unpins the particles of the objects with this name. @param {Page} page @param {string} name */
export async function unpin(page, name) {
  const { objects } = await page.ask('object.list');
  for (const { object } of objects.filter((one) => one.name === name)) {
    const pins = page.world.find(object)?.pins;
    if (pins && pins.size > 0) await page.call('particle.unpin', { object, particles: [...pins] });
  }
}

/** Young's modulus of the soft body with this name. @param {string} name @param {number} young */
export const stiffen = (name, young) => async (/** @type {Page} */ page) => {
  const { objects } = await page.ask('object.list');
  for (const { object } of objects.filter((one) => one.name === name)) await page.call('object.set', { object, young });
};
/** The pressure of all meshes whose names end in this. @param {string} name @param {number} pressure */
export const inflate = (name, pressure) => async (/** @type {Page} */ page) => {
  const { objects } = await page.ask('object.list');
  for (const { object } of objects.filter((one) => one.name.endsWith(name))) await page.call('object.set', { object, pressure });
};

/**
 * Changes all added sticks of a kind, in one batch.
 * @param {Page} page @param {(stick: import('../../../client/protocol.js').StickInfo) => unknown} chosen
 * @param {(stick: import('../../../client/protocol.js').StickInfo) => object} change parameters of stick.set
 */
export async function setSticks(page, chosen, change) {
  const { sticks } = await page.ask('object.list');
  const commands = sticks.filter(chosen).map((stick) => ({ method: 'stick.set', params: { stick: stick.id, ...change(stick) } }));
  if (commands.length > 0) await page.call('batch.run', { commands });
}

export const STICK = [
  '*δ = (_ *x 2) − (_ *x 1) ; s = (/ (group (| *δ) − r) (group (| *δ) ( (_ w 1) + (_ w 2) ) ))',
  'delta is x 2 minus x 1; s is the length of delta minus r, divided by the length of delta times w 1 plus w 2',
];
export const STICK_MOVES = [
  '(_ *x 1) ← (_ *x 1) + (_ w 1) s *δ ; (_ *x 2) ← (_ *x 2) − (_ w 2) s *δ',
  'x 1 is moved by plus w 1 s delta, x 2 by minus w 2 s delta',
];
export const CONTACT = [
  'D = *n · ( *q − *p ) ; λ = (/ 1 (group (sum ∑ i) (_ w i) (_^ c i 2)))',
  'D is n dot q minus p; lambda is one over the sum of w i times c i squared',
];
export const CONTACT_MOVES = ['(_ *x i) ← (_ *x i) + λ (_ w i) (_ c i) D *n', 'if D is positive, x i is moved by lambda w i c i D along n'];
export const MASSES = ['w, w₁, w₂', 'inverse masses; 0 for a pinned particle, which only a command moves'];
