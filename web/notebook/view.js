// SPDX-License-Identifier: MIT
// A view of a world in a notebook: the element <weft-world>, whose client speaks to the kernel over the channel of a widget. The module
// widget.js loads it from the kernel.
import '../element/index.js';
import { Channel, socketClass } from './socket.js';
/** @import { WeftWorldElement } from '../element/element.js' */
/** @import { Model } from './socket.js' */

const SILENT = 'The kernel does not answer: it computes a cell, or it has ended.';
const ENDED = 'the kernel has ended: run the cell again';
const SETTLE_MS = 400; // after a pause, until the last frames are drawn
const PICTURE_PX = 640;
const NOTICE = 'position:absolute;inset:12px 12px auto;width:fit-content;max-width:calc(100% - 24px);margin:auto;padding:6px 12px;border-radius:8px;'
  + 'background:rgb(16 21 29 / 82%);color:#e8edf4;font:14px/1.4 system-ui,sans-serif;pointer-events:none';

/** @typedef {Model & {get: (name: string) => any, send: (message: object, callbacks?: object, buffers?: ArrayBuffer[]) => void}} WidgetModel */

/**
 * Shows the world in an element of the notebook.
 * @param {WidgetModel} model @param {HTMLElement} place
 * @returns {() => void} leaves the world
 */
export function mount(model, place) {
  const channel = new Channel(model);
  const element = /** @type {WeftWorldElement} */ (document.createElement('weft-world'));
  const notice = document.createElement('p');
  notice.style.cssText = NOTICE;
  notice.hidden = true;
  notice.textContent = SILENT;
  notice.setAttribute('role', 'status');
  channel.onsilence = (silent) => { notice.hidden = !silent; };
  const end = () => {
    notice.hidden = true;
    channel.end(ENDED);
  };
  model.on('comm:close', end);
  const live = (/** @type {{comm_live?: boolean}} */ about) => { if (about?.comm_live === false) end(); };
  model.on('comm_live_update', live);
  element.WebSocket = socketClass(channel);
  element.controls = model.get('controls');
  element.camera = model.get('camera');
  const light = document.body.dataset.jpThemeLight; // of JupyterLab; elsewhere the system's theme
  if (light !== undefined) element.theme = light === 'true' ? 'light' : 'dark';
  element.style.cssText = `height:${model.get('height')};aspect-ratio:auto;width:100%`;
  element.src = 'notebook:world';
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settling;
  element.addEventListener('pause', () => {
    clearTimeout(settling);
    settling = setTimeout(() => requestAnimationFrame(() => sendPicture(model, element)), SETTLE_MS);
  });
  const frame = document.createElement('div');
  frame.style.position = 'relative';
  frame.append(element, notice);
  place.replaceChildren(frame);
  return () => {
    clearTimeout(settling);
    model.off('comm:close', end);
    model.off('comm_live_update', live);
    element.remove();
    channel.close();
  };
}

/** What the canvas shows, as the picture of the widget. It is called in the frame in which the canvas was drawn. @param {WidgetModel} model @param {WeftWorldElement} element */
function sendPicture(model, element) {
  const canvas = element.shadowRoot?.querySelector('canvas');
  if (!canvas || canvas.width === 0) return;
  const small = document.createElement('canvas');
  small.width = Math.min(PICTURE_PX, canvas.width);
  small.height = Math.max(1, Math.round((canvas.height * small.width) / canvas.width));
  small.getContext('2d')?.drawImage(canvas, 0, 0, small.width, small.height);
  small.toBlob(async (blob) => {
    if (blob) model.send({ kind: 'picture' }, undefined, [await blob.arrayBuffer()]);
  }, 'image/png');
}
