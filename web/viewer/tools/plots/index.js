// SPDX-License-Identifier: MIT
// Plots of measurements: energy, momentum, stretch, time per stage of a tick, network traffic. Loaded, with uPlot, when first
// opened.

const ICON = '<path d="M3 3v14h14M5.500 13l3-4 3 2 4.500-6"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  /** @type {import('./dock.js').PlotsDock | null} */
  let dock = null;
  const load = async () => {
    const { PlotsDock } = await import('./dock.js');
    dock ??= new PlotsDock();
    return dock;
  };
  page.docks.add({ id: 'plots', title: 'Plots', icon: ICON, place: 'bottom', order: 60, keys: ['p'], load });
  page.actions.add({
    id: 'plots.export', title: 'Export plots as CSV', group: 'Plots', run: () => page.docks.open('plots').then(() => dock?.exportCsv()),
  });
}
