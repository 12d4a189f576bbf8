// SPDX-License-Identifier: MIT
// The entry point of the page: creates the client, the stage, the view of the world, and the tools around it
// (tools/index.js). `?world=NAME` chooses the world; without it the page shows the server's default world. `?world=local:SCENE` is a
// world without a server (page/world_address.js).
import { WeftClient } from '../client/client.js';
import { worker } from './preload.js';
import { SnapshotBuffer } from './timing/interpolation.js';
import { inTab } from './settings/storage.js';
import { one } from './ui/dom.js';
import { Login } from './ui/login.js';
import { Overlay, Toasts } from './ui/notice.js';
import { installMove } from './page/move.js';
import { Page } from './page/page.js';
import { EVENTS, framesAt } from './page/subscriptions.js';
import { isLocalPage, shownAddress } from './page/world_address.js';
import { Settling } from './scene/settling.js';
import { Stage } from './scene/stage.js';
import { WorldView } from './scene/world.js';
import { settings } from './settings/settings.js';
import { Toolbar } from './ui/toolbar.js';
import { installTools } from './tools/index.js';
/** @import { Frame } from '../client/frame.js' */

/** @typedef {import('../client/topology.js').Topology} Topology */
/** @typedef {import('../client/topology.js').Grab} Grab */
/** @typedef {import('./page/page.js').WorldState} WorldState */
/** @typedef {import('./page/subscriptions.js').EventName} EventName */

/** @type {EventName[]} */
const DETAILS = [
  'obstacle.added', 'obstacle.removed', 'stick.added', 'stick.changed', 'stick.removed', 'particle.pinned', 'particle.unpinned', 'object.slept', 'object.woke',
  'object.changed', 'obstacle.changed',
];
const POLL_MS = 1000;
const UNSTORED = 'The server cannot save this world at the moment. It goes on, but nobody can change it until the server can save it again.';

const overlay = new Overlay(one(document, '#overlay'));
const login = new Login(one(document, '#login'));
const leave = one(document, '#leave');
leave.addEventListener('click', () => login.leave());
const stage = openStage();
const world = new WorldView(stage.scene, stage.theme);
const client = new WeftClient(shownAddress(), { worker: () => worker });
// A failure is reported by the event 'state'.
const tryNow = () => { if (client.state === 'closed' && !login.shown) client.connect().catch(() => {}); };
overlay.onTry = tryNow;
window.addEventListener('online', tryNow);
const toasts = new Toasts(one(document, '#toasts'));
/** @param {Frame} frame */
const recycle = (frame) => client.recycle(frame);
const buffer = new SnapshotBuffer({ release: (frame) => world.release(frame, recycle) });
const page = new Page({ client, stage, world, buffer, overlay, toasts });
const { refuse, panel, grabControls, precision } = page;
let insets = { right: 0, top: 0, bottom: 0 }; // what was covered when the scene was framed last, CSS pixels
/** @param {boolean} smooth */
const frameScene = (smooth) => {
  insets = covered();
  stage.setInsets(insets);
  stage.rig.frame(world.framedBox(), smooth);
};
const toolbar = new Toolbar(document, {
  call: page.call.bind(page),
  actions: page.actions,
  place: () => ({ target: stage.rig.target.toArray(), floor: world.floorHeight(), bounds: world.bounds }),
  frame: () => {
    page.following.stop();
    frameScene(true);
  },
});

/** @type {Map<number, Topology>} topologies by epoch; an old one is dropped when frames of a newer epoch are shown */
const topologies = new Map();
/** @type {Map<number, Grab>} the grabs of all clients, by grab id */
const grabs = new Map();
const settling = new Settling(stage.rig, () => world.framedBox());
for (const name of ['pointerdown', 'wheel', 'keydown']) {
  window.addEventListener(name, () => settling.stop(), { capture: true, passive: true });
}
/** @type {{fps: number, frames: number, shownEpoch: number | null, framedPast: number, scene: string | null, bytes: number, received: number, lookedAt: number, pictures: number}} */
const figures = { fps: 0, frames: 0, shownEpoch: null, framedPast: -1, scene: null, bytes: 0, received: 0, lookedAt: 0, pictures: 0 };
const FIRST_PICTURE = 'first-picture'; // performance mark, set once the world is drawn
/** @type {() => void} */
let markReady = () => {};
const ready = /** @type {Promise<void>} */ (new Promise((resolve) => { markReady = resolve; }));
let unmarked = false; // whether the first picture is drawn but not yet on the screen
ready.then(() => { unmarked = true; });

