// SPDX-License-Identifier: MIT
// The part of the share panel that hands a local world to a server: the page goes on there, at the tick where the world stands, and
// others can enter.
import { handOver } from '../../../client/handover.js'; // not when it is used: then the page may have no server to load it from
import { h } from '../../ui/dom.js';
import { hasServer, serverAddress } from '../../page/world_address.js';
/** @import { Page } from '../../page/page.js' */

const EXPLANATION = 'On a server, others can join this world. It continues there from this tick, and a paused copy stays in this browser.';

/**
 * The address of a server as the user has written it, as that of a WebSocket.
 * @param {string} text such as https://weft.example or localhost:8080
 */
function socketAddress(text) {
  const url = new URL(text.includes('://') ? text : `http://${text}`);
  url.protocol = { 'http:': 'ws:', 'https:': 'wss:' }[url.protocol] ?? url.protocol;
  if (url.protocol !== 'ws:' && url.protocol !== 'wss:') throw new Error(`A server address starts with http: or https:, not “${text}”.`);
  return url;
}

/** Where the server's page shows a world. @param {string} address of the world's WebSocket */
function pageAddress(address) {
  const url = new URL(address);
  const world = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
  url.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  url.pathname = '/';
  url.searchParams.set('world', world);
  return url.href;
}

/** @param {Page} page @returns {HTMLElement} */
export function handOverForm(page) {
  /** @type {HTMLInputElement} */
  const server = h('input', { class: 'entry-field', name: 'server', required: true, placeholder: 'https://weft.example', 'aria-label': 'Server' });
  /** @type {HTMLInputElement} */
  const token = h('input', { class: 'entry-field', name: 'token', type: 'password', autocomplete: 'off', placeholder: 'Token, if the server requires one', 'aria-label': 'Token' });
  /** @type {HTMLButtonElement} */
  const button = h('button', { type: 'submit', class: 'plain-button' }, hasServer() ? 'Share on the server' : 'Share on a server');
  const status = h('p', { class: 'dock-status', role: 'status' });
  const run = async () => {
    if (hasServer()) { // the browser lets a server's page connect to no other server, and shows the server its token
      await handOver(page.client, serverAddress(null));
      return;
    }
    const { href } = socketAddress(server.value.trim());
    const { url } = await handOver(page.client, href, token.value === '' ? {} : { token: token.value });
    location.assign(pageAddress(url));
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    button.disabled = true;
    status.textContent = 'Uploading the world…';
    run().catch((error) => { status.textContent = `The world could not be shared: ${error.message}`; }).finally(() => { button.disabled = false; });
  };
  return h('form', { class: 'hand-over', onsubmit: submit }, h('h3', {}, 'Share on a server'), h('p', {}, EXPLANATION),
    hasServer() ? '' : h('div', { class: 'dock-row' }, server), hasServer() ? '' : h('div', { class: 'dock-row' }, token),
    h('div', { class: 'dock-row' }, button), status);
}
