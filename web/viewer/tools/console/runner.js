// SPDX-License-Identifier: MIT
// Executes the parsed commands of the console one after the other. Commands that change the world are added to the page's
// journal.
import { madeBy, placeOf, resolve as namesToIds } from '../../script/language.js';
/** @import { WeftClient } from '../../../client/client.js' */
/** @import { WeftError } from '../../../client/errors.js' */
/** @import { Page } from '../../page/page.js' */

/** The error of a command, and its position in the text. */
export class RunFault extends Error {
  /** @param {string} message @param {import('../../script/language.js').Span} [place] */
  constructor(message, place) {
    super(message);
    this.name = 'RunFault';
    this.place = place;
  }
}

/**
 * @param {import('../../page/page.js').Page} page
 * @param {import('../../script/language.js').Statement} statement
 * @param {Map<string, number>} names names of objects; the statement's name is added
 * @param {AbortSignal} signal
 * @returns {Promise<object|string>} the result, or a description of it; rejects with a RunFault
 */
export async function runStatement(page, statement, names, signal) {
  if (signal.aborted) throw new RunFault('Stopped.');
  if (statement.kind === 'wait') return wait(page, statement.ticks ?? 0, signal);
  const method = /** @type {import('../../../client/protocol.js').MethodName} */ (statement.method); // the server checks the params
  const params = namesToIds(statement.params, names);
  let answer;
  try {
    answer = await page.ask(method, params);
  } catch (error) {
    const { message, data } = /** @type {WeftError} */ (error);
    throw new RunFault(message, placeOf(statement, data));
  }
  page.journal.add(method, params, answer);
  if (statement.as) {
    const id = madeBy(answer);
    if (id === undefined) throw new RunFault(`${method} ran, but creates nothing that could be named ${statement.as}.`);
    names.set(statement.as, id);
  }
  return answer;
}

/** Steps a paused world, or waits until a running world has reached the tick. @param {Page} page @param {number} ticks @param {AbortSignal} signal */
async function wait(page, ticks, signal) {
  try {
    const { running, tick } = await page.ask('world.get');
    if (!running) {
      const answer = await page.ask('world.step', { ticks });
      page.journal.add('world.step', { ticks }, answer);
      return `at tick ${answer.tick}`;
    }
    await arrival(page.client, tick + ticks, signal);
    return `at tick ${tick + ticks}`;
  } catch (error) {
    throw error instanceof RunFault ? error : new RunFault(/** @type {Error} */ (error).message);
  }
}

/** @param {WeftClient} client @param {number} tick @param {AbortSignal} signal @returns {Promise<void>} */
function arrival(client, tick, signal) {
  return new Promise((resolve, reject) => {
    const offs = [
      client.on('frame', (frame) => { if (frame.tick >= tick) end(resolve); }),
      client.on('world.changed', ({ reason, running }) => {
        if (['reset', 'load', 'seek', 'undo', 'redo'].includes(reason)) end(() => reject(new RunFault(`The world jumped to another state (${reason}) during the wait.`)));
        else if (running === false) end(() => reject(new RunFault('The world was paused during the wait.')));
      }),
      client.on('state', ({ state }) => { if (state !== 'open') end(() => reject(new RunFault('The connection was lost during the wait.'))); }),
    ];
    const stop = () => end(() => reject(new RunFault('Stopped.')));
    signal.addEventListener('abort', stop);
    /** @param {() => void} settle */
    function end(settle) {
      for (const off of offs) off();
      signal.removeEventListener('abort', stop);
      settle();
    }
  });
}
