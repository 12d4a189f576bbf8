// SPDX-License-Identifier: MIT
// The dock of the lessons: the list of those there are, or the card of the present step.
import { h } from '../../ui/dom.js';
import { whyReadOnly } from '../../page/read_only.js';
import { paragraphs, questionOf, taskOf } from './card.js';
import { loadLesson, OWN_NAMES } from './library.js';
import { progressOf } from './progress.js';
/** @import { Lesson, Step } from './format.js' */
/** @import { Session } from './session.js' */

const strong = (/** @type {string} */ label, /** @type {() => unknown} */ onclick, more = {}) => h('button', { type: 'button', class: 'strong', onclick, ...more }, label);
const END = ['That was the last step. The world is yours now: change what you like, or go on with another lesson.'];

export class LessonsDock {
  /** @param {Session} session */
  constructor(session) {
    this.session = session;
    this.card = h('div');
    this.status = h('p', { role: 'status', class: 'lesson-success' });
    this.buttons = h('div', { class: 'lesson-buttons' });
    this.content = h('div', { class: 'lessons' }, this.card, this.status, this.buttons);
    /** @type {HTMLInputElement} */
    this.file = h('input', { type: 'file', accept: '.json,application/json', hidden: true, 'aria-label': 'Lesson file', onchange: () => {
      const [file] = this.file.files ?? [];
      this.file.value = '';
      if (file) this.open(session.open(file));
    } });
  }

  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    this.page = page;
    element.append(this.content, this.file);
    this.session.on('change', () => this.draw());
    this.session.on('step', () => {
      this.status.textContent = '';
      this.draw();
      element.scrollTop = 0;
      if (this.content.contains(document.activeElement) || document.activeElement === document.body) this.content.querySelector('h3')?.focus({ preventScroll: true });
    });
    this.session.on('success', (words) => { this.status.textContent = words; });
    this.draw();
  }

  /** Shows why a lesson cannot be opened. @param {Promise<void>} opening */
  open(opening) {
    return opening.catch((error) => this.page?.toasts.show(error));
  }

  draw() {
    const inside = this.content.contains(document.activeElement);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key ?? 'next';
    const { lesson, step } = this.session;
    if (!lesson) this.#drawList();
    else if (step) this.#drawStep(lesson, step);
    else this.#drawEnd(lesson);
    this.status.hidden = !step;
    if (inside) /** @type {HTMLElement | null} */ (this.content.querySelector(`[data-key="${focused}"]`))?.focus({ preventScroll: true });
  }

  #drawList() {
    const list = h('ul', { class: 'lesson-list' });
    this.buttons.replaceChildren();
    this.card.replaceChildren(
      h('p', {}, 'A lesson is a few steps: read, try, see. It loads its own scenes into this world.'), list,
      h('p', {}, strong('Open lesson file', () => this.file.click(), { dataset: { key: 'file' } })),
      h('p', { class: 'faint' }, 'Teachers write lessons as JSON files. Drop one on the page to play it.'));
    for (const name of OWN_NAMES) {
      const item = h('li', { 'aria-busy': 'true' });
      list.append(item);
      loadLesson(name).then((lesson) => item.replaceChildren(this.#entry(name, lesson)), (error) => { item.textContent = error.message; }).finally(() => item.removeAttribute('aria-busy'));
    }
  }

  /** @param {string} name @param {Lesson} lesson */
  #entry(name, { title, description, steps }) {
    const { step, done } = progressOf(name, steps.length);
    const tasks = steps.filter(({ check, question }) => check ?? question).length;
    const state = step === 0 && done.length === 0 ? `${steps.length} steps` : `Step ${step + 1} of ${steps.length}, ${done.length} of ${tasks} tasks done`;
    return h('button', { type: 'button', class: 'lesson-entry', dataset: { key: `lesson-${name}` }, onclick: () => this.open(this.session.load(name, { setUp: true })) },
      h('strong', {}, title), h('span', {}, description), h('small', {}, state));
  }

  /** The head of a card. @param {Lesson} lesson */
  #head({ title, steps }) {
    const { session } = this;
    return [
      h('p', { class: 'lesson-head' }, h('button', { type: 'button', class: 'plain-button', dataset: { key: 'list' }, onclick: () => session.leave() }, 'All lessons'), h('span', {}, title)),
      h('nav', { 'aria-label': 'Steps' }, h('ol', { class: 'lesson-steps' }, steps.map((step, at) => h('li', {}, h('button', {
        type: 'button', 'aria-label': `Step ${at + 1}: ${step.title}${session.done.has(at) ? ', done' : ''}`, title: step.title, dataset: { key: `step-${at}`, ...(session.done.has(at) && { done: '' }) },
        'aria-current': at === session.index ? 'step' : null, onclick: () => session.go(at),
      }, session.done.has(at) ? '✓' : String(at + 1)))))),
    ];
  }

  /** @param {Lesson} lesson @param {Step} step */
  #drawStep(lesson, step) {
    const { session } = this;
    const isDone = session.done.has(session.index);
    const answered = () => session.succeed();
    this.card.replaceChildren(
      ...this.#head(lesson),
      h('article', { class: 'card-text' },
        h('h3', { tabindex: -1, dataset: { key: 'title' } }, step.title), ...paragraphs(step.text),
        step.task ? taskOf(step, isDone) : '', step.question ? questionOf(step.question, isDone, answered) : ''),
      this.#worldNotice(step));
    this.buttons.replaceChildren(
      strong('Back', () => session.back(), { dataset: { key: 'back' }, disabled: session.index === 0 }),
      this.#mayAct ? strong(session.world === 'no' ? 'Set up step' : 'Restart step', () => session.setUp(), { dataset: { key: 'set-up' }, disabled: session.world === 'busy' }) : '',
      strong(session.isOpen && this.#mayAct ? 'Skip' : session.index + 1 < lesson.steps.length ? 'Next' : 'Finish', () => session.next(), { dataset: { key: 'next' } }));
  }

  get #mayAct() {
    return this.page?.editable ?? false;
  }

  /** What there is to say of the world: that it is not as the step needs it, or not the user's to change. @param {Step} step */
  #worldNotice({ task }) {
    const { session } = this;
    if (!this.#mayAct) return h('p', { class: 'why' }, `${task ? 'You can read on. To do the tasks you need to be an editor' : 'The steps do not change this world'}: ${this.page ? whyReadOnly(this.page) : ''}.`);
    if (session.world === 'busy') return h('p', { class: 'faint' }, 'Setting up this step …');
    return session.world === 'yes' ? '' : h('p', { class: 'why' }, 'Set up this step to play it: its scene takes the place of what is in this world.');
  }

  /** @param {Lesson} lesson */
  #drawEnd(lesson) {
    const { session } = this;
    const tasks = lesson.steps.flatMap(({ check, question }, at) => (check || question ? [at] : []));
    const done = tasks.filter((at) => session.done.has(at)).length;
    const next = h('span', {});
    this.card.replaceChildren(
      ...this.#head(lesson),
      h('article', { class: 'card-text' }, h('h3', { tabindex: -1, dataset: { key: 'title' } }, done === tasks.length ? 'Lesson complete' : 'End of the lesson'),
        h('p', {}, `You did ${done} of ${tasks.length} tasks.`), ...paragraphs(lesson.end ?? END)));
    this.buttons.replaceChildren(strong('Back', () => session.back(), { dataset: { key: 'back' } }), next);
    const { next: name } = lesson;
    if (!name) next.append(strong('All lessons', () => session.leave(), { dataset: { key: 'next' } }));
    else loadLesson(name).then(({ title }) => next.append(strong(`Start “${title}”`, () => this.open(session.load(name, { index: 0, setUp: true })), { dataset: { key: 'next' } })), (error) => this.page?.toasts.show(error));
  }
}
