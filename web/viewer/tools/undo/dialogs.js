// SPDX-License-Identifier: MIT
// The dialogs before an undo or a redo: if others would lose work by it, and if it takes long.
import { openDialog } from '../../ui/dialog.js';
import { h } from '../../ui/dom.js';
import { lostOf, labelOf, personOf, timeOf } from './labels.js';

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
  const [title, yes] = task === 'undo' ? ['Undo changes of others too?', 'Undo anyway'] : ['Redo, although others lose changes?', 'Redo anyway'];
  const answer = await choose(title, [
    h('p', {}, `Others have built on “${labelOf(method)}” since. These changes would be lost:`),
    listOf(lost),
    h('p', {}, task === 'undo' ? 'They will be notified. Redo restores everything.' : 'They will be notified.'),
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
  const cheap = task === 'redo' ? 'Run it again now' : made ? 'Remove it now' : 'Revert it now';
  const long = seconds === undefined
    ? 'The server is too busy to estimate how long this takes. Pause the world first, or wait.'
    : `Recomputing the world ${task === 'undo' ? 'without it' : 'with it'} takes ${timeOf(seconds)}. The world keeps running meanwhile.`;
  const instead = opposite.length === 0 ? 'There is no faster way for this command.'
    : task === 'redo' ? 'Or run it again now, as a new command.'
      : `Or ${made ? 'remove it' : 'revert it'} now: what it caused since then stays.`;
  const others = lost.length > 0 ? [h('p', {}, 'Others have built on it. Either way, these changes are lost:'), listOf(lost)] : [];
  return choose('This will take a while', [h('p', {}, long), h('p', {}, instead), ...others],
    [...(opposite.length > 0 ? [/** @type {[string, 'opposite']} */ ([cheap, 'opposite'])] : []), ['Wait', 'wait'], ['Cancel', '']]);
}
