// SPDX-License-Identifier: MIT
// The appearance of the picture: theme and quality, in the panel and as actions; and camera control by keys, for users
// without a pointer.
import { CHOICES, settings } from '../settings/settings.js';
/** @import { Page } from '../page/page.js' */

/** @type {Record<string, string>} titles of the choices */
const WORDS = {
  system: 'System', dark: 'Dark', light: 'Light',
  auto: 'Auto', draft: 'Draft', balanced: 'Balanced', fine: 'Fine',
};
const TURN = Math.PI / 24;
const STEP = 0.06; // relative to the picture's height
const NEARER = 0.87;

/** @type {[id: string, title: string, keys: string[], run: (rig: import('../scene/camera.js').CameraRig) => void][]} */
const CAMERA = [
  ['camera.left', 'Orbit left', ['arrowleft'], (rig) => rig.orbit(-TURN, 0)],
  ['camera.right', 'Orbit right', ['arrowright'], (rig) => rig.orbit(TURN, 0)],
  ['camera.up', 'Orbit up', ['arrowup'], (rig) => rig.orbit(0, TURN)],
  ['camera.down', 'Orbit down', ['arrowdown'], (rig) => rig.orbit(0, -TURN)],
  ['camera.moveLeft', 'Pan left', ['shift+arrowleft'], (rig) => rig.pan(-STEP, 0)],
  ['camera.moveRight', 'Pan right', ['shift+arrowright'], (rig) => rig.pan(STEP, 0)],
  ['camera.moveUp', 'Pan up', ['shift+arrowup'], (rig) => rig.pan(0, STEP)],
  ['camera.moveDown', 'Pan down', ['shift+arrowdown'], (rig) => rig.pan(0, -STEP)],
  ['camera.nearer', 'Zoom in', ['+', '='], (rig) => rig.zoom(NEARER)],
  ['camera.farther', 'Zoom out', ['-'], (rig) => rig.zoom(1 / NEARER)],
];

/** @param {import('../page/page.js').Page} page */
export function install(page) {
  addPanel(page.panel.gui);
  for (const [name, group] of /** @type {const} */ ([['theme', 'Theme'], ['quality', 'Quality']])) {
    for (const choice of CHOICES[name]) {
      page.actions.add({ id: `look.${name}.${choice}`, title: `${group}: ${WORDS[choice]}`, group: 'View', run: () => settings.choose(name, choice) });
    }
  }
  for (const [id, title, keys, run] of CAMERA) page.actions.add({ id, title, group: 'Camera', keys, run: () => run(page.stage.rig) });
}

/** @param {Page['panel']['gui']} gui */
function addPanel(gui) {
  const folder = gui.addFolder('Display (only you)');
  const shown = { theme: settings.theme, quality: settings.quality };
  const controllers = /** @type {const} */ (['theme', 'quality']).map((name) => folder
    .add(shown, name, Object.fromEntries(CHOICES[name].map((choice) => [WORDS[choice], choice]))).name(name === 'theme' ? 'Theme' : 'Quality')
    .onChange((/** @type {string} */ choice) => settings.choose(name, choice)));
  // The setting may also be changed elsewhere.
  const show = () => {
    Object.assign(shown, { theme: settings.theme, quality: settings.quality });
    for (const controller of controllers) controller.updateDisplay();
  };
  settings.on('theme', show);
  settings.on('quality', show);
}
