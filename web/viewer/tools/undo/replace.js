// SPDX-License-Identifier: MIT
// Confirms a reset or the loading of a scene, which replace the world for all clients, if other clients are present.
// Afterwards all clients see the name of the person who did it, and each editor can undo it.
import { confirm } from '../../ui/dialog.js';
import { requestUndo } from './undo_request.js';
import { personOf } from './labels.js';

const NAMES_MAX = 3;

/** "Bea", "Bea and Otter", "Bea, Otter, Kim and 4 more" @param {string[]} names */
function listOf(names) {
  const shown = names.slice(0, NAMES_MAX);
  const more = names.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${more} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : shown.join();
}

/** @param {import('../../page/page.js').Page} page */
export function askBeforeReplacing(page) {
  const { client } = page;
  const mine = () => client.hello?.session;
  let others = 0; // number of other clients in this world

  /** @param {string} method */
  async function ask(method) {
    const people = (await page.ask('people.list')).people.filter(({ client: number }) => number !== mine());
    if (people.length === 0) return true;
    const are = people.length === 1 ? 'is' : 'are';
    const what = method === 'world.reset' ? 'Restarting the scene' : 'Loading another scene';
    return confirm('Replace the world for everyone?',
      `${listOf(people.map(personOf))} ${are} here too. ${what} replaces what everyone sees and has built. Everyone is notified, and any editor can undo it.`,
      method === 'world.reset' ? 'Restart for everyone' : 'Load for everyone');
  }
  for (const method of ['world.reset', 'scene.load']) page.guard(method, () => ask(method));

  const count = ({ clients = 1 }) => { others = clients - 1; };
  client.on('client.joined', count);
  client.on('client.left', count);
  page.on('state', ({ timing }) => { if (timing) count(timing); });

  const undo = () => requestUndo(page, 'world.undo', { scene: true });
  client.on('world.changed', ({ reason, client: who, name, scene }) => {
    if ((reason !== 'reset' && reason !== 'load') || (others < 1 && (who === undefined || who === mine()))) return;
    const by = who === undefined ? 'Someone' : who === mine() ? 'You' : personOf({ client: who, name });
    const did = reason === 'reset' ? 'restarted the scene' : `loaded the scene “${scene}”`;
    page.toasts.show(`${by} ${did} for everyone.`, page.editable ? { label: 'Undo', run: undo } : undefined);
  });
}
