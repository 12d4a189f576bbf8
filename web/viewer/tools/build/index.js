// SPDX-License-Identifier: MIT
// Building: a palette of objects to drag into the scene, files dropped on the page, and saving the scene. The dock and its
// modules are loaded when the dock is first opened.
import { h } from '../../ui/dom.js';
import { formatOf } from '../../geometry/format.js';
import { JOINTS, KINDS } from './kinds.js';
/** @import { Page } from '../../page/page.js' */

const HAMMER = '<path d="M4 16l7-7M9 5l6 6 2-2-3-5c-2-1.4-4-1-5 1zM3 14.5l2.5 2.5"/>';

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  /** @type {import('./dock.js').Builder | null} */
  let built = null;
  const load = async () => {
    const { Builder } = await import('./dock.js');
    built ??= new Builder();
    return built;
  };
  page.docks.add({ id: 'build', title: 'Build', icon: HAMMER, place: 'left', order: 20, load, keys: ['b'] });
  for (const kind of KINDS) {
    page.actions.add({
      id: `build.${kind.id}`, title: `Place ${kind.title.toLowerCase()}`, group: 'Build', enabled: () => page.editable,
      run: () => page.docks.open('build').then(() => built?.place(kind)),
    });
  }
  for (const [kind, [title]] of Object.entries(JOINTS)) {
    page.actions.add({
      id: `build.joint.${kind}`, title: `Add ${title.toLowerCase()} by dragging`, group: 'Build', enabled: () => page.editable,
      run: () => page.docks.open('build').then(() => built?.join(/** @type {import('./joint_tool.js').JointKind} */ (kind))),
    });
  }
  page.actions.add({
    id: 'build.file', title: 'Import a file…', group: 'Build', enabled: () => page.editable,
    run: () => page.docks.open('build').then(() => built?.chooseFile()),
  });
  page.actions.add({
    id: 'build.save', title: 'Save scene…', group: 'Build', enabled: () => page.editable,
    run: () => page.docks.open('build').then(() => built?.focusSave()),
  });
  takeDrops(page, async (files) => {
    await page.docks.open('build');
    built?.takeFiles(files);
  });
}

const OTHERS = /\.(capsule|json)$/i; // files that the timeline and the lessons handle

/**
 * Handles geometry files that are dropped anywhere on the page. A dropped file must never replace the page.
 * @param {Page} page @param {(files: File[]) => void} take
 */
function takeDrops(page, take) {
  const sheet = h('p', { id: 'drop-sheet', hidden: true, 'aria-hidden': 'true' }, 'Drop the file to import it');
  document.body.append(sheet);
  /** @param {DragEvent} event */
  const carriesFiles = (event) => event.dataTransfer?.types.includes('Files') ?? false;
  window.addEventListener('dragover', (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    sheet.hidden = false;
  });
  window.addEventListener('dragleave', (event) => { if (!event.relatedTarget) sheet.hidden = true; });
  window.addEventListener('drop', (event) => {
    if (!carriesFiles(event)) return;
    sheet.hidden = true;
    event.preventDefault();
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length === 0 || files.some(({ name }) => OTHERS.test(name))) return;
    if (!files.some(({ name }) => formatOf(name))) {
      page.toasts.show(`“${files[0].name}” isn’t an OBJ, PLY, STL, glTF, GLB or capsule file.`);
      return;
    }
    if (page.editable) take(files);
    else page.toasts.show('View only. Ask the owner for an edit link.');
  });
}
