// SPDX-License-Identifier: MIT
// Exporting the world: as an image, a model, a video or an animated model.

const ARROW = '<path d="M10 3v10M6.5 9.5 10 13l3.5-3.5M3.5 13v3.5h13V13"/>';

const FILES = [
  ['png', 'image (PNG)'], ['glb', 'model (glTF)'], ['obj', 'model (OBJ)'], ['animation', 'animation (glTF)'], ['webm', 'video (WebM)'],
];

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  /** @type {import('./dock.js').ExportDock | null} */
  let dock = null;
  page.docks.add({
    id: 'export', title: 'Export', icon: ARROW, place: 'left', order: 90,
    load: async () => {
      const { ExportDock } = await import('./dock.js');
      dock ??= new ExportDock();
      return dock;
    },
  });
  for (const [id, title] of FILES) {
    page.actions.add({ id: `export.${id}`, title: `Export ${title}`, group: 'Export', run: () => page.docks.open('export').then(() => dock?.run(id)) });
  }
}
