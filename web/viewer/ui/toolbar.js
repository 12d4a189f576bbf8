// SPDX-License-Identifier: MIT
// The buttons below the picture and their keys, and the requests that they send.
import { sceneOptions } from './chapters.js';
import { one } from './dom.js';
import { Menu } from './menu.js';
/** @import { Quaternion, Vector } from '../../client/topology.js' */

/** Connects the toolbar of index.html and its keys. */
export class Toolbar {
  /**
   * @param {Document} page
   * @param {object} options
   * @param {import('../page/page.js').Page['call']} options.call
   * @param {() => {target: number[], floor: number, bounds: import('../../client/topology.js').Bounds|null}} options.place the place for new objects
   * @param {() => void} options.frame frames the whole scene
   * @param {import('./actions.js').Actions} options.actions the table of actions for its keys
   */
  constructor(page, { call, place, frame, actions }) {
    this.page = page;
    this.call = call;
    this.place = place;
    this.frame = frame;
    /** @type {string | null} name of the scene that was loaded last */
    this.scene = null;
    /** @type {import('../../client/protocol.js').Replay | undefined} */
    this.replay = undefined;
    this.running = true;
    this.usable = false;
    /** @param {string} id @param {() => unknown} action */
    const click = (id, action) => one(page, `#${id}`).addEventListener('click', action);
    this.menu = new Menu(one(page, '#add', HTMLButtonElement), one(page, '#add-menu'));
    click('add-cloth', () => this.call('cloth.spawn', this.cloth()));
    click('add-tearing-cloth', () => this.call('cloth.spawn', this.tearingCloth()));
    click('add-rope', () => this.call('rope.spawn', this.rope()));
    click('add-plant', () => this.call('plant.spawn', this.plant()));
    click('add-tetrahedron', () => this.call('body.spawn', this.tetrahedron()));
    click('add-box', () => this.call('body.spawn', this.box()));
    click('add-ragdoll', () => this.call('ragdoll.spawn', this.ragdoll()));
    click('pause', () => this.togglePause());
    click('step', () => this.step());
    click('reset', () => this.call('world.reset'));
    click('frame', () => this.frame());
    this.select = one(page, '#scene', HTMLSelectElement);
    this.select.addEventListener('change', async () => {
      if (!await this.call('scene.load', { name: this.select.value })) this.setScene(this.scene); // the request was refused, so the previous scene is still loaded
    });
    this.addActions(actions);
  }

  /**
   * @param {boolean} clock whether the world's clock runs
   * @param {import('../../client/protocol.js').Replay} [replay] the present replay, as in world.get
   */
  setRunning(clock, replay) {
    const running = clock || Boolean(replay?.playing);
    this.running = running;
    this.replay = replay;
    const button = one(this.page, '#pause');
    button.toggleAttribute('data-paused', !running);
    button.setAttribute('aria-label', running ? 'Pause' : 'Resume');
    one(button, 'span').textContent = running ? 'Pause' : 'Resume';
  }

  /** @param {import('./chapters.js').Scene[]} scenes @param {string|null} current */
  setScenes(scenes, current) {
    this.select.replaceChildren(...sceneOptions(scenes));
    this.setScene(current);
  }

  /** @param {string|null} name name of the scene that was loaded last */
  setScene(name) {
    this.scene = name;
    this.select.value = name ?? '';
  }

  /** @param {boolean} usable false without a connection */
  setUsable(usable) {
    this.usable = usable;
    for (const control of this.page.querySelectorAll('#toolbar button:not(#frame), #toolbar select')) {
      /** @type {HTMLButtonElement | HTMLSelectElement} */ (control).disabled = !usable;
    }
  }

  togglePause() {
    return this.call(this.running ? 'world.pause' : 'world.resume');
  }

  // Stepping a running world pauses it first, as the user expects. During a replay, the step moves within the past, up to the
  // present.
  async step() {
    const paused = this.running ? await this.call('world.pause') : null;
    if (!this.replay) return this.call('world.step', { ticks: 1 });
    const { timeline, present } = this.replay;
    const tick = paused?.tick ?? this.replay.tick;
    if (tick < present) return this.call('world.replay', { from: tick + 1, speed: 0, timeline });
    await this.call('world.seek');
    return this.call('world.step', { ticks: 1 });
  }