page.on('usable', (usable) => {
  toolbar.setUsable(usable);
  panel.setUsable(usable);
});
toolbar.setUsable(false);
panel.setUsable(false);

// ---- events of the client

client.on('state', (news) => {
  if (!login.shown) overlay.update(news);
  page.updateUsable();
  showPlace(news.state);
  if (news.state === 'open') return;
  grabControls.drop();
  grabs.clear();
});

client.on('hello', (hello) => {
  if (hello.role === 'none') {
    login.show();
    client.close(); // until the user has entered a token
    return;
  }
  leave.hidden = hello.name === undefined;
  overlay.several = hello.nodes !== undefined;
  grabControls.retake(); // the world may be on another node
  buffer.tickHz = world.tickHz = hello.tickHz ?? 60;
  page.role = hello.role;
  page.frozen = hello.frozen ?? null;
  page.emit('hello', hello);
  page.updateUsable();
  showPlace(client.state);
  listScenes();
  poll();
});

const listScenes = () => page.ask('scene.list').then(({ scenes }) => toolbar.setScenes(scenes, figures.scene), refuse);
page.journal.on('entry', ({ method }) => { if (method === 'scene.save' || method === 'scene.delete') listScenes(); });

client.on('topology', (topology) => {
  topologies.set(topology.epoch, topology);
  grabs.clear();
  for (const grab of topology.grabs) grabs.set(grab.grab, grab);
  if (topology.epoch === figures.shownEpoch) world.setTopology(topology);
  page.emit('topology', topology);
});

client.on('frame', (frame) => {
  figures.frames++;
  buffer.push(frame);
});

client.on('fault', refuse);
client.on('grab.started', (grab) => grabs.set(grab.grab, grab));
client.on('grab.ended', ({ grab }) => {
  grabs.delete(grab);
  grabControls.lose(grab);
});
client.on('client.joined', ({ clients }) => panel.setFigures({ clients: String(clients) }));
client.on('client.left', ({ clients }) => panel.setFigures({ clients: String(clients) }));
client.on('body.quarantined', ({ object }) => toasts.show(`Object ${object} became unstable (positions are not finite) and was frozen in place.`));
// Several events between two pictures are applied together, with the next picture.
let detailsStale = false;
for (const name of DETAILS) client.on(name, () => { detailsStale = true; });

function showDetails() {
  detailsStale = false;
  const { topology } = client;
  if (!topology) return;
  topologies.set(topology.epoch, topology);
  world.setDetails(topology);
}

client.on('world.changed', ({ reason, running, replay }) => {
  if (typeof running === 'boolean') showRunning(running, replay);
  if (reason === 'load') figures.framedPast = figures.shownEpoch ?? -1; // until the new topology arrives, the page still shows the previous world
  poll();
});

/** @param {boolean} running @param {WorldState['replay']} replay */
function showRunning(running, replay) {
  page.running = running || Boolean(replay?.playing);
  toolbar.setRunning(running, replay);
}

