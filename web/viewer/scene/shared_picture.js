// SPDX-License-Identifier: MIT
// One small renderer for many worlds: each has its views, of which only those of the world that is drawn are visible. What was
// drawn is copied to a canvas of that world.
import { Group } from 'three';
import { Stage } from './stage.js';
import { WorldView } from './world.js';

/** The views of one world. */
class SharedView {
  #group = new Group();

  #stage;

  /** @param {Stage} stage */
  constructor(stage) {
    this.#stage = stage;
    this.#group.visible = false;
    stage.scene.add(this.#group);
    this.world = new WorldView(/** @type {import('three').Scene} */ (/** @type {unknown} */ (this.#group)), stage.theme);
  }

  /** Draws the world as it was updated last. @param {import('three').Box3} box what is framed @param {HTMLCanvasElement} canvas */
  draw(box, canvas) {
    this.#group.visible = true;
    this.#stage.rig.frame(box, false);
    this.#stage.light(this.world.contentBox(), this.world.floorHeight());
    this.world.field.render(this.#stage.renderer); // which three.js would do for the world's own scene
    this.#stage.renderOnce();
    this.#group.visible = false;
    canvas.getContext('2d')?.drawImage(this.#stage.canvas, 0, 0, canvas.width, canvas.height);
  }

  dispose() {
    this.world.dispose(this.#stage.renderer);
    this.#group.removeFromParent();
  }
}

export class SharedPicture {
  /** @type {Set<SharedView>} */
  #views = new Set();

  /** @param {HTMLElement} element of the size that pictures are drawn in @param {'dark' | 'light'} theme */
  constructor(element, theme) {
    this.stage = new Stage(element, theme, { quality: 'draft', level: 0 });
  }

  add() {
    const view = new SharedView(this.stage);
    this.#views.add(view);
    return view;
  }

  /** @param {SharedView} view */
  remove(view) {
    this.#views.delete(view);
    view.dispose();
  }

  /** @param {'dark' | 'light'} theme */
  setTheme(theme) {
    this.stage.setTheme(theme);
    for (const { world } of this.#views) world.setTheme(this.stage.theme);
  }

  dispose() {
    for (const view of this.#views) view.dispose();
    this.stage.dispose();
  }
}