  /** @param {import('./actions.js').Actions} actions */
  addActions(actions) {
    const enabled = () => this.usable;
    /** @param {string} id @param {string} title @param {string} group @param {string} key @param {() => unknown} run */
    const add = (id, title, group, key, run) => actions.add({ id, title, group, keys: [key], run, enabled });
    add('pause', 'Pause or resume', 'Time', 'space', () => this.togglePause());
    add('step', 'Step one tick', 'Time', 's', () => this.step());
    add('reset', 'Restart scene', 'Time', 'r', () => this.call('world.reset'));
    actions.add({ id: 'frame', title: 'Frame all', group: 'View', keys: ['f'], run: () => this.frame() });
  }

  /** @returns {import('../../client/protocol.js').ClothSpawnParams} */
  cloth() {
    const position = this.dropPoint(0.9);
    return { columns: 26, rows: 26, spacing: 0.045, pin: 'none', position, rotation: lying(Math.random() * 2 * Math.PI) };
  }

  /** The cloth hangs by its corners, because only a held cloth can be torn. @returns {import('../../client/protocol.js').ClothSpawnParams} */
  tearingCloth() {
    const turn = 2 * Math.PI * Math.random();
    return { ...this.cloth(), tear: 1.6, pin: 'topCorners', rotation: [0, Math.sin(turn / 2), 0, Math.cos(turn / 2)] };
  }

  /** @returns {import('../../client/protocol.js').RopeSpawnParams} */
  rope() {
    const [x, y, z] = this.dropPoint(0.7);
    const turn = Math.random() * 2 * Math.PI;
    const along = [0.6 * Math.cos(turn), 0.25, 0.6 * Math.sin(turn)];
    return { from: [x - along[0], y - along[1], z - along[2]], to: [x + along[0], y + along[1], z + along[2]], particles: 28, pin: 'none' };
  }

  /** @returns {import('../../client/protocol.js').PlantSpawnParams} */
  plant() {
    const [x, , z] = this.dropPoint(0.4);
    return { position: [x, this.place().floor, z], height: 0.8 + 0.5 * Math.random() };
  }

  /** @returns {import('../../client/protocol.js').BodySpawnParams} */
  tetrahedron() {
    return { shape: 'tetrahedron', size: 0.35 + 0.2 * Math.random(), ...this.tumbling() };
  }

  /** @returns {import('../../client/protocol.js').BodySpawnParams} */
  box() {
    const extent = () => 0.2 + 0.3 * Math.random();
    return { shape: 'box', size: [extent(), extent(), extent()], ...this.tumbling() };
  }

  /** @returns {import('../../client/protocol.js').RagdollSpawnParams} */
  ragdoll() {
    return { height: 1.2, position: this.dropPoint(0.7), rotation: turned() };
  }

  /** @returns {Pick<import('../../client/protocol.js').BodySpawnParams, 'position' | 'rotation' | 'angularVelocity'>} */
  tumbling() {
    const spin = () => 6 * (Math.random() - 0.5);
    return { position: this.dropPoint(0.4), rotation: turned(), angularVelocity: [spin(), spin(), spin()] };
  }

  /**
   * The place for a new object: above the camera's target, with a small random offset, over the floor and within the walls.
   * @param {number} reach
   * @returns {Vector}
   */
  dropPoint(reach) {
    const { target, floor, bounds } = this.place();
    const near = () => 0.9 * (Math.random() - 0.5);
    /** @type {Vector} */
    const point = [target[0] + near(), Math.max(target[1] + 0.8, floor + 1.4) + 0.3 * Math.random(), target[2] + near()];
    if (!bounds) return point;
    return /** @type {Vector} */ (point.map((value, axis) => {
      const margin = Math.min(reach, (bounds.max[axis] - bounds.min[axis]) / 2);
      return Math.min(bounds.max[axis] - margin, Math.max(bounds.min[axis] + margin, value));
    }));
  }
}

/** A random rotation; the schema accepts any quaternion but zero, and normalizes it. @returns {Quaternion} */
function turned() {
  return [Math.random() - 0.5, Math.random() - 0.5, Math.random() - 0.5, Math.random() + 0.1];
}

/** Lays a cloth's plane almost flat, rotated by `turn` about the vertical axis. @param {number} turn @returns {Quaternion} */
function lying(turn) {
  const tilt = -Math.PI / 2 + 0.25;
  const [c, s] = [Math.cos(turn / 2), Math.sin(turn / 2)];
  const [ct, st] = [Math.cos(tilt / 2), Math.sin(tilt / 2)];
  return [c * st, s * ct, -s * st, c * ct];
}
