// SPDX-License-Identifier: MIT
// The card of a step: its text, and its task or question.
import { equation } from '../../ui/equation.js';
import { h } from '../../ui/dom.js';
/** @import { Step, Text } from './format.js' */

/** Paragraphs and formulas. @param {Text} text */
export const paragraphs = (text) => text.flatMap((part) => {
  if (typeof part === 'string') return h('p', {}, part);
  const formula = h('div', { class: 'equation', tabindex: 0, role: 'group', 'aria-label': 'Equation' }, equation(part.formula, part.spoken));
  if (!part.where) return formula;
  return [formula, h('dl', {}, Object.entries(part.where).map(([symbol, meaning]) => h('div', {}, h('dt', {}, symbol), h('dd', {}, meaning))))];
});

/** What there is to do. @param {Step} step @param {boolean} done */
export function taskOf({ task, hint }, done) {
  const help = h('p', { class: 'lesson-hint', hidden: true }, hint);
  const show = h('button', { type: 'button', class: 'plain-button', 'aria-expanded': 'false', onclick: () => {
    help.hidden = !help.hidden;
    show.setAttribute('aria-expanded', String(!help.hidden));
  } }, 'Hint');
  return h('section', { class: 'lesson-task', dataset: done ? { done: '' } : {}, 'aria-label': 'Task' },
    h('h4', {}, done ? 'Done' : 'Try it'), h('p', {}, task), ...(hint && !done ? [show, help] : []));
}

/** @param {NonNullable<Step['question']>} question @param {boolean} done @param {() => void} answered called with the right answer */
export function questionOf({ ask, choices, answer }, done, answered) {
  const said = h('p', { role: 'status', class: 'lesson-wrong' });
  const choose = (/** @type {number} */ number) => {
    if (number === answer) answered();
    else said.textContent = 'That is not it. Try another answer.';
  };
  return h('fieldset', { class: 'lesson-task', dataset: done ? { done: '' } : {} }, h('legend', {}, ask),
    choices.map((choice, at) => h('label', { class: 'tick-choice' },
      h('input', { type: 'radio', name: 'lesson-answer', value: String(at + 1), checked: done && at + 1 === answer, disabled: done, onchange: () => choose(at + 1) }), h('span', {}, choice))), said);
}
