// SPDX-License-Identifier: MIT
// The dialogs before an undo or a redo: if others would lose work by it, and if it takes long.
import { openDialog } from '../../ui/dialog.js';
import { h } from '../../ui/dom.js';
import { lostOf, nounOf, personOf, timeOf } from './labels.js';

/** @typedef {import('../../../client/protocol.js').LostCommands} Lost */

/**
 * Opens a dialog with a button for each choice. Resolves with the value of the chosen button, or with that of the last one if
 * the dialog is closed.
 * @template {string} V
 * @param {string} title @param {Node[]} content @param {[label: string, value: V][]} choices
 * @returns {Promise<V>}
 */
function choose(title, content, choices) {
  return new Promise((resolve) => {
    /** @param {[label: string, value: V]} choice @param {number} at */
    const button = ([label, value], at) => h('button', {
      type: 'button', class: 'strong', autofocus: at === choices.length - 1,
      onclick: () => {
        resolve(value);
        dialog.close();
      },
    }, label);
    const dialog = openDialog(title, { class: 'confirm', role: 'alertdialog' }, ...content, h('footer', {}, ...choices.map(button)));
    dialog.addEventListener('close', () => resolve(choices[choices.length - 1][1]));
  });
}

/** One line per person, with the number of lost commands. @param {Lost} lost */
function listOf(lost) {
  /** @type {Map<number, Lost>} */
  const byPerson = new Map();
  for (const row of lost) byPerson.set(row.client, [...(byPerson.get(row.client) ?? []), row]);
  return h('ul', { class: 'lost-list' }, ...[...byPerson.values()].map((rows) => h('li', {}, h('strong', {}, personOf(rows[0])), `: ${rows.map(lostOf).join('; ')}`)));
}

/**
 * Asks for confirmation, because others would lose commands that they gave since.
 * @param {'undo'|'redo'} task @param {string|undefined} method @param {Lost} lost
 * @returns {Promise<boolean>} whether to continue
 */
export async function askAboutOthers(task, method, lost) {
  const [title, yes] = task === 'undo' ? ['Take back what others have worked on?', 'Take it back'] : ['Give it again, though others lose work?', 'Give it again'];
  const answer = await choose(title, [
    h('p', {}, `Others have worked on ${nounOf(method)}. This would be lost with it:`),
    listOf(lost),
    h('p', {}, task === 'undo' ? 'They are told. Redo brings all of it back.' : 'They are told.'),
  ], [[yes, 'yes'], ['Cancel', '']]);
  return answer !== '';
}

/**
 * Asks for confirmation, because the undo would take long.
 * @param {'undo'|'redo'} task @param {string|undefined} method @param {number|undefined} seconds
 * @param {object[]} opposite commands with the opposite effect, which run at once
 * @param {Lost} lost commands of others for the same objects
 * @returns {Promise<''|'wait'|'opposite'>}
 */
export function askAboutTime(task, method, seconds, opposite, lost) {
  const made = /\.(spawn|add)$/.test(method ?? '');
  const cheap = task === 'redo' ? 'Do it once more now' : made ? 'Remove it now' : 'Put it back now';
  const long = seconds === undefined
    ? 'This world is so busy that it cannot be worked out while the world runs: pause it first, or wait and see.'
    : `To work out how the world would be ${task === 'undo' ? 'without it' : 'with it'} takes ${timeOf(seconds)}. The world goes on meanwhile.`;
  const instead = opposite.length === 0 ? 'There is no quick way for this one.'
    : task === 'redo' ? 'Or do it once more at once: then it happens now, not when you did it first.'
      : `Or ${made ? 'remove it' : 'put back what it changed'} at once: what has happened because of it stays as it is.`;
  const others = lost.length > 0 ? [h('p', {}, 'Others have worked on it. Either way this is lost:'), listOf(lost)] : [];
  return choose('This takes a while', [h('p', {}, long), h('p', {}, instead), ...others],
    [...(opposite.length > 0 ? [/** @type {[string, 'opposite']} */ ([cheap, 'opposite'])] : []), ['Wait for it', 'wait'], ['Cancel', '']]);
}
