// SPDX-License-Identifier: MIT
// The lesson that is open: the step that is shown, what is done, and the watch over the present task. The dock draws it (dock.js).
import { Emitter } from '../../../client/emitter.js';
import { loadLesson, openLesson } from './library.js';
import { keepProgress, progressOf } from './progress.js';
import { setUpPanels, setUpWorld } from './set_up.js';
import { Watch } from './watch.js';
/** @import { Lesson } from './format.js' */
/** @import { Page } from '../../page/page.js' */

/**
 * Emits 'change' when anything that is shown of the lesson changes, 'step' when another step is shown, and 'success' with the words
 * for it when a task is done.
 * @extends {Emitter<{change: undefined, step: undefined, success: string}>}
 */
export class Session extends Emitter {
  /** @type {Lesson | null} */
  lesson = null;

  /** The name of the lesson as in the address; of a file that the user opened its name. */
  name = '';

  /** Whether the lesson can be opened again by its name. */
  named = false;

  /** The step that is shown; the number of steps for the end. */
  index = 0;

  /** @type {Set<number>} steps that are done */
  done = new Set();

  /** Whether the world has been brought to where the step begins: 'no', 'busy' or 'yes'. */
  world = 'no';

  /** @type {Watch | null} */
  #watch = null;

  #turn = 0; // counts the steps that were shown, so that what belongs to an earlier one is dropped

  /** @param {Page} page */
  constructor(page) {
    super();
    this.page = page;
    page.on('usable', () => this.#follow());
  }

  get step() {
    return this.lesson?.steps[this.index];
  }

  get isAtEnd() {
    return this.lesson !== null && this.index === this.lesson.steps.length;
  }

  /** Whether the present step asks for something that is not done yet. */
  get isOpen() {
    return this.step !== undefined && (this.step.check !== undefined || this.step.question !== undefined) && !this.done.has(this.index);
  }

  /** @param {string} name @param {{index?: number, setUp?: boolean}} [options] see #begin */
  async load(name, options) {
    this.#begin(await loadLesson(name), name, true, options);
  }

  /** @param {File} file */
  async open(file) {
    this.#begin(await openLesson(file), file.name, false, { setUp: true });
  }

  /**
   * @param {Lesson} lesson @param {string} name @param {boolean} named
   * @param {{index?: number, setUp?: boolean}} [options] `index`: the step to show, in place of the one shown last; `setUp`: whether to
   *   bring the world to where the step begins
   */
  #begin(lesson, name, named, { index, setUp = false } = {}) {
    const { step, done } = progressOf(name, lesson.steps.length);
    Object.assign(this, { lesson, name, named, done: new Set(done) });
    this.go(Math.min(lesson.steps.length, Math.max(0, index ?? step)), { setUp });
  }

  /** Closes the lesson; what it has shown with the X-ray goes. */
  leave() {
    if (this.lesson?.steps.some(({ xray }) => xray)) this.page.address.set('xray', null);
    this.#end();
    this.lesson = null;
    this.#tell('step');
  }

  /**
   * Shows a step.
   * @param {number} index
   * @param {{setUp?: boolean, goesOn?: boolean}} [options] `goesOn`: the world is that of the step before
   */
  go(index, { setUp = true, goesOn = false } = {}) {
    if (!this.lesson) return;
    this.#end();
    this.index = index;
    this.world = 'no';
    if (!this.isAtEnd) keepProgress(this.name, { step: index, done: [...this.done] });
    if (setUp && !this.isAtEnd) this.setUp(goesOn);
    else this.#follow();
    this.#tell('step');
  }

  next() {
    if (!this.lesson || this.isAtEnd) return;
    this.go(this.index + 1, { goesOn: this.world === 'yes' });
  }

  back() {
    if (this.lesson && this.index > 0) this.go(this.index - 1);
  }

  /** Brings the world to where the step begins, if the user may change it. @param {boolean} [goesOn] */
  async setUp(goesOn = false) {
    const { lesson, page, index } = this;
    if (!lesson || this.isAtEnd) return;
    this.#end();
    const turn = this.#turn;
    if (!page.editable) {
      this.#follow();
      return;
    }
    this.world = 'busy';
    this.#tell('change');
    const isReady = await setUpWorld(page, lesson, index, goesOn).catch((error) => { page.refuse(error); return false; });
    if (turn !== this.#turn) return;
    this.world = isReady ? 'yes' : 'no';
    if (isReady) {
      await setUpPanels(page, lesson, index);
      if (turn !== this.#turn) return;
    }
    this.#follow();
    this.#tell('change');
  }

  /** Marks the present step as done. */
  succeed() {
    const { step, lesson } = this;
    if (!lesson || !step || this.done.has(this.index)) return;
    this.done.add(this.index);
    keepProgress(this.name, { step: this.index, done: [...this.done] });
    this.#tell('change');
    this.emit('success', step.success ?? 'Well done.');
  }

  /** Watches the task while the world is ready for it. */
  #follow() {
    const check = this.isOpen && this.world === 'yes' && this.page.editable ? this.step?.check : undefined;
    if (check && !this.#watch) this.#watch = new Watch(this.page, check, () => this.succeed());
    this.#tell('change');
  }

  #end() {
    this.#turn++;
    this.#watch?.end();
    this.#watch = null;
  }

  /** @param {'change' | 'step'} event */
  #tell(event) {
    this.emit(event);
    if (event === 'step') this.page.address.changed();
  }
}
