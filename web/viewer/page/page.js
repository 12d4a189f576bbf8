// SPDX-License-Identifier: MIT
// What every tool of the page is given: the connection, the world as it is drawn, what is selected, and the places where a
// tool can put its keys (actions), its panel (docks) and its options (address). A tool never reaches into another: it imports
// nothing of it and adds nothing to the page (tests/house/modules.mjs sees to both).
import { Emitter } from '../../client/emitter.js';
import { GrabControls } from '../scene/grab_controls.js';
import { Precision } from '../timing/precision.js';
import { Journal } from './journal.js';
import { People } from './people.js';
import { Selection } from './selection.js';
import { Actions } from '../ui/actions.js';
import { Address } from '../ui/address.js';
import { Docks } from '../ui/docks.js';
import { one } from '../ui/dom.js';
import { Panel } from '../ui/panel.js';

const EDITORS = ['editor', 'admin'];

/** @typedef {import('../../client/protocol.js').Methods} Methods */
/** @typedef {import('../../client/protocol.js').MethodName} MethodName */
/** @typedef {Methods['world.get']['result']} WorldState */
/**
 * @typedef {{
 *   hello: import('../../client/connection.js').Hello, state: WorldState, topology: import('../../client/topology.js').Topology,
 *   usable: boolean, theme: 'dark' | 'light', picture: {now: number, elapsed: number},
 * }} PageEvents
 */

/**
 * Emits 'hello' (the server's), 'state' (an answer of world.get), 'topology', 'usable' (whether `editable`, when that
 * changes), 'theme' ('dark' or 'light') and 'picture' ({now, elapsed}: the same object each time, once a picture, in ms).
 * @extends {Emitter<PageEvents>}
 */
export class Page extends Emitter {
  journal = new Journal();

  selection = new Selection();

  /** Everyone who is in this world; kept up to date by the tool of that name. */
  people = new People();

  address = new Address();

  actions = new Actions(document);

  /** @type {WorldState | null} the last answer of world.get, null before the first */
  state = null;

  /** Whether the world's clock runs, or its past is played. */
  running = true;

  /** @type {import('../../client/protocol.js').Freeze | null} who lets nobody else change the world; null while everyone may */
  frozen = null;

  /** What this client may do: 'none', 'viewer', 'editor' or 'admin'. */
  role = 'none';

  /** Whether the page is a picture within another one. */
  embed = this.address.get('embed') !== null;

  /** Whether a tool covers the whole picture: then it is not drawn. */
  covered = false;

  #usable = false;

  /** @type {Map<string, (params: object) => Promise<boolean>>} by method */
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
    this.docks = new Docks(this, one(document, '#rail'), one(document, '#docks'));
    /** Shows why something was refused. @param {Error} error */
    this.refuse = (error) => { if (this.client.state === 'open') this.toasts.show(error); };
    this.panel = new Panel(one(document, '#panel'), (params) => this.call('world.set', params));
    this.precision = new Precision();
    this.grabControls = new GrabControls(stage, world, {
      call: (method, params) => this.call(method, params), notify: (method, params) => this.note(method, params),
    }, this.refuse);
    this.grabControls.standstill = () => this.standstill;
    this.grabControls.tell = (text) => toasts.show(text);
    this.actions.on('fault', (error) => this.toasts.show(error));
  }

  /** Whether this client may change the world now. */
  get editable() {
    return this.client.state === 'open' && EDITORS.includes(this.role) && (this.frozen === null || this.frozen.own === true);
  }

  /** Why nothing moves, and how to change that: a sentence, empty while the world runs or is not there. */
  get standstill() {
    if (this.client.state !== 'open' || this.running) return '';
    return 'The world is paused: what you hold moves once it runs. Press Space, or Resume below, to run it.';
  }

  /** What an object or an obstacle is called. @param {number} id */
  nameOf(id) {
    const { topology } = this.client;
    const object = topology?.findObject(id);
    if (object) return object.name || `${object.kind} ${id}`;
    const obstacle = topology?.obstacles.find((one) => one.id === id);
    return obstacle?.name || `${obstacle?.shape ?? 'object'} ${id}`;
  }

  /**
   * Has something asked before a method is called by hand. `ask` is given the parameters, and says whether to go on.
   * @param {string} method @param {(params: object) => Promise<boolean>} ask
   */
  guard(method, ask) {
    this.#guards.set(method, ask);
  }

  /**
   * Does what a person asked for by hand: it is written in the journal, and a refusal is shown.
   * @template {MethodName} M
   * @param {M} method @param {Methods[M]['params']} [params]
   * @param {{asked?: boolean}} [options] `asked`: the person has been asked already
   * @returns {Promise<Methods[M]['result']|undefined>} undefined when it was refused, or the person would rather not
   */
  async call(method, params, { asked = false } = {}) {
    try {
      const guard = asked ? undefined : this.#guards.get(method);
      if (guard && !await guard(params ?? {})) return undefined;
      const answer = await this.client.call(method, params);
      this.journal.add(method, params, answer);
      return answer;
    } catch (error) {
      this.refuse(/** @type {Error} */ (error));
      return undefined;
    }
  }

  /**
   * What is done by hand many times a second, one of which may be refused without a word: a move of what has just been lost.
   * @template {MethodName} M
   * @param {M} method @param {Methods[M]['params']} params
   */
  note(method, params) {
    this.client.call(method, params).then((answer) => this.journal.add(method, params, answer), () => {});
  }

  /**
   * Asks for what nobody did by hand; a refusal rejects.
   * @template {MethodName} M
   * @param {M} method @param {Methods[M]['params']} [params]
   */
  ask(method, params) {
    return this.client.call(method, params);
  }

  /** @param {WorldState} state */
  setState(state) {
    this.state = state;
    this.frozen = state.frozen ?? null;
    this.emit('state', state);
    this.updateUsable();
  }

  /** Says when `editable` has changed. */
  updateUsable() {
    document.body.toggleAttribute('data-readonly', this.client.state === 'open' && !this.editable);
    if (this.editable === this.#usable) return;
    this.#usable = this.editable;
    this.emit('usable', this.#usable);
  }
}
