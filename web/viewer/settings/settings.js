// SPDX-License-Identifier: MIT
// The user's settings in this browser: theme and quality of the picture, stored where the browser allows it.
import { Emitter } from '../../client/emitter.js';
import { inBrowser } from './storage.js';

/** The options of each setting; the first is the default. */
export const CHOICES = { theme: ['system', 'dark', 'light'], quality: ['auto', 'draft', 'balanced', 'fine'] };

const KEY = 'weft.look';
const KEY_LEVEL = 'weft.level';
const light = matchMedia('(prefers-color-scheme: light)');

/**
 * Emits 'theme' ('dark' or 'light') and 'quality' when the setting changes.
 * @extends {Emitter<{theme: 'dark' | 'light', quality: string}>}
 */
class Settings extends Emitter {
  /** @type {{theme: string, quality: string}} */
  #chosen = { theme: 'system', quality: 'auto', ...stored() };

  /** @type {'dark' | 'light' | null} the theme given by a link, until the page is closed or the user chooses another */
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

  /** @returns {'dark' | 'light'} the theme given by a link, chosen by the user, or preferred by the system */
  get themeName() {
    if (this.linkedTheme) return this.linkedTheme;
    return light.matches ? 'light' : 'dark';
  }

  /** The theme to write into a link; null if the theme follows the system. */
  get linkedTheme() {
    return this.#lent ?? (this.theme === 'dark' || this.theme === 'light' ? this.theme : null);
  }

  /** Shows a theme without storing it. @param {string|null} theme 'dark' or 'light'; any other value selects the stored theme */
  lend(theme) {
    if (theme !== null && !CHOICES.theme.includes(theme)) return;
    const before = this.themeName;
    this.#lent = theme === 'dark' || theme === 'light' ? theme : null;
    if (this.themeName !== before) this.#showTheme();
  }

  /** @param {'theme'|'quality'} name @param {string} value one of the setting's CHOICES */
  choose(name, value) {
    const lent = name === 'theme' && this.#lent !== null;
    if (!CHOICES[name].includes(value) || (this.#chosen[name] === value && !lent)) return;
    this.#chosen[name] = value;
    if (lent) this.#lent = null;
    inBrowser.setValue(KEY, this.#chosen);
    if (name === 'theme') this.#showTheme();
    else this.emit('quality', value);
  }

  /** The quality level that this browser reached last (see quality.js); null if unknown. */
  get level() {
    const level = Number.parseInt(inBrowser.text(KEY_LEVEL) ?? '', 10);
    return level >= 0 ? level : null;
  }

  /** @param {number} level the level to start with next time */
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