// State without events: parameters, timing, counts. If requests overlap, the last reply counts.
let polls = 0;
async function poll() {
  if (client.state !== 'open') return;
  const mine = ++polls;
  const state = await page.ask('world.get').catch(refuse);
  if (!state || mine !== polls) return;
  page.setState(state);
  panel.setParameters(state);
  world.setBounds(state.bounds);
  showRunning(state.running, state.replay);
  tellRecomputed(state);
  if (state.unstored) toasts.show(UNSTORED);
  if (state.scene !== figures.scene) toolbar.setScene(figures.scene = state.scene ?? null);
  const { tickMs, clients, stagesMs } = state.timing ?? {};
  panel.stages.add(stagesMs);
  panel.setFigures({
    tick: typeof tickMs === 'number' ? `${tickMs.toFixed(2)} ms` : '–',
    particles: (state.counts?.particles ?? 0).toLocaleString('en'),
    ...(typeof clients === 'number' && { clients: String(clients) }),
  });
}

/** An older physics version computed other numbers from the same commands. The page reports this once per tab. @param {WorldState} state */
function tellRecomputed({ world: name, recomputed }) {
  const told = `weft.recomputed.${name}`;
  if (!recomputed) return;
  const key = JSON.stringify(recomputed);
  if (inTab.text(told) === key) return;
  inTab.setText(told, key);
  const { physics, from, to, leftOut } = recomputed;
  toasts.show(`This world was made with physics version ${physics}. Ticks ${from} to ${to} were recomputed with the current version, so objects may have moved.${
    leftOut > 0 ? ` Commands that could not be repeated: ${leftOut}.` : ''}`);
}

// ---- drawing

/** @param {number} now */
function showFrame(now) {
  const shown = buffer.sample(now);
  if (!shown) return;
  const { from, to, alpha } = shown;
  if (from.epoch !== figures.shownEpoch) {
    const topology = topologies.get(from.epoch);
    if (!topology) return;
    world.setTopology(topology);
    if (figures.shownEpoch === null) stage.hurry();
    figures.shownEpoch = from.epoch;
    // The event of another scene may arrive before the scene's first frame: the camera is framed with that frame.
    one(document, '#hint').hidden = topology.particles > 0 || topology.obstacles.length > 0;
    for (const epoch of topologies.keys()) if (epoch < from.epoch) topologies.delete(epoch);
  }
  world.update(from, to, alpha);
  if (from.epoch > figures.framedPast) {
    const linked = figures.framedPast < 0 && stage.rig.userControlled; // the address gives the camera's position for the first picture
    figures.framedPast = Infinity;
    if (linked) stage.setInsets(insets = covered());
    else {
      frameScene(false);
      settling.begin(world.entries.size);
    }
    markReady();
  }
}

let last = performance.now();
let lit = 0;
const picture = { now: last, elapsed: 0 };
/** @param {number} now */
function draw(now) {
  const start = performance.now();
  requestAnimationFrame(draw);
  if (unmarked) performance.mark(FIRST_PICTURE);
  unmarked = false;
  const elapsed = now - last;
  last = now;
  if (detailsStale) showDetails();
  showFrame(performance.now());
  if (settling.isDue(world.entries.size, grabs.size > 0)) frameScene(true);
  grabControls.update(elapsed);
  picture.now = last;
  picture.elapsed = elapsed;
  page.emit('picture', picture);
  world.updateMarkers(grabs, grabControls.hover, stage.view);
  if (world.topology && lit++ % 20 === 0) stage.light(world.contentBox(), world.floorHeight());
  if (!page.covered) stage.render(elapsed, performance.now() - start);
  figures.pictures++;
}

setInterval(() => {
  const now = performance.now();
  const { bytesReceived, framesReceived, roundTripMs, decodeMs, source, sourceReason } = client.statistics;
  const seconds = (now - figures.lookedAt) / 1000;
  buffer.computedHere = source === 'ticks';
  figures.fps = figures.pictures / seconds;
  panel.setFigures({
    fps: figures.fps.toFixed(0),
    traffic: formatRate(Math.max(0, bytesReceived - figures.bytes) / seconds),
    roundTrip: roundTripMs == null ? '–' : `${roundTripMs.toFixed(1)} ms`,
    precision: source === 'ticks' ? 'exact' : `${(1000 * precision.step).toFixed(2)} mm`,
    source: source === 'ticks' || isLocalPage() ? 'This page' : 'Server',
  });
  panel.explainSource(sourceReason);
  const decoding = ((framesReceived - figures.received) * (decodeMs ?? 0)) / (1000 * seconds);
  if (client.state === 'open' && precision.observe(decoding, client.topology?.particles ?? 0)) subscribe();
  Object.assign(figures, { bytes: bytesReceived, received: framesReceived, lookedAt: now, pictures: 0 });
  poll();
}, POLL_MS);

