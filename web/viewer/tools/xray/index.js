// SPDX-License-Identifier: MIT
// X-ray: overlays that display the solver's work, each with a legend in numbers. `?xray=stretch,contacts` in the address
// activates them. The modules are loaded when the first overlay is switched on.

/** The available overlays. @type {Record<string, [title: string, what: string]>} */
export const OVERLAYS = {
  stretch: ['Stretch', 'Relative length error of each stick'],
  residual: ['Stick residual', 'Remaining error of each stick after solving, in mm'],
  batches: ['Batches', 'Sticks of one color share no particles and are solved in parallel'],
  added: ['Added sticks', 'Load, ends and muscles of sticks that were added between points'],
  contacts: ['Contacts', 'Contact points and normals'],
  friction: ['Friction', 'Sticking and sliding contacts'],
  self: ['Self-collision', 'Contacts of cloth with cloth'],
  strain: ['Strain', 'Deformation of the tetrahedra of soft bodies'],
  velocity: ['Velocity', 'Displacement in the next 0.1 s'],
  sleep: ['Sleep', 'Objects at rest, which cost nothing'],
};
const ICON = '<path d="M3 6V3h3M14 3h3v3M17 14v3h-3M6 17H3v-3M10 5.500v9M6.500 7.500c2 1.500 5 1.500 7 0M6 10.500c2.500 1.500 5.500 1.500 8 0M7 13.500c2 1 4 1 6 0"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  /** @type {string[]} */
  let wanted = [];
  /** @type {string | null} the fixed ranges of colours */
  let ranges = null;
  /** @type {Promise<import('./xray.js').Xray> | null} */
  let loaded = null;
  const load = () => (loaded ??= import('./xray.js').then(({ Xray }) => {
    const xray = new Xray(page);
    xray.readRanges(ranges);
    xray.on('change', (active) => {
      wanted = active;
      ranges = xray.rangesText;
      page.address.changed();
    });
    return xray;
  }, (error) => {
    loaded = null; // a later attempt may succeed
    throw error;
  }));
  page.docks.add({
    id: 'xray', title: 'X-ray', icon: ICON, place: 'left', order: 50, keys: ['x'],
    load: async () => {
      const [xray, { XrayDock }] = await Promise.all([load(), import('./dock.js')]);
      return new XrayDock(xray);
    },
  });
  for (const [id, [title]] of Object.entries(OVERLAYS)) {
    page.actions.add({ id: `xray.${id}`, title: `Toggle X-ray ${title.toLowerCase()}`, group: 'X-ray', run: () => load().then((xray) => xray.toggle(id)) });
  }
  page.address.add('xrayrange', {
    read: () => ranges,
    write: (value) => {
      ranges = value;
      loaded?.then((xray) => xray.readRanges(value)).catch(page.refuse);
    },
  });
  page.address.add('xray', {
    read: () => wanted.join(',') || null,
    write: (value) => {
      const ids = (value ?? '').split(',').filter((id) => Object.hasOwn(OVERLAYS, id));
      wanted = ids;
      if (ids.length > 0 || loaded) load().then((xray) => xray.set(ids)).catch(page.refuse);
    },
  });
}
