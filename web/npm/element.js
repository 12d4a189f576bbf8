// SPDX-License-Identifier: MIT
/// <reference path="./tag.d.ts" preserve="true" />
// The package's element <weft-world>, with its types for TypeScript's DOM.
export { WeftWorldElement } from '../element/index.js';
/** @typedef {import('../element/element.js').ReadyState} ReadyState */
/** @typedef {import('../element/element.js').WeftWorldEventMap} WeftWorldEventMap */
