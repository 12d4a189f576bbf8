// SPDX-License-Identifier: MIT
// The interface between the page and its tools: the connection, the displayed world, the selection, and the places where a
// tool registers its keys (actions), its panel (docks) and its options (address). Tools are independent: they import nothing
// from each other and add no members to the page (tests/house/modules.mjs checks both).
import { Emitter } from '../../client/emitter.js';
import { GrabControls } from '../scene/grab_controls.js';
import { Precision } from '../timing/precision.js';
import { Following } from './following.js';
import { Journal } from './journal.js';
import { People } from './people.js';
import { Selection } from './selection.js';
import { Actions } from '../ui/actions.js';
import { Address } from '../ui/address.js';
import { Docks } from '../ui/docks.js';
import { one } from '../ui/dom.js';
import { Panel } from '../ui/panel.js';

const EDITORS = ['editor', 'admin'];
const DISPLAY_DELAY_MS = 50; // of frames from the server, which are shown between two of them
const SLIDERS = '<path d="M3 5h7M14 5h3M3 10h2M9 10h8M3 15h8M15 15h2M12 3v4M7 8v4M13 13v4"/>';

/** @typedef {import('../../client/protocol.js').Methods} Methods */
/** @typedef {import('../../client/protocol.js').MethodName} MethodName */
/** @template {MethodName} M @typedef {import('../../client/client.js').Arguments<M>} Arguments */
/** @typedef {Methods['world.get']['result']} WorldState */
/**
 * @typedef {{
 *   hello: import('../../client/connection.js').Hello, state: WorldState, topology: import('../../client/topology.js').Topology,
 *   usable: boolean, theme: 'dark' | 'light', picture: {now: number, elapsed: number},
 * }} PageEvents
 */

/**
 * Emits 'hello' (the server's), 'state' (a result of world.get), 'topology', 'usable' (whether `editable`, when it changes),
 * 'theme' ('dark' or 'light') and 'picture' ({now, elapsed} in ms, once per picture, always the same object).
 * @extends {Emitter<PageEvents>}
 */
export class Page extends Emitter {
  journal = new Journal();

  selection = new Selection();

  /** All clients in this world; the tool `people` keeps the list up to date. */
  people = new People();

  address = new Address();

  actions = new Actions(document);

  /** @type {WorldState | null} the last result of world.get, null before the first */
  state = null;

  /** Whether the world's clock runs, or a replay is playing. */
  running = true;

  /** @type {import('../../client/protocol.js').Freeze | null} the client that has frozen the world for all others, or null */
  frozen = null;

  /** The role of this client: 'none', 'viewer', 'editor' or 'admin'. */
  role = 'none';

  /** Whether the page is embedded in another page, as a picture. */
  embed = this.address.get('embed') !== null;

  /** Whether a tool covers the whole picture, so that it need not be drawn. */
  covered = false;

  #usable = false;

  /** @type {Map<string, (params: object) => Promise<boolean>>} questions to ask before a method is called, by method */
  #guards = new Map();

  /**
   * @param {object} parts
   * @param {import('../../client/client.js').WeftClient} parts.client
   * @param {import('../scene/stage.js').Stage} parts.stage
   * @param {import('../scene/world.js').WorldView} parts.world
   * @param {import('../timing/interpolation.js').SnapshotBuffer} parts.buffer
   * @param {import('../ui/notice.js').Overlay} parts.overlay
   * @param {import('../ui/notice.js').Toasts} parts.toasts
   */
  constructor({ client, stage, world, buffer, overlay, toasts }) {
    super();
    this.client = client;
    this.stage = stage;
    this.world = world;
    this.buffer = buffer;
    this.overlay = overlay;
    this.toasts = toasts;
    document.body.toggleAttribute('data-embed', this.embed);
    this.docks = new Docks(this, one(document, '#rail'), one(document, '#tools', HTMLButtonElement));
    /** Shows the user why a request was refused. @param {Error} error */
    this.refuse = (error) => { if (this.client.state === 'open') this.toasts.show(error); };
    this.panel = new Panel((params) => this.call('world.set', params));
    this.docks.add({ id: 'settings', title: 'Settings', icon: SLIDERS, place: 'right', order: 25, load: async () => this.panel });
    this.precision = new Precision();
    this.grabControls = new GrabControls(stage, world, {
      call: (method, params) => this.call(method, params), notify: (method, params) => this.note(method, params),
      ask: (method, params) => this.ask(method, .../** @type {any} */ ([params])), delay: () => this.#delay(),
    }, this.refuse);
    this.grabControls.pausedReason = () => this.pausedReason;
    this.grabControls.tell = (text) => toasts.show(text);
    this.following = new Following(this);
    this.actions.on('fault', (error) => this.toasts.show(error));
  }

