// SPDX-License-Identifier: MIT
// Lessons: steps with cards, tasks and checks, from files (web/lessons/LESSONS.md). `?lesson=NAME&step=N` shows a step; NAME is that
// of a lesson that comes with Weft, or the address of a file on the same server. The modules are loaded when the dock is first opened.
import { isLocalPage } from '../../page/world_address.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Session } from './session.js' */

const ICON = '<path d="M10 5.500C8 4 5.500 3.800 3 4v11c2.500-.2 5 0 7 1.500 2-1.500 4.500-1.700 7-1.500V4c-2.500-.2-5 0-7 1.500zM10 5.500v11"/>';

/** @param {Page} page */
export function install(page) {
  if (page.embed) return;
  /** @type {Session | null} */
  let session = null;
  const load = async () => {
    const { Session: Made } = await import('./session.js');
    session ??= tellSuccess(page, new Made(page));
    return session;
  };
  page.docks.add({
    id: 'lessons', title: 'Lessons', icon: ICON, place: 'left', order: 65,
    load: async () => new (await import('./dock.js')).LessonsDock(await load()),
  });
  const isPlaying = () => session?.lesson != null;
  page.actions.add({ id: 'lessons.next', title: 'Lesson: next step', group: 'Lessons', keys: ['n'], run: () => session?.next(), enabled: isPlaying });
  page.actions.add({ id: 'lessons.back', title: 'Lesson: previous step', group: 'Lessons', keys: ['shift+n'], run: () => session?.back(), enabled: isPlaying });
  addToAddress(page, () => session, load);
  takeDrops(page, load);
}

/** While the dock is closed, a toast tells that a task is done. @param {Page} page @param {Session} session */
function tellSuccess(page, session) {
  session.on('success', (words) => {
    if (!page.docks.isOpen('lessons')) page.toasts.show(words, { label: 'Next step', run: () => { session.next(); page.docks.open('lessons'); } });
  });
  return session;
}

/** @param {Page} page @param {() => Session | null} now @param {() => Promise<Session>} load */
function addToAddress(page, now, load) {
  /** @type {{lesson: string, step: string | null} | null} what is being opened, and stays in the address meanwhile */
  let wanted = null;
  /** The index of a step in the address. @param {string | null} step */
  const indexOf = (step) => Math.max(0, (Math.trunc(Number(step)) || 1) - 1);
  const shown = () => { const session = now(); return session?.lesson && session.named ? session : null; };
  /** @param {string} lesson */
  const open = async (lesson) => {
    const step = page.address.get('step');
    const mine = wanted = { lesson, step };
    try {
      page.docks.open('lessons', false);
      await whenKnown(page);
      const session = await load();
      if (wanted === mine) await session.load(lesson, { ...(step !== null && { index: indexOf(step) }), setUp: isLocalPage() });
    } finally {
      if (wanted === mine) wanted = null;
      page.address.changed();
    }
  };
  page.address.add('lesson', {
    read: () => wanted?.lesson ?? shown()?.name ?? null,
    write: (lesson) => {
      if (lesson === null) now()?.leave();
      else if (lesson !== shown()?.name) open(lesson).catch((error) => page.toasts.show(error));
    },
  });
  page.address.add('step', {
    read: () => { const session = shown(); return wanted ? wanted.step : session && String(session.index + 1); },
    write: (step) => {
      const session = shown();
      if (step === null || !session?.lesson || wanted || session.index === indexOf(step)) return;
      session.go(Math.min(session.lesson.steps.length, indexOf(step)));
    },
  });
}

/** Resolves once the page knows whether the user may change the world. @param {Page} page @returns {Promise<void>} */
function whenKnown(page) {
  if (page.state) return Promise.resolve();
  return new Promise((resolve) => { const off = page.on('state', () => { off(); resolve(); }); });
}

/** A lesson that is dropped anywhere on the page is opened. @param {Page} page @param {() => Promise<Session>} load */
function takeDrops(page, load) {
  window.addEventListener('drop', async (event) => {
    const file = [...(event.dataTransfer?.files ?? [])].find(({ name }) => /\.json$/i.test(name));
    if (!file) return;
    event.preventDefault();
    try {
      await page.docks.open('lessons');
      await (await load()).open(file);
    } catch (error) {
      page.toasts.show(error);
    }
  });
}
