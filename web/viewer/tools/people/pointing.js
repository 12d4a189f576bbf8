// SPDX-License-Identifier: MIT
// Sends the position of this page's pointer in the world: on the object under it, otherwise on the floor. Sent a few times
// per second, and only if other clients are present.
const SEND_MS = 80;
const FAR = 200; // m

/** Follows the pointer over the stage. */
export class Pointing {
  /** @param {import('../../page/page.js').Page} page @param {import('../../page/people.js').People} people */
  constructor(page, people) {
    this.page = page;
    this.people = people;
    /** @type {{clientX: number, clientY: number} | null} position of the pointer on the page */
    this.at = null;
    this.stale = false;
    this.shown = false;
    this.sentAt = 0;
    const { element } = page.stage;
    element.addEventListener('pointermove', ({ clientX, clientY }) => {
      this.at = { clientX, clientY };
      this.stale = true;
    }, { capture: true });
    const leave = () => {
      this.at = null;
      this.stale = true;
    };
    element.addEventListener('pointerleave', leave);
    element.addEventListener('pointerup', ({ pointerType }) => { if (pointerType === 'touch') leave(); }, { capture: true });
    people.on('came', () => { this.stale = true; });
    page.client.on('state', () => { this.shown = false; });
    page.on('picture', ({ now }) => { if (this.stale && now - this.sentAt > SEND_MS) this.#send(now); });
  }

  /** @param {number} now */
  #send(now) {
    if (this.page.client.state !== 'open' || this.people.size < 2) return;
    if (document.body.hasAttribute('data-pointing')) return; // the laser of a presenter already sends the position
    this.stale = false;
    this.sentAt = now;
    const position = this.at && this.#place(this.at);
    if (!position && !this.shown) return;
    this.shown = Boolean(position);
    this.page.client.notify('pointer.move', position ? { position: /** @type {import('../../../client/topology.js').Vector} */ (position) } : {});
  }

  /** @param {{clientX: number, clientY: number}} pointer */
  #place({ clientX, clientY }) {
    const { stage, world, grabControls } = this.page;
    const { origin, direction } = stage.ray(clientX, clientY);
    const [drag] = grabControls.drags.values();
    if (drag) return world.find(drag.pick.object)?.place(drag.pick.particle) ?? null;
    if (grabControls.hover) return [...grabControls.hover.point];
    const down = direction[1] < 0 ? (world.floorHeight() - origin[1]) / direction[1] : Infinity;
    const distance = Math.min(down, world.obstacleDistance(origin, direction));
    return distance < FAR ? direction.map((value, axis) => origin[axis] + distance * value) : null;
  }
}
