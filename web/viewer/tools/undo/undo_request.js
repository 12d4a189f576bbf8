// SPDX-License-Identifier: MIT
// Runs one undo or redo, from the request to the event that reports its end, including the confirmations by the user.
import { askAboutOthers, askAboutTime } from './dialogs.js';

/** @import { Page } from '../../page/page.js' */
/** @typedef {import('../../../client/protocol.js').Events['undo.progress']} UndoNews */
/** @typedef {import('../../../client/protocol.js').WorldUndoParams} Wish */

const WITHIN_S = 5; // if it takes longer, the page asks for confirmation first

/**
 * Sends the request and waits for the event that reports the end.
 * @param {Page} page @param {'world.undo'|'world.redo'} method @param {Wish} params
 * @returns {Promise<UndoNews>} the event; rejects with the server's refusal
 */
function workOut(page, method, params) {
  const { client } = page;
  const mine = client.hello?.session;
  return new Promise((resolve, reject) => {
    const offs = [
      client.on('undo.progress', (news) => { if (news.client === mine && !['begun', 'running'].includes(news.state)) end(resolve, news); }),
      client.on('state', ({ state }) => { if (state !== 'open') end(reject, new Error('The connection ended before it was done.')); }),
    ];
    /** @param {(value: any) => void} settle @param {UndoNews | Error} value */
    const end = (settle, value) => {
      for (const off of offs) off();
      settle(value);
    };
    client.call(method, { ...params, background: true }).catch((error) => end(reject, error));
  });
}

/**
 * Runs an undo or a redo, with confirmations where necessary.
 * @param {import('../../page/page.js').Page} page @param {'world.undo'|'world.redo'} method
 * @param {Wish} [params] params of the request
 * @returns {Promise<string|undefined>} the method of the command that was undone or redone; undefined if there was none
 */
export async function requestUndo(page, method, params = {}) {
  /** @type {Wish} */
  let wish = { within: WITHIN_S, ...params };
  for (;;) {
    let news;
    try {
      news = await workOut(page, method, wish);
    } catch (error) {
      page.refuse(/** @type {Error} */ (error));
      return undefined;
    }
    const { within, ...asked } = wish;
    if (news.state === 'done') {
      page.journal.add(method, asked, { [method === 'world.undo' ? 'undone' : 'redone']: news.method, tick: news.tick });
      return news.method;
    }
    if (news.opposite) {
      const choice = await askAboutTime(news.task, news.method, news.seconds, news.opposite, news.lost ?? []);
      if (choice === 'opposite') await page.call('batch.run', { commands: news.opposite });
      if (choice !== 'wait') return undefined;
      wish = { ...asked, ...(news.lost && { force: true }) }; // the user has confirmed the loss
    } else if (news.lost) {
      if (!await askAboutOthers(news.task, news.method, news.lost)) return undefined;
      wish = { ...wish, force: true };
    } else {
      if (news.message) page.toasts.show(news.message);
      return undefined;
    }
  }
}
