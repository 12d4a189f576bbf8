// SPDX-License-Identifier: MIT
// The page's states other than normal, each described in words: loading, read-only, frozen by a presenter, slow, drawing
// interrupted. Permanent failures cover the page (notice.js, absent.js).
import { h, icon, one } from '../../ui/dom.js';
import { lengthOf, whyReadOnly } from '../../page/read_only.js';
import { isLocalPage } from '../../page/world_address.js';
/** @import { Page } from '../../page/page.js' */
import { explainAbsence } from './absent.js'; // loaded at the start, because it cannot be loaded when the server is unreachable

const POLL_MS = 1000;
const SLOW_TRIP_MS = 350;
const SILENT_MS = 3000; // time without a frame although the world runs
const SLOW_WORLD = 0.9; // speed relative to real time
const RETRY_AFTER_MS = 4000; // if drawing fails again within this time, it is not restarted automatically
const EDITABLE_HELP = 'Drag an object to move it, drag the background to orbit, double-click to pin. Press ? for help.';
const VIEW_HELP = 'Drag to orbit. Press ? for help.';
const ATTEMPTS = 2; // failed attempts before the page asks the server for the reason

const ICONS = {
  eye: '<path d="M2 10s3-5 8-5 8 5 8 5-3 5-8 5-8-5-8-5zM10 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z"/>',
  frost: '<path d="M10 2v16M3 6l14 8M17 6 3 14M8 3.5l2 2 2-2M8 16.5l2-2 2 2"/>',
  slow: '<path d="M10 5v5l3 2M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14z"/>',
  offline: '<path d="M3 3l14 14M2 7.5a12 12 0 0 1 4-2.4M9 4.5a12 12 0 0 1 9 3M5 11a8 8 0 0 1 3-1.8M8 14a3.5 3.5 0 0 1 4 0M10 17v.1"/>',
  broken: '<path d="M10 3 2.5 16.5h15zM10 8v4M10 14v.1"/>',
};

/** Announces texts for screen readers, one at a time. */
class Announcer {
  constructor() {
    this.element = h('div', { id: 'herald', class: 'unseen', role: 'status', 'aria-live': 'polite' });
    document.body.append(this.element);
  }

  /** @param {string} text */
  say(text) {
    this.element.textContent = text;
  }
}

/** A line of labels below the title. */
class Chips {
  /** @type {Map<string, HTMLElement>} */
  #shown = new Map();

  constructor() {
    this.element = h('ul', { id: 'chips', 'aria-label': 'State' });
    one(document, '#over-top').append(this.element);
  }

  /** @param {string} id @param {string} text empty text removes the label @param {string} shapes shapes of its icon */
  set(id, text, shapes) {
    let chip = this.#shown.get(id);
    if (!text) {
      chip?.remove();
      this.#shown.delete(id);
      return;
    }
    if (!chip) {
      chip = h('li', { dataset: { state: id } }, icon(shapes), h('span', {}));
      this.#shown.set(id, chip);
      this.element.append(chip);
    }
    const span = one(chip, 'span');
    if (span.textContent !== text) span.textContent = text;
  }
}

/** @param {Page['frozen']} frozen @param {Page} page */
function frozenText(frozen, page) {
  if (!frozen) return '';
  const since = lengthOf(frozen.seconds);
  const said = frozen.message ? `: “${frozen.message}”` : '';
  if (frozen.own) return `You froze editing ${since} ago. Only you can edit.`;
  return `${frozen.name} froze editing ${since} ago${said}.${page.role === 'admin' ? ' Unfreeze in Teach.' : ''}`;
}

/** @param {Page} page @param {Chips} chips @param {Announcer} announcer */
function watchEditing(page, chips, announcer) {
  /** @type {string | null} */
  let told = null;
  const hint = one(document, '#hint');
  const show = () => {
    const { frozen } = page;
    const open = page.client.state === 'open';
    chips.set('frozen', open ? frozenText(frozen, page) : '', ICONS.frost);
    chips.set('read-only', open && page.role === 'viewer' ? 'View only. Ask the owner for an edit link.' : '', ICONS.eye);
    const toolbar = one(document, '#toolbar');
    if (page.editable) toolbar.removeAttribute('aria-describedby');
    else toolbar.setAttribute('aria-describedby', 'chips'); // explains why the toolbar is disabled
    page.stage.element.setAttribute('aria-description', page.editable ? EDITABLE_HELP : VIEW_HELP);
    hint.textContent = page.editable ? 'Nothing here yet. Add an object or choose a scene.' : 'Nothing here yet.';
    page.grabControls.refusalReason = page.editable ? '' : whyReadOnly(page);
    const state = frozen ? `${frozen.client} ${frozen.message ?? ''}` : '';
    if (open && page.state && told !== null && state !== told) announcer.say(frozen ? frozenText(frozen, page) : 'Everyone can edit again.');
    if (page.state) told = state;
  };
  for (const name of /** @type {const} */ (['state', 'hello', 'usable'])) page.on(name, show);
  page.client.on('state', show);
}

