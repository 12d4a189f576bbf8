// SPDX-License-Identifier: MIT
// The panel before a comparison: an explanation, the roles that may begin one, and the button; below it, parameter sweeps
// (sweep_panel.js). There is one comparison at a time; closing it removes its two worlds.
import { h } from '../../ui/dom.js';
import { SweepPanel } from './sweep_panel.js';
/** @import { Page } from '../../page/page.js' */

/** @type {import('./comparison.js').Comparison | null} */
let comparison = null;
let inAddress = false;

/** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
export function build(element, page) {
  /** @type {HTMLButtonElement} */
  const start = h('button', { type: 'button', class: 'plain-button', onclick: () => begin(page, start) }, 'Compare two settings');
  const notice = h('p', { class: 'dock-notice' });
  const sweeps = new SweepPanel(page);
  const tell = () => {
    const allowed = page.role === 'admin' && page.client.state === 'open';
    start.disabled = !allowed;
    sweeps.setAllowed(allowed);
    notice.hidden = allowed;
    notice.textContent = page.client.state !== 'open' ? 'Not connected.' : 'Only owners can start a comparison. Ask one to start it and send you the link.';
  };
  element.append(
    h('p', {}, 'Two copies of this world, A and B, run side by side with the same camera, in step. Give them different settings; what you drag in one is dragged in both. This world continues unchanged. The copies are removed when you leave.'),
    notice, start, sweeps.element);
  page.on('hello', tell);
  page.client.on('state', tell);
  tell();
}

/** @param {Page} page @param {HTMLButtonElement} button */
async function begin(page, button) {
  if (comparison) return;
  button.disabled = true;
  try {
    const [{ Comparison }, { branchTwice }] = await Promise.all([import('./comparison.js'), import('./worlds.js')]);
    const names = await branchTwice(page);
    if (names) await open(page, new Comparison(page, names, true));
  } catch (error) {
    page.refuse(/** @type {Error} */ (error));
  }
  button.disabled = false;
}

/** Opens the comparison that a link names, or reports that it has ended. @param {import('../../page/page.js').Page} page @param {string} link */
export async function join(page, link) {
  const [{ Comparison }, { findBranches }] = await Promise.all([import('./comparison.js'), import('./worlds.js')]);
  const found = await findBranches(page, link);
  if (found) {
    await open(page, new Comparison(page, found.names, found.own));
    return;
  }
  page.toasts.show('The comparison behind this link has ended.');
  showInAddress(page);
}

/** @param {Page} page */
function showInAddress(page) {
  if (!inAddress) page.address.add('compare', { read: () => comparison?.link ?? null, write: (link) => { if (comparison && link !== comparison.link) comparison.leave(); } });
  inAddress = true;
  page.address.changed();
}

/** @param {Page} page @param {import('./comparison.js').Comparison} made */
async function open(page, made) {
  comparison = made;
  made.ended.then(() => {
    comparison = null;
    page.address.changed();
  });
  page.docks.close('compare');
  showInAddress(page); // written before the slow part, so that reloading the page opens the comparison again
  await made.open();
}
