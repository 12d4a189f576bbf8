// SPDX-License-Identifier: MIT
// Moments: some ticks of a world, as a local world that shows them. `local:NAME?capsule=ADDRESS&from=TICK` is a new world with the
// history of the capsule, which stands at that tick and shows it (world.replay); whoever is in it plays the rest, and goes on from
// there. ADDRESS is that of a file, or `local:NAME/TIMELINE-FROM-TO` for ticks of a local world that is open.
import { CapsuleError, readCapsule } from '../engine/capsule.js';
import { Refusal } from './errors.js';
/** @import { LocalWorld } from './world.js' */

const LOCAL = /^local:([^/]+)\/(\d+)-(\d+)-(\d+)$/;

/** @typedef {{capsule: string, from: number}} Moment */

/** @param {string} search parameters of an address @returns {Moment | null} null: they name no moment */
export function readMoment(search) {
  const parameters = new URLSearchParams(search);
  const capsule = parameters.get('capsule');
  if (capsule === null) return null;
  const from = parameters.get('from') ?? '';
  if (!/^\d{1,15}$/.test(from)) throw new Refusal('INVALID', `the link is wrong: from must be a tick, a whole number, got "${from.slice(0, 60)}"`, '/from');
  return { capsule, from: Number(from) };
}

/** The ticks of an open local world that an address names. @param {string} address */
export function readLocalMoment(address) {
  const parts = LOCAL.exec(address);
  return parts && { name: decodeURIComponent(parts[1]), timeline: Number(parts[2]), from: Number(parts[3]), to: Number(parts[4]) };
}

/** @param {string} address of a file */
async function fetchFile(address) {
  const answer = await fetch(address).catch(() => null);
  if (!answer) throw new Refusal('NOT_FOUND', 'the moment could not be loaded: nobody answers at its address');
  if (answer.ok) return new Uint8Array(await answer.arrayBuffer());
  if (answer.status === 401 || answer.status === 403) throw new Refusal('DENIED', 'this moment is shown to people with a token only: open the world first, and show your token there');
  const why = (await answer.text().catch(() => '')).trim();
  throw new Refusal('NOT_FOUND', `the server does not have this moment any more${why && `: ${why.slice(0, 200)}`}`);
}

/** @param {string} address @param {(local: NonNullable<ReturnType<typeof readLocalMoment>>) => Promise<Uint8Array>} pack makes the capsule of an open world */
export async function openCapsule(address, pack) {
  const local = readLocalMoment(address);
  const bytes = local ? await pack(local) : await fetchFile(address);
  return readCapsule(bytes).catch((error) => { throw error instanceof CapsuleError ? new Refusal('INVALID', error.message) : error; });
}

/** The world shows a tick of its past, and stands there. @param {LocalWorld} local nobody is in it yet @param {number} from */
export async function showFrom(local, from) {
  local.world.running = false;
  await local.time.replay({ from, speed: 0 });
}
