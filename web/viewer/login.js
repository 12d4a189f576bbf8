// SPDX-License-Identifier: MIT
// Asking for a token where the server wants one. What is typed goes to the server once, which keeps it in a cookie that no
// script can read; after that the page starts anew. Text from the server is only ever set as text.
import { setCovered } from './notice.js';

/** Posts to this server. @returns {Promise<string>} what is wrong, empty when all is well */
async function post(path, body) {
  try {
    const answer = await fetch(path, { method: 'POST', body, headers: { 'Content-Type': 'text/plain' } });
    return answer.ok ? '' : (await answer.text()).trim() || `The server answers ${answer.status}.`;
  } catch {
    return 'The server cannot be reached.';
  }
}

export class Login {
  /** @param {HTMLElement} element the section with the form @param {() => void} [restart] begins anew */
  constructor(element, restart = () => location.reload()) {
    this.element = element;
    this.restart = restart;
    this.input = element.querySelector('input');
    this.fault = element.querySelector('[role="alert"]');
    element.querySelector('form').addEventListener('submit', (event) => {
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
    this.fault.textContent = wrong;
    if (!wrong) this.restart();
    else this.input.select();
  }

  async leave() {
    await post('/logout', '');
    this.restart();
  }
}
