// SPDX-License-Identifier: MIT
// Probes: measure position, velocity, acceleration, force, period and energy of particles and objects, with a plot. Loaded, with
// uPlot, when first opened.

const ICON = '<path d="M3 10h3.500M13.500 10H17M10 3v3.500M10 13.500V17"/><circle cx="10" cy="10" r="3.500"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  if (page.embed) return;
  /** @type {import('./dock.js').ProbeDock | null} */
  let dock = null;
  const load = async () => {
    const { ProbeDock } = await import('./dock.js');
    dock ??= new ProbeDock(page);
    return dock;
  };
  page.docks.add({ id: 'probe', title: 'Probe', icon: ICON, place: 'bottom', order: 62, keys: ['m'], load });
  const withDock = (/** @type {(dock: import('./dock.js').ProbeDock) => unknown} */ run) => () => page.docks.open('probe').then(() => dock && run(dock));
  /** @param {string} id @param {string} title @param {(dock: import('./dock.js').ProbeDock) => unknown} run @param {() => boolean} [enabled] */
  const add = (id, title, run, enabled) => page.actions.add({ id: `probe.${id}`, title, group: 'Probe', run: withDock(run), enabled });
  add('add', 'Probe: add probes to the selection', (shown) => shown.addSelected(), () => page.selection.size > 0);
  add('pick', 'Probe: pick particles in the scene', (shown) => shown.picker.toggle());
  add('baseline', 'Probe: set energy baseline', (shown) => shown.setBaseline());
  add('copy', 'Probe: copy as CSV', (shown) => shown.copy());
}
