// SPDX-License-Identifier: MIT
// What someone has chosen for this browser: the theme and how fine pictures are. Kept where the browser allows it.
import { Emitter } from '../../client/emitter.js';
import { inBrowser } from './storage.js';

/** The choices there are, the first one where none was made. */
export const CHOICES = { theme: ['system', 'dark', 'light'], quality: ['auto', 'draft', 'balanced', 'fine'] };

const KEY = 'weft.look';
const KEY_LEVEL = 'weft.level';
const light = matchMedia('(prefers-color-scheme: light)');

/**
 * Emits 'theme' ('dark' or 'light') and 'quality' when these change.
 * @extends {Emitter<{theme: 'dark' | 'light', quality: string}>}
 */
class Settings extends Emitter {
  /** @type {{theme: string, quality: string}} */
  #chosen = { theme: 'system', quality: 'auto', ...stored() };

  /** @type {'dark' | 'light' | null} the theme that a link asks for, as long as the page is open or until another is chosen */
  #lent = null;

  constructor() {
    super();
    light.addEventListener('change', () => { if (this.theme === 'system') this.#showTheme(); });
    document.documentElement.dataset.theme = this.themeName;
  }

  get theme() {
    return this.#chosen.theme;
  }

  get quality() {
    return this.#chosen.quality;
  }

  /** @returns {'dark' | 'light'} what a link asks for, what is chosen, or what the system prefers. */
  get themeName() {
    if (this.linkedTheme) return this.linkedTheme;
    return light.matches ? 'light' : 'dark';
  }

  /** What a link has to say so that the theme is this one; null where it follows the system. */
  get linkedTheme() {
    return this.#lent ?? (this.theme === 'dark' || this.theme === 'light' ? this.theme : null);
  }

  /** Shows a theme without it being chosen for longer than the page is open. @param {string|null} theme 'dark' or 'light'; null or anything else: what is chosen */
  lend(theme) {
    if (theme !== null && !CHOICES.theme.includes(theme)) return;
    const before = this.themeName;
    this.#lent = theme === 'dark' || theme === 'light' ? theme : null;
    if (this.themeName !== before) this.#showTheme();
  }

  /** @param {'theme'|'quality'} name @param {string} value one of its CHOICES */
  choose(name, value) {
    const lent = name === 'theme' && this.#lent !== null;
    if (!CHOICES[name].includes(value) || (this.#chosen[name] === value && !lent)) return;
    this.#chosen[name] = value;
    if (lent) this.#lent = null;
    inBrowser.setValue(KEY, this.#chosen);
    if (name === 'theme') this.#showTheme();
    else this.emit('quality', value);
  }

  /** The level of quality.js that pictures came to here last; null where that is not known. */
  get level() {
    const level = Number.parseInt(inBrowser.text(KEY_LEVEL) ?? '', 10);
    return level >= 0 ? level : null;
  }

  /** @param {number} level to begin at the next time */
  keepLevel(level) {
    inBrowser.setText(KEY_LEVEL, String(level));
  }

  #showTheme() {
    document.documentElement.dataset.theme = this.themeName;
    this.emit('theme', this.themeName);
  }
}

/** @returns {{theme?: string, quality?: string}} */
function stored() {
  const chosen = /** @type {Record<string, string> | null} */ (inBrowser.value(KEY));
  return Object.fromEntries(Object.entries(CHOICES).filter(([name, values]) => values.includes(chosen?.[name] ?? '')).map(([name]) => [name, chosen?.[name]]));
}

export const settings = new Settings();
