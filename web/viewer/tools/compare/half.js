// SPDX-License-Identifier: MIT
// One half of a comparison: a world with its own connection, picture and grab controls.
import { ClientPicture, PICTURE_EVENTS } from '../../scene/client_picture.js';
/** @import { WeftClient } from '../../../client/client.js' */

export class Half {
  #shown;

  /**
   * @param {HTMLElement} element the element that its picture fills
   * @param {WeftClient} client the client of its world, not connected yet
   * @param {import('../../scene/stage.js').Stage} stage the page's, whose theme and quality the half has, too
   * @param {(half: Half) => import('../../scene/grab_controls.js').GrabClient} grabClient returns the client for its grab controls
   * @param {(error: Error) => void} refuse
   */
  constructor(element, client, { themeName, look }, grabClient, refuse) {
    this.client = client;
    this.#shown = new ClientPicture({ element, theme: themeName, look, client, grabClient: grabClient(this), refuse });
    this.picture = this.#shown.picture;
  }

  get grabControls() {
    return this.#shown.grabControls;
  }

  /** Resolves when the half is connected. */
  async open() {
    this.client.subscribeEvents(PICTURE_EVENTS);
    this.client.subscribeFrames(); // every frame, so that paused worlds display the same tick
    await this.client.connect();
  }

  /** @param {number} elapsed ms since the last picture */
  draw(elapsed) {
    this.#shown.draw(elapsed);
  }

  close() {
    this.client.close();
    this.#shown.dispose();
  }
}