/** Checks the speed once per second. @param {Page} page @param {Chips} chips */
function watchSpeed(page, chips) {
  let last = performance.now();
  let everyTicks = 1;
  page.client.on('frame', () => { last = performance.now(); });
  page.client.on('frames.paced', (event) => { everyTicks = event.everyTicks; });
  page.client.on('hello', () => { everyTicks = 1; });
  setInterval(() => {
    const { state } = page;
    const open = page.client.state === 'open' && state !== null;
    const trip = page.client.statistics.roundTripMs;
    const silent = open && state.running && document.visibilityState === 'visible' && performance.now() - last > SILENT_MS && somethingMoves(page);
    const slow = (trip ?? 0) > SLOW_TRIP_MS || everyTicks > 1;
    const rate = everyTicks > 1 ? `, ${Math.round((state?.tickHz ?? 60) / everyTicks)} frames/s` : '';
    chips.set('connection', open && slow ? `Slow connection: ${Math.round(trip ?? 0)} ms${rate}` : '', ICONS.slow);
    const factor = state?.timing?.realTimeFactor ?? 1;
    chips.set('world', open && state.running && factor < SLOW_WORLD ? `The world runs at ${Math.round(100 * factor)}% of real time` : '', ICONS.slow);
    chips.set('silence', silent ? 'No updates from the server' : '', ICONS.slow);
  }, POLL_MS);
}

/** A world in which all objects sleep sends no frames, which is normal. @param {Page} page */
function somethingMoves(page) {
  return page.client.topology?.objects.some(({ asleep }) => !asleep) ?? false;
}

/** The states before the first picture, and after an interruption of drawing. @param {Page} page @param {Chips} chips @param {Announcer} announcer */
function watchPictures(page, chips, announcer) {
  const loading = one(document, '#loading');
  const off = page.on('picture', () => {
    if (!page.world.topology) return;
    off();
    loading.hidden = true;
  });
  // The contents of the graphics processor are lost: reloading the page shows the same view, once the driver works again.
  page.stage.canvas.addEventListener('webglcontextlost', () => {
    chips.set('drawing', 'The graphics driver stopped responding. If the picture stays frozen, reload the page.', ICONS.broken);
    announcer.say('Rendering was interrupted.');
  });
  page.stage.canvas.addEventListener('webglcontextrestored', () => { if (performance.now() > RETRY_AFTER_MS) location.reload(); });
}

/** Announces the title of a scene once it is loaded. @param {Page} page @param {Announcer} announcer */
function watchScene(page, announcer) {
  page.client.on('world.changed', ({ reason, scene }) => {
    if (reason === 'load') announcer.say(`Scene ${scene} loaded.`);
    else if (reason === 'reset') announcer.say('Scene restarted.');
  });
}

/** Explains a lost connection. @param {Page} page @param {Chips} chips */
function watchAbsence(page, chips) {
  const offline = () => chips.set('offline', navigator.onLine || isLocalPage() ? '' : 'This device is offline', ICONS.offline);
  for (const name of ['online', 'offline']) window.addEventListener(name, offline);
  offline();
  let failures = 0;
  page.client.on('state', ({ state, reason }) => {
    if (state === 'open') failures = 0;
    if (state !== 'closed' || page.role === 'none' && page.client.hello?.role === 'none') return;
    failures++;
    if (!navigator.onLine && !isLocalPage()) page.overlay.more('This device is offline.');
    else if (/removed/.test(reason ?? '') || failures >= ATTEMPTS || isLocalPage()) explainAbsence(page, reason);
  });
}

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  const announcer = new Announcer();
  const chips = new Chips();
  watchEditing(page, chips, announcer);
  watchSpeed(page, chips);
  watchPictures(page, chips, announcer);
  watchScene(page, announcer);
  watchAbsence(page, chips);
}
