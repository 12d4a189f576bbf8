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
import { Panel } from '../ui/panel.js';

const EDITORS = ['editor', 'admin'];

/**
 * Emits 'hello' (the server's), 'state' (an answer of world.get), 'topology', 'usable' (whether `editable`, when that
 * changes), 'theme' ('dark' or 'light') and 'picture' ({now, elapsed}: the same object each time, once a picture, in ms).
 */
export class Page extends Emitter {
  journal = new Journal();

  selection = new Selection();

  /** Everyone who is in this world; kept up to date by the tool of that name. */
  people = new People();

  address = new Address();

  actions = new Actions(document);

  /** The last answer of world.get, null before the first. */
  state = null;

  /** Whether the world's clock runs, or its past is played. */
  running = true;

  /** Who lets nobody else change the world, as world.get tells it; null while everyone may. */
  frozen = null;

  /** What this client may do: 'none', 'viewer', 'editor' or 'admin'. */
  role = 'none';

  /** Whether the page is a picture within another one. */
  embed = this.address.get('embed') !== null;

  /** Whether a tool covers the whole picture: then it is not drawn. */
  covered = false;

  #usable = false;

  #guards = new Map(); // by method

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
    this.docks = new Docks(this, document.getElementById('rail'), document.getElementById('docks'));
    /** Shows why something was refused. @param {Error} error */
    this.refuse = (error) => { if (this.client.state === 'open') this.toasts.show(error); };
    this.panel = new Panel(document.getElementById('panel'), (params) => this.call('world.set', params));
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
    return this.client.state === 'open' && EDITORS.includes(this.role) && (this.frozen === null || this.frozen.own);
  }

  /** Why nothing moves, and how to change that: a sentence, empty while the world runs or is not there. */
  get standstill() {
    if (this.client.state !== 'open' || this.running) return '';
    return 'The world is paused: what you hold moves once it runs. Press Space, or Resume below, to run it.';
  }

  /** What an object or an obstacle is called. @param {number} id */
  nameOf(id) {
    const { topology } = this.client;
    const { name, kind, shape } = topology?.findObject(id) ?? topology?.obstacles.find((obstacle) => obstacle.id === id) ?? {};
    return name || `${kind ?? shape ?? 'object'} ${id}`;
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
   * @param {string} method @param {object} [params]
   * @param {{asked?: boolean}} [options] `asked`: the person has been asked already
   * @returns {Promise<object|undefined>} undefined when it was refused, or the person would rather not
   */
  async call(method, params, { asked = false } = {}) {
    try {
      if (!asked && this.#guards.has(method) && !await this.#guards.get(method)(params ?? {})) return undefined;
      const answer = await this.client.call(method, params);
      this.journal.add(method, params, answer);
      return answer;
    } catch (error) {
      this.refuse(error);
      return undefined;
    }
  }

  /**
   * What is done by hand many times a second, one of which may be refused without a word: a move of what has just been lost.
   * @param {string} method @param {object} params
   */
  note(method, params) {
    this.client.call(method, params).then((answer) => this.journal.add(method, params, answer), () => {});
  }

  /** Asks for what nobody did by hand; a refusal rejects. @param {string} method @param {object} [params] */
  ask(method, params) {
    return this.client.call(method, params);
  }

  /** @param {object} state an answer of world.get */
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
