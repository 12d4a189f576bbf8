// SPDX-License-Identifier: MIT
// The methods of a local world that are a host's, not the engine's. Those that make no sense without a server are refused.

import { Refusal } from './errors.js';
import { listHistory, listLog } from './listing.js';
/** @import { LocalClient, LocalWorld } from './world.js' */

const alone = (/** @type {string} */ method, /** @type {string} */ why) => () => {
  throw new Refusal('STATE', `${method} needs a server: this world is computed in this page alone, and ${why}`);
};

const NO_COPIES = alone('world.copy', 'nobody else can open a copy of it');

/** Everyone in a local world is an owner. @param {string} denial */
const refuseOwner = (denial) => (/** @type {LocalWorld} */ local, /** @type {LocalClient} */ _, /** @type {{client: number}} */ { client }) => {
  if (local.isHere(client)) throw new Refusal('STATE', `client ${client} is an owner, ${denial}`, '/client');
  throw new Refusal('NOT_FOUND', `there is no client ${client} in this world: people.list tells who is here`, '/client');
};

/** @type {Record<string, (local: LocalWorld, client: LocalClient, params: any) => object | Promise<object>>} */
export const ANSWERS = {
  'world.seek': (local, client, params) => local.travel(() => local.time.seek(params, client.id)),
  'world.replay': (local, _, params) => local.travel(() => local.time.replay(params)),
  'world.undo': (local, client, params) => takeBack(local, client, params, () => local.undo.undo(client, params)),
  'world.redo': (local, client, params) => takeBack(local, client, params, () => local.undo.redo(client, params)),
  'world.cancel': (local) => ({ cancelled: local.undo.cancel() }),
  'world.history': (local, _, params) => listHistory(local, params),
  'world.log': (local, _, params) => listLog(local, params),
  'world.export': (local, _, params) => local.server.export(local, params),
  'world.list': (local) => local.server.list(),
  'world.create': (local, _, params) => local.server.create(params),
  'world.branch': (local, _, params) => (params.copies === undefined ? local.server.branch(local, params) : NO_COPIES()),
  'world.copy': NO_COPIES,
  'world.import': (local, _, params) => local.server.import(params),
  'world.remove': (local, _, params) => local.server.remove(params),
  'scene.list': (local) => local.server.scenes.list(),
  'scene.load': async (local, client, { name }) => local.loadScene(name, await local.server.scenes.read(name), client),
  'scene.save': (local, _, params) => local.server.scenes.save(local, params),
  'scene.delete': (local, _, { name }) => local.server.scenes.delete(name),
  'scene.preview': (local, _, params) => local.server.scenes.preview(params),
  'session.resume': (_, client) => ({ client: client.number }),
  'session.authenticate': alone('session.authenticate', 'has no tokens'),
  'server.get': alone('server.get', 'has no server to describe'),
  'client.list': alone('client.list', 'has no connections from elsewhere'),
  'client.close': alone('client.close', 'has no connections from elsewhere'),
  'people.grant': refuseOwner('whose role stays as it is'),
  'people.remove': refuseOwner('who cannot be removed'),
  'world.freeze': alone('world.freeze', 'has nobody else who could change it'),
  'broadcast.start': alone('broadcast.start', 'has no address from which others could fetch it'),
  'broadcast.stop': alone('broadcast.stop', 'has no broadcast'),
  'broadcast.get': () => ({ on: false }),
};

/**
 * An undo or redo, which is answered at once if it is to be done in the background.
 * @param {LocalWorld} local @param {LocalClient} client @param {{background?: boolean}} params @param {() => Promise<object>} work
 */
function takeBack(local, client, { background = false }, work) {
  if (local.undo.isOn) throw new Refusal('BUSY', 'another undo or redo is running: try again when it is done', '', { retryAfterMs: 500 });
  if (local.time.shown) local.time.takeOver();
  const done = local.travel(work);
  if (!background) return done;
  done.catch(() => {}); // the event undo.progress tells of it
  return { background: true };
}