  /** How late the displayed positions are, s: those that this page computes itself are not. */
  #delay() {
    const { source, roundTripMs } = this.client.statistics;
    return source === 'ticks' ? 0 : ((roundTripMs ?? 0) + DISPLAY_DELAY_MS) / 1000;
  }

  /** Whether this client may change the world now. */
  get editable() {
    return this.client.state === 'open' && EDITORS.includes(this.role) && (this.frozen === null || this.frozen.own === true);
  }

  /** The reason why the world stands still, and how to change that: a sentence; empty while the world runs or is not loaded. */
  get pausedReason() {
    if (this.client.state !== 'open' || this.running) return '';
    return 'The world is paused. Press Space or Resume to move what you hold.';
  }

  /** The displayed name of an object or an obstacle. @param {number} id */
  nameOf(id) {
    const { topology } = this.client;
    const object = topology?.findObject(id);
    if (object) return object.name || `${object.kind} ${id}`;
    const obstacle = topology?.obstacles.find((one) => one.id === id);
    return obstacle?.name || `${obstacle?.shape ?? 'object'} ${id}`;
  }

  /**
   * Registers a question to ask before the user calls a method. `ask` gets the parameters, and returns whether to continue.
   * @param {string} method @param {(params: object) => Promise<boolean>} ask
   */
  guard(method, ask) {
    this.#guards.set(method, ask);
  }

  /**
   * Calls a method for the user: the request is added to the journal, and a refusal is shown.
   * @template {MethodName} M
   * @param {M} method @param {Methods[M]['params']} [params]
   * @param {{asked?: boolean}} [options] `asked`: the user has confirmed already
   * @returns {Promise<Methods[M]['result']|undefined>} undefined if the server refused the request, or the user cancelled it
   */
  async call(method, params, { asked = false } = {}) {
    try {
      const guard = asked ? undefined : this.#guards.get(method);
      if (guard && !await guard(params ?? {})) return undefined;
      const answer = await this.client.call(method, .../** @type {Arguments<M>} */ ([params]));
      this.journal.add(method, params, answer);
      return answer;
    } catch (error) {
      this.refuse(/** @type {Error} */ (error));
      return undefined;
    }
  }

  /**
   * Calls a method that the user triggers many times per second. A refusal is not shown, for example when the moved object
   * has just been removed.
   * @template {MethodName} M
   * @param {M} method @param {Methods[M]['params']} params
   */
  note(method, params) {
    this.client.call(method, params).then((answer) => this.journal.add(method, params, answer), () => {});
  }

  /**
   * Calls a method without the user's action: not in the journal; rejects if refused.
   * @template {MethodName} M
   * @param {M} method @param {Arguments<M>} params
   */
  ask(method, ...params) {
    return this.client.call(method, ...params);
  }

  /** @param {WorldState} state */
  setState(state) {
    this.state = state;
    this.frozen = state.frozen ?? null;
    this.emit('state', state);
    this.updateUsable();
  }

  /** This client's role has been changed. @param {string} role */
  setRole(role) {
    this.role = role;
    this.updateUsable();
  }

  /** Emits 'usable' if `editable` has changed. */
  updateUsable() {
    document.body.toggleAttribute('data-readonly', this.client.state === 'open' && !this.editable);
    if (this.editable === this.#usable) return;
    this.#usable = this.editable;
    this.emit('usable', this.#usable);
  }
}
