// SPDX-License-Identifier: MIT
// Defines the element <weft-world>.
import { WeftWorldElement } from './element.js';

export { WeftWorldElement };

if (globalThis.customElements && !customElements.get('weft-world')) customElements.define('weft-world', WeftWorldElement);