settings.on('theme', (theme) => {
  stage.setTheme(theme);
  world.setTheme(stage.theme);
  page.emit('theme', theme);
});
stage.onLevel = (level) => settings.keepLevel(level);
settings.on('quality', () => stage.choose());
stage.onMaterials = () => world.renew();
stage.onResize = reframe;

/**
 * For tests and debugging, read-only: `client` (WeftClient), `page` (Page, the object that tools receive), `ready` (a
 * promise: the first frame is displayed), `frames` (number received), `fps` (of the last second), `quality` (current level of
 * quality), `objects` (id, kind, particles, pins, displayed positions) and `screenOf(object, particle)` (its place on the
 * page, in CSS pixels).
 */
const forTests = Object.freeze({
  client,
  page,
  ready,
  get frames() { return figures.frames; },
  get fps() { return figures.fps; },
  get quality() { return stage.qualityNow; },
  get objects() {
    return [...world.entries.values()].map(({ id, kind, positions, pins }) => (
      { id, kind, particles: positions.length / 3, pins: [...pins], positions }));
  },
  /** @param {number} object @param {number} particle */
  screenOf(object, particle) {
    const entry = world.find(object);
    return entry && stage.project(entry.place(particle));
  },
});
Object.assign(window, { weft: forTests });

// What lies over the picture at its top and bottom, in CSS pixels, at most a quarter of it each: scenes are framed in the rest.
function covered() {
  if (page.embed) return { right: 0, top: 0, bottom: 0 };
  const { top, bottom, height } = one(document, '#stage').getBoundingClientRect();
  /** @param {string} within @returns {DOMRect[]} the visible elements */
  const boxes = (within) => [...document.querySelectorAll(within)].map((element) => element.getBoundingClientRect()).filter((box) => box.height > 0);
  const above = Math.max(top, ...boxes('#title, #over-top > *').map((box) => box.bottom));
  const below = Math.min(bottom, ...boxes('#over-bottom > *').map((box) => box.top));
  return { right: 0, top: Math.min(above - top, height / 4), bottom: Math.min(bottom - below, height / 4) };
}

/** A panel was opened, closed or resized: the picture shows the same in the room that is left, at least the selection. */
function reframe() {
  if (figures.shownEpoch === null) return;
  if (!stage.rig.userControlled) frameScene(false);
  else {
    stage.setInsets(insets);
    const selected = world.boxOf([...page.selection.objects, ...page.selection.particles.keys()]);
    if (!selected.isEmpty()) stage.rig.keepInSight(selected);
  }
  stage.renderOnce();
}

function openStage() {
  try {
    return new Stage(one(document, '#stage'), settings.themeName, settings);
  } catch (error) {
    overlay.explain('This browser can’t show the world',
      'Weft needs WebGL 2, which is missing or disabled here. Try another browser, or enable hardware acceleration.');
    throw error;
  }
}

/** @param {string} state */
function showPlace(state) {
  const place = one(document, '#place');
  place.dataset.state = state;
  if (client.hello) document.title = `Weft · ${client.hello.world}`;
  place.textContent = state === 'open' ? `World: ${client.hello?.world ?? ''}` : state === 'connecting' ? 'Connecting…' : 'Not connected';
}

function subscribe() {
  client.subscribeFrames(framesAt(precision.step)).catch(refuse);
}

/** @param {number} bytes */
function formatRate(bytes) {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB/s` : `${(bytes / 1e6).toFixed(2)} MB/s`;
}

installTools(page);
installMove(page);
client.subscribeEvents(EVENTS);
subscribe();
client.connect().catch(refuse);
requestAnimationFrame(draw);
