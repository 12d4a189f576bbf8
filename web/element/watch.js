// SPDX-License-Identifier: MIT
// The page that plays a broadcast: `watch.html?broadcast=ADDRESS` of its manifest.json, which may be relative to this server.
import './index.js';
import { one } from '../viewer/ui/dom.js';
/** @import { WeftWorldElement } from './element.js' */

const element = /** @type {WeftWorldElement} */ (one(document, 'weft-world'));
const address = new URLSearchParams(location.search).get('broadcast');
one(document, '#missing').hidden = address !== null;
if (address === null) element.hidden = true;
else {
  element.addEventListener('open', () => { document.title = `Weft · ${element.hello?.world ?? 'Broadcast'}`; });
  element.src = address;
}
