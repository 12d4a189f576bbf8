// SPDX-License-Identifier: MIT
// The A/B comparison: two worlds that branched from one, side by side over the whole page, with synchronized cameras and
// clocks. Both worlds are paused; the page that began the comparison steps both by the same number of ticks, and removes them
// at the end. Pages that open the comparison's link only watch.
import { WeftClient } from '../../../client/client.js';
import { clientAddress } from '../../page/world_address.js';
import { settings } from '../../settings/settings.js';
import { h, icon, one } from '../../ui/dom.js';
import { Half } from './half.js';
import { pairedClient } from './pair.js';
import { Settings } from './settings.js';
import { branchTwice, linkOf, rememberOwn, removeBranches } from './worlds.js';

const SIDES = ['A', 'B'];
const ABOVE = ['toasts', 'overlay', 'login']; // elements that stay above the comparison
const STEP_INTERVAL_MS = 33; // interval between steps of both worlds
const TICKS_MAX = 8; // limit of ticks per step: slower worlds both run slower
const POLL_MS = 500; // interval of requesting results
/** @type {Record<string, [right: number, up: number]>} */
const TURNS = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.12], ArrowDown: [0, -0.12] }; // angles in rad
/** @type {Record<string, number>} */
const ZOOMS = { '+': 0.85, '=': 0.85, '-': 1.18 };
const PLAY = '<path d="M6 4l10 6-10 6z"/>';
const PAUSE = '<path d="M7 4v12M13 4v12"/>';

/** @param {number} ms @returns {Promise<void>} */
const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** @typedef {import('../../page/page.js').WorldState} WorldState */
/** @typedef {import('../../../client/protocol.js').WorldSetParams} WorldSetParams */

/**
 * The grab client of a page that only watches: grabs act in one half only.
 * @param {Half} half @returns {import('../../scene/grab_controls.js').GrabClient}
 */
const alone = ({ client }) => ({ call: client.call.bind(client), notify: client.notify.bind(client) });

/** A comparison, from opening to closing. */
export class Comparison {
  #over = () => {};

