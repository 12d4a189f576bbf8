// SPDX-License-Identifier: MIT
// People: the clients in the world with their names and colors, and marks for their pointers, grabs and selections
// (marks.js). In the dock (dock.js) users set their own name and color.
import { setClientColor } from '../../scene/material.js';
import { h } from '../../ui/dom.js';
import { keepIdentity, readIdentity } from './identity.js';
import { installHand } from './hand.js';
import { Marks } from './marks.js';
import { heedOwner } from './owner.js';
import { Pointing } from './pointing.js';
import { toRuns } from './runs.js';
/** @import { Page } from '../../page/page.js' */
/** @import { People, Person } from '../../page/people.js' */

const SEND_MS = 120; // minimum interval between two sent selections
const ANNOUNCE_MS = 400; // joins and leaves within this time are announced together

/** @param {import('../../page/page.js').Page} page */
export function install(page) {
  const { people } = page;
  listen(page, people);
  people.on('change', () => { for (const { client, color } of people.list) setClientColor(client, color); });
  people.on('went', ({ client }) => setClientColor(client, null));
  new Marks(page, people);
  new Pointing(page, people);
  showSelection(page);
  if (page.embed) return;
  announce(people);
  installHand(page);
  heedOwner(page);
  /** @param {{name?: string, color?: string}} identity */
  const introduce = (identity) => page.ask('client.introduce', identity).then((you) => {
    keepIdentity({ name: you.name, color: you.color });
    return you;
  });
  page.docks.add({
    id: 'people',
    title: 'People',
    icon: '<path d="M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 17c0-3.3 2.3-5.5 5.5-5.5S13 13.7 13 17M13 4a2.8 2.8 0 0 1 0 5.2M14.6 11.8c2.1.6 3.4 2.5 3.4 5.2"/>',
    place: 'left',
    order: 60,
    load: async () => new (await import('./dock.js')).PeopleDock(people, introduce),
  });
}

/** @param {Page} page @param {People} people */
function listen(page, people) {
  const { client } = page;
  client.on('state', ({ state }) => { if (state !== 'open') people.clear(); });
  page.on('hello', async ({ you }) => {
    people.own = you.client;
    people.update(you);
    const identity = readIdentity();
    if (Object.keys(identity).length > 0) page.ask('client.introduce', identity).catch(page.refuse);
    await page.ask('people.list').then((answer) => people.set(answer.people), page.refuse);
  });
  client.on('client.joined', (person) => people.update(person));
  client.on('client.changed', (person) => people.update(person));
  client.on('client.left', ({ client: id }) => people.remove(id));
  client.on('selection.changed', ({ client: id, ...selection }) => people.select(id, selection));
  client.on('pointer.moved', ({ client: id, position, laser }) => people.point(id, (!laser && position) || null));
  client.on('grab.started', (grab) => people.hold(grab));
  client.on('grab.ended', (grab) => people.release(grab));
  page.on('topology', ({ grabs }) => people.setGrabs(grabs));
}

/**
 * Sends the user's selection, at most once per interval. The server forgets it when the connection ends. An object that is
 * removed at the same moment is left out the next time.
 * @param {Page} page
 */
function showSelection(page) {
  const { selection, client } = page;
  let timer = 0;
  let shown = false;
  const send = () => {
    timer = 0;
    if (client.state !== 'open' || (!shown && selection.size === 0)) return;
    shown = selection.size > 0;
    page.ask('selection.show', toRuns(selection)).catch(() => {});
  };
  const soon = () => { timer ||= setTimeout(send, SEND_MS); };
  selection.on('change', soon);
  page.on('hello', () => {
    shown = false;
    soon();
  });
}

/** Announces joins and leaves for users who do not see the marks. @param {People} people */
function announce(people) {
  const said = h('p', { class: 'sr-only', role: 'status', id: 'people-news' });
  document.body.append(said);
  /** @type {string[]} */
  let news = [];
  let timer = 0;
  /** @param {Person} person @param {string} what */
  const tell = (person, what) => {
    if (person.client === people.own) return;
    news.push(`${person.name} ${what}.`);
    timer ||= setTimeout(() => {
      timer = 0;
      said.textContent = news.length > 3 ? `${news.length} people joined or left.` : news.join(' ');
      news = [];
    }, ANNOUNCE_MS);
  };
  /** @type {Set<number>} clients whose hand is up */
  const raised = new Set();
  people.on('change', () => {
    for (const person of people.list) {
      if (!person.hand) raised.delete(person.client);
      else if (!raised.has(person.client)) tell(person, 'raised a hand');
      if (person.hand) raised.add(person.client);
    }
  });
  people.on('came', (person) => tell(person, 'joined'));
  people.on('went', (person) => tell(person, 'left'));
}
