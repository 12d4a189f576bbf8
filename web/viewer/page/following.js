// SPDX-License-Identifier: MIT
// Following another person's camera, and letting others follow one's own. A camera is sent only while somebody follows it. The
// user stops following by moving the camera. Whoever presents is followed by all pages whose users have not declined that.
import { Emitter } from '../../client/emitter.js';
import { inBrowser } from '../settings/storage.js';
/** @import { Vector } from '../../client/topology.js' */
/** @import { People, Person } from './people.js' */

const KEY = 'weft.follow'; // storage key; 'no' if the user does not want to follow presenters
const SEND_MS = 50; // minimum interval between two cameras

/** Emits 'change' when the followed person or the presenter changes. @extends {Emitter<{change: undefined}>} */
export class Following extends Emitter {
  /** The number of the client that is followed, 0: none. */
  client = 0;

  /** The number of the client that presents, 0: none, or this page's own. */
  #presenter = 0;

  /** @type {string} the camera that was sent last, as text */
  #sent = '';

  #sentAt = -Infinity;

  /** @param {import('./page.js').Page} page */
  constructor(page) {
    super();
    this.page = page;
    const { client, people, stage: { rig } } = page;
    rig.on('taken', () => this.stop());
    people.on('change', () => this.#look(people));
    client.on('view.moved', ({ client: id, eye, target }) => { if (id === this.client) this.#show(eye, target); });
    client.on('state', ({ state }) => {
      if (state === 'open') return;
      this.#presenter = 0;
      this.#set(0);
    });
    page.on('picture', ({ now }) => { if (now - this.#sentAt >= SEND_MS) this.#send(now); });
  }

  /** Whether the page follows whoever presents. */
  get followsPresenters() {
    return inBrowser.text(KEY) !== 'no';
  }

  /** @param {boolean} follows */
  setFollowsPresenters(follows) {
    inBrowser.setText(KEY, follows ? 'yes' : 'no');
  }

  /** The person that is followed. */
  get person() {
    return this.client ? this.page.people.find(this.client) : undefined;
  }

  /** The person other than the user that presents. */
  get presenter() {
    return [...this.page.people.others()].find(({ presents }) => presents);
  }

  /** The people that follow this page's camera. @returns {Person[]} */
  get followers() {
    const { people } = this.page;
    return people.own ? [...people.others()].filter(({ follows }) => follows === people.own) : [];
  }

  /** @param {number} client whom to follow */
  async start(client) {
    this.#set(client);
    try {
      const { eye, target } = await this.page.ask('view.follow', { client });
      if (eye && target && this.client === client) this.#show(eye, target);
    } catch (error) {
      if (this.client === client) this.#set(0);
      this.page.refuse(/** @type {Error} */ (error));
    }
  }

  stop() {
    if (!this.client) return;
    this.#set(0);
    this.page.ask('view.follow', {}).catch(this.page.refuse);
  }

  /** @param {number} client */
  #set(client) {
    if (client === this.client) return;
    this.client = client;
    this.emit('change');
  }

  /** @param {number[]} eye @param {number[]} target */
  #show(eye, target) {
    if (this.page.grabControls.drags.size === 0) this.page.stage.rig.write([...eye, ...target], true);
  }

  /** Somebody came, went, or has begun or ended to present. @param {People} people */
  #look(people) {
    const present = this.presenter?.client ?? 0;
    const before = this.#presenter;
    this.#presenter = present;
    if (this.client && !people.find(this.client)) this.#set(0);
    if (present === before) return;
    if (before && this.client === before && people.find(before)) this.stop();
    if (present && this.followsPresenters) this.start(present);
    this.emit('change');
  }

  /** @param {number} now */
  #send(now) {
    const { page } = this;
    if (page.client.state !== 'open' || this.followers.length === 0) {
      this.#sent = '';
      return;
    }
    const camera = page.stage.rig.read();
    const text = camera.join();
    if (text === this.#sent) return;
    this.#sent = text;
    this.#sentAt = now;
    page.client.notify('view.move', { eye: /** @type {Vector} */ (camera.slice(0, 3)), target: /** @type {Vector} */ (camera.slice(3)) });
  }
}
