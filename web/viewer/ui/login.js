// SPDX-License-Identifier: MIT
// The form for an access token. The token is sent to the server once, which stores it in a cookie that scripts cannot read;
// then the page is reloaded, unless the browser did not store the cookie, which is reported. Text from the server is only set
// as text.
import { WeftClient } from '../../client/client.js';
import { setCovered } from './notice.js';
import { h, one } from './dom.js';

/** Posts a request to this server. @param {string} path @param {string} body @returns {Promise<string>} an error message, empty on success */
async function post(path, body) {
  try {
    const answer = await fetch(path, { method: 'POST', body, headers: { 'Content-Type': 'text/plain' } });
    return answer.ok ? '' : (await answer.text()).trim() || `The server replied with HTTP status ${answer.status}.`;
  } catch {
    return 'The server can’t be reached.';
  }
}

/** Whether the server accepts this browser's cookie. If the request fails, the page is reloaded to find out. */
async function isKnown() {
  const client = new WeftClient(`${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}/`, { reconnect: false });
  try {
    return (await client.connect()).role !== 'none';
  } catch {
    return true;
  } finally {
    client.close();
  }
}

/** Explains why the browser did not store the cookie, and how to change that. @returns {(string|Node)[]} */
function whyForgotten() {
  if (window.top === window) return [`The token is correct, but this browser blocks cookies from ${location.host}, which keep you logged in. Allow them and try again.`];
  const url = new URL(location.href);
  url.searchParams.delete('embed');
  const link = h('a', { href: url.href, target: '_blank', rel: 'noopener' }, 'open the world in its own window');
  const why = location.protocol === 'https:'
    ? 'The token is correct, but this browser blocks third-party cookies, which keep you logged in. Allow them, or '
    : 'The token is correct, but an embedded page can keep you logged in only over HTTPS. Use HTTPS, or ';
  return [why, link, '.'];
}

export class Login {
  /** @param {HTMLElement} element the section with the form @param {() => void} [restart] reloads the page */
  constructor(element, restart = () => location.reload()) {
    this.element = element;
    this.restart = restart;
    this.input = one(element, 'input', HTMLInputElement);
    this.fault = one(element, '[role="alert"]');
    one(element, 'form').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#enter();
    });
  }

  get shown() {
    return !this.element.hidden;
  }

  show() {
    this.element.hidden = false;
    setCovered(true);
    this.input.focus();
  }

  async #enter() {
    this.fault.textContent = '';
    const wrong = await post('/login', this.input.value.trim());
    if (!wrong && (await isKnown())) {
      this.restart();
      return;
    }
    this.fault.replaceChildren(...(wrong ? [wrong] : whyForgotten()));
    this.input.select();
  }

  async leave() {
    await post('/logout', '');
    this.restart();
  }
}