  /**
   * @param {import('../../page/page.js').Page} page
   * @param {string[]} names of the worlds A and B
   * @param {boolean} own whether this page steps, sets and removes the worlds
   */
  constructor(page, names, own) {
    this.page = page;
    this.names = names;
    this.own = own;
    this.running = false; // whether both run
    this.leader = 0; // the half whose camera the other follows
    this.left = false;
    this.asking = false; // whether states are being requested
    this.stepping = false; // whether both halves are being stepped in a loop
    /** @type {Half[] | null} null while the comparison is closed */
    this.halves = null;
    /** @type {(() => void) | undefined} */
    this.stopDrawing = undefined;
    /** @type {(() => void) | undefined} */
    this.stopTheme = undefined;
    /** @type {(() => void) | undefined} */
    this.stopQuality = undefined;
    this.ended = /** @type {Promise<void>} */ (new Promise((resolve) => { this.#over = resolve; }));
    this.build();
  }

  /** Its value in the address. */
  get link() {
    return linkOf(this.names);
  }

  build() {
    const { own } = this;
    /** @type {HTMLDivElement[]} */
    this.pictures = SIDES.map((side) => h('div', { class: 'compare-picture', role: 'application', tabindex: 0, 'aria-label': `World ${side}. Drag an object to move it in both worlds, drag the background to orbit; arrow keys orbit both, plus and minus zoom.` }));
    /** @type {HTMLParagraphElement[]} */
    this.captions = SIDES.map((side, at) => h('p', { class: 'compare-caption' }, h('strong', {}, side), h('span', {}, this.names[at])));
    for (const event of ['wheel', 'pointerdown', 'focusin']) {
      this.pictures.forEach((picture, at) => picture.addEventListener(event, () => this.lead(at), { capture: true, passive: true }));
    }
    /** @param {string} text @param {string} shape @param {() => unknown} run */
    const button = (text, shape, run) => h('button', { type: 'button', class: 'plain-button', disabled: !own, onclick: run }, shape ? icon(shape) : null, h('span', {}, text));
    /** @type {HTMLButtonElement} */
    this.play = button('Run both', PLAY, () => this.setRunning(!this.running));
    /** @type {HTMLButtonElement} */
    this.step = button('Step both', '<path d="M5 4l8 6-8 6zM16 4v12"/>', () => this.stepOnce());
    /** @type {HTMLButtonElement} */
    this.again = button('Restart both', '<path d="M4.5 7A6.5 6.5 0 1 1 3.6 11M4 3v4.5h4.5"/>', () => this.restart());
    /** @type {HTMLSpanElement} */
    this.clock = h('span', { class: 'compare-clock' }, 'Tick –');
    /** @type {HTMLButtonElement} */
    this.close = h('button', { type: 'button', class: 'plain-button', onclick: () => this.leave() }, h('span', {}, 'Leave', own ? h('span', { class: 'compare-more' }, ' and remove A and B') : null));
    /** @type {Settings} */
    this.settings = new Settings((side, params) => this.change(side, params), (text) => this.page.toasts.show(text), own);
    /** @type {HTMLParagraphElement} */
    this.notice = h('p', { class: 'dock-notice', hidden: own }, 'Someone else controls this comparison. You are watching.');
    /** @type {HTMLElement} */
    this.element = h('section', { class: 'compare', 'aria-label': 'Comparison of two settings', tabindex: -1 },
      h('header', {}, h('h2', {}, 'A/B'), this.play, this.step, this.again, this.clock, this.close),
      h('div', { class: 'compare-halves' }, ...this.pictures.map((picture, at) => h('figure', {}, picture, this.captions[at]))),
      h('div', { class: 'compare-settings' }, this.notice, this.settings.element));
    this.element.addEventListener('keydown', (event) => this.key(event));
  }

  /** Opens the comparison and connects both halves. */
  async open() {
    /** @type {HTMLElement[]} */
    this.beneath = [...document.body.children].filter((element) => element instanceof HTMLElement).filter(({ id, inert }) => !ABOVE.includes(id) && !inert);
    for (const element of this.beneath) element.inert = true; // prevents access by keyboard
    document.body.append(this.element);
    this.page.covered = true;
    document.body.toggleAttribute('data-comparing', true);
    this.element.focus({ preventScroll: true });
    /** @type {Half[]} */
    const halves = await this.connect();
    this.halves = halves;
    halves[0].picture.stage.rig.write(this.page.stage.rig.read());
    this.stopDrawing = this.page.on('picture', ({ elapsed }) => this.draw(elapsed));
    this.stopTheme = this.page.on('theme', (theme) => this.halves?.forEach(({ picture }) => picture.setTheme(theme)));
    this.stopQuality = settings.on('quality', () => this.halves?.forEach(({ picture }) => picture.stage.choose()));
    /** @type {number} */
    this.looking = setInterval(() => this.look(), POLL_MS);
  }

  async connect() {
    /** @type {Half[]} */
    const halves = [];
    for (const at of [0, 1]) {
      /** @param {Half} own */
      const speak = (own) => (this.own ? pairedClient(own, () => halves[1 - at]) : alone(own));
      halves.push(new Half(this.pictures[at], new WeftClient(clientAddress(this.names[at]), { worker: true }), this.page.stage, speak, this.page.refuse));
    }
    for (const { grabControls } of halves) {
      grabControls.pausedReason = () => (this.running || !this.own ? '' : 'Both worlds are paused. Press Space or “Run both” to move what you hold.');
      grabControls.tell = (text) => this.page.toasts.show(text);
    }
    await Promise.all(halves.map((half) => half.open()));
    // The page's own camera follows, so that the address stores the view, and closing the comparison keeps it.
    halves.forEach(({ picture: { stage: { rig } } }, at) => rig.on('moving', () => { if (at === this.leader) this.lookAlong(rig); }));
    for (const half of halves) half.client.on('state', ({ state, reason }) => { if (state === 'closed') this.lost(half, reason); });
    this.tell(await Promise.all(halves.map((half, at) => this.readState(half, at))));
    halves.forEach((half, at) => half.client.on('world.changed', ({ reason }) => { if (reason === 'set') this.readState(half, at).catch(this.page.refuse); }));
    return halves;
  }

  /** @param {import('../../scene/camera.js').CameraRig} rig */
  lookAlong(rig) {
    this.page.stage.rig.write(rig.read());
    this.page.address.changed();
  }

  /**
   * A removed world does not come back; a short interruption is handled by reconnecting.
   * @param {Half} half @param {string | undefined} reason
   */
  async lost(half, reason) {
    if (!this.halves?.includes(half) || !/removed|no world|404/i.test(reason ?? '')) return;
    this.page.toasts.show('The comparison ended: its worlds were removed.');
    await this.leave();
  }

  /** @param {Half} half @param {number} at @returns {Promise<WorldState>} */
  async readState(half, at) {
    const state = await half.client.call('world.get');
    this.settings.show(at, state);
    return state;
  }

  /** Compares the ticks of both; a page that only watches may get one state before a step and the other after it. @param {{tick: number}[]} states */
  tell([a, b]) {
    this.clock.textContent = `Tick ${Math.min(a.tick, b.tick)}`;
  }

  /** @param {number} at the half whose camera the other follows */
  lead(at) {
    this.leader = at;
  }

  /** @param {number} elapsed */
  draw(elapsed) {
    if (!this.halves) return;
    const first = this.halves[this.leader];
    const second = this.halves[1 - this.leader];
    first.draw(elapsed);
    second.picture.follow(first.picture);
    second.draw(elapsed);
  }

  async look() {
    const { halves } = this;
    if (this.asking || !halves) return;
    this.asking = true;
    try {
      const states = await Promise.all(halves.map(async ({ client }, at) => {
        this.settings.showResults(at, await client.call('world.measure'));
        const state = await client.call('world.get');
        this.settings.show(at, state);
        return state;
      }));
      if (!this.running) this.tell(states);
    } catch {
      // the last results stay displayed until the next request
    }
    this.asking = false;
  }

  /** @param {number} side @param {WorldSetParams} params */
  async change(side, params) {
    const half = this.halves?.[side];
    if (!half) return;
    try {
      await half.client.call('world.set', params);
      await this.readState(half, side);
    } catch (error) {
      this.page.toasts.show(error);
    }
  }

  /** @param {boolean} running */
  setRunning(running) {
    this.running = running;
    this.play.replaceChildren(icon(running ? PAUSE : PLAY), h('span', {}, running ? 'Pause both' : 'Run both'));
    if (running) this.run();
  }

  // Both worlds finish a step before either gets the next one.
  async run() {
    const { halves } = this;
    if (this.stepping || !halves) return;
    this.stepping = true;
    const tickMs = 1000 / (halves[0].client.hello?.tickHz ?? 60);
    let due = performance.now();
    while (this.running && this.halves === halves) {
      const behind = (performance.now() - due) / tickMs + STEP_INTERVAL_MS / tickMs;
      const ticks = Math.min(TICKS_MAX, Math.max(1, Math.round(behind)));
      due = Math.max(due + ticks * tickMs, performance.now() - TICKS_MAX * tickMs);
      if (!(await this.stepBoth(ticks))) this.setRunning(false);
      await sleep(Math.max(0, due - performance.now()));
    }
    this.stepping = false;
  }

  async stepOnce() {
    this.setRunning(false);
    await this.stepBoth(1);
  }

  /** @param {number} ticks */
  async stepBoth(ticks) {
    try {
      const answers = await Promise.all((this.halves ?? []).map(({ client }) => client.call('world.step', { ticks })));
      this.tell(answers);
      return true;
    } catch (error) {
      if (!this.left) this.page.toasts.show(error);
      return false;
    }
  }

  // Branches again from the present world, with the settings of A and B.
  async restart() {
    const open = this.halves;
    if (!open) return;
    this.setRunning(false);
    this.again.disabled = true;
    const old = { names: this.names, halves: open, camera: open[this.leader].picture.stage.rig.read(), parameters: this.settings.parameters() };
    const names = await branchTwice(this.page);
    if (names) {
      clearInterval(this.looking);
      this.stopDrawing?.();
      this.halves = null;
      for (const half of old.halves) half.close();
      this.names = names;
      const halves = await this.connect();
      this.halves = halves;
      halves[this.leader].picture.stage.rig.write(old.camera);
      for (const [at, parameters] of old.parameters.entries()) if (parameters) await this.change(at, parameters);
      this.captions.forEach((caption, at) => { one(caption, 'span').textContent = names[at]; });
      this.stopDrawing = this.page.on('picture', ({ elapsed }) => this.draw(elapsed));
      this.looking = setInterval(() => this.look(), POLL_MS);
      await removeBranches(this.page, old.names);
      rememberOwn(names);
      this.page.address.changed();
    }
    this.again.disabled = false;
  }

  /** Closes the comparison, and removes the worlds if this page made them. */
  async leave() {
    if (this.left) return;
    this.left = true;
    this.running = false;
    clearInterval(this.looking);
    this.stopDrawing?.();
    this.stopTheme?.();
    this.stopQuality?.();
    this.element.remove();
    for (const element of this.beneath ?? []) element.inert = false;
    this.page.covered = false;
    document.body.toggleAttribute('data-comparing', false);
    /** @type {HTMLElement | null} */ (document.querySelector('#rail [aria-controls="dock-compare"]'))?.focus();
    for (const half of this.halves ?? []) half.close();
    if (this.own) await removeBranches(this.page, this.names);
    this.#over();
  }

  /** Handles the comparison's own keys, so that they do not reach the page below. @param {KeyboardEvent} event */
  key(event) {
    event.stopPropagation();
    const target = /** @type {Element} */ (event.target);
    const field = target.closest('input, select');
    if (event.key === 'Escape' && field) this.element.focus();
    else if (event.key === 'Escape') this.leave();
    if (field || target.closest('button') || event.ctrlKey || event.metaKey || event.altKey || !this.halves) return;
    const { rig } = this.halves[this.leader].picture.stage;
    if (TURNS[event.key]) rig.orbit(...TURNS[event.key]);
    else if (ZOOMS[event.key]) rig.zoom(ZOOMS[event.key]);
    else if (event.key === ' ' && this.own) this.setRunning(!this.running);
    else if (event.key.toLowerCase() === 's' && this.own) this.stepOnce();
    else return;
    event.preventDefault();
  }
}
