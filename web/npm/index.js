// SPDX-License-Identifier: MIT
// The package weft-world: the element <weft-world>, which importing this module defines, and the client.
export { FrameError, randomKey, Topology, WeftClient, WeftError } from '../client/client.js';
export { WeftWorldElement } from './element.js';
