// SPDX-License-Identifier: MIT
// Tests for accessibility: axe-core on the displayed page, and a walk by the Tab key alone.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/weftd.mjs';
import { openBrowser, openPage } from './page.mjs';

const AXE = await readFile(join(ROOT, 'tests/node_modules/axe-core/axe.min.js'), 'utf8');
const STEPS_MAX = 400;

/** Opens a page, or a context for several, that is closed with the test. */
export const browser = {
  open: async (t, url, options) => openPage(await openBrowser(t), url, options),
  context: async (t, options) => (await openBrowser(t)).newContext(options),
};

/** Fails if axe-core finds anything in the page. */
export async function audit(page, what) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate(async () => {
    const passing = document.getAnimations().filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map((animation) => animation.finished)); // a half-transparent element has too little contrast, so running animations are finished first
    const found = await window.axe.run(document, { resultTypes: ['violations'] });
    return {
      passes: found.passes.length,
      violations: found.violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.map(({ html, any }) => `${html.slice(0, 200)} ${any.map(({ message }) => message).join('; ')}`) })),
    };
  });
  assert.ok(passes > 5, `${what}: hardly anything was looked at`);
  const words = violations.map(({ id, impact, help, nodes }) => `${impact} ${id}: ${help}\n    ${nodes.join('\n    ')}`);
  assert.equal(violations.length, 0, `${what}:\n  ${words.join('\n  ')}`);
}

/**
 * Presses Tab from the picture on until the focus is there again. Fails if a control is not reached, does not show its focus,
 * traps the focus, or comes before a control that lies above it, or left of it in the same row, in the same part of the page.
 * @returns {Promise<string[]>} the reached controls, in order
 */
export async function walk(page, what) {
  await page.evaluate(() => {
    document.getElementById('stage').focus();
    window.reached = new Set();
  });
  const order = [];
  let before = null;
  let ended = false; // whether the focus has left the last control of the page
  for (let step = 0; ; step++) {
    assert.ok(step < STEPS_MAX, `${what}: the Tab key does not come around: ${order.slice(-6).join(' → ')}`);
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement.id === 'stage') return null;
      if (activeElement === document.body) return { name: 'body', seen: true, again: false }; // between the last control and the first
      const name = activeElement.getAttribute('aria-label') || activeElement.textContent.trim().slice(0, 40) || activeElement.id || activeElement.tagName;
      // The control itself, a part of it, or its container.
      const seen = [[activeElement, null], [activeElement, '::before'], [activeElement, '::after'], [activeElement.parentElement, null]].some(([element, part]) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element, part);
        return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      });
      const again = window.reached.has(activeElement);
      window.reached.add(activeElement);
      let { left, top } = activeElement.getBoundingClientRect();
      const { height } = activeElement.getBoundingClientRect();
      for (let outer = activeElement.parentElement; outer; outer = outer.parentElement) {
        left += outer.scrollLeft;
        top += outer.scrollTop;
      }
      const part = activeElement.closest('.dock, #bar, #rail, dialog')?.id;
      return { name: `${activeElement.tagName.toLowerCase()} “${name}”`, seen, again, part, left, top, height };
    });
    if (at === null) break;
    if (at.name === 'body') {
      assert.ok(!ended, `${what}: the Tab key does not come to the picture`);
      ended = true;
      continue;
    }
    assert.ok(!at.again, `${what}: ${at.name} holds the focus`);
    assert.ok(at.seen, `${what}: ${at.name} has the focus and does not show it`);
    const below = before && at.top >= before.top + before.height / 2;
    const beside = before && Math.abs(at.top + at.height / 2 - before.top - before.height / 2) < Math.max(at.height, before.height) / 2 && at.left >= before.left;
    assert.ok(!before || at.part === undefined || at.part !== before.part || below || beside, `${what}: ${at.name} comes after ${before?.name}, and lies before it`);
    before = at;
    order.push(at.name);
  }
  const missed = await page.evaluate(() => {
    const controls = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]');
    const missing = [...controls].filter((element) => {
      if (element.disabled || element.id === 'stage' || element.closest('[inert]') || window.reached.has(element)) return false;
      if (element.tabIndex < 0 || !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
      return !(element.type === 'radio' && [...window.reached].some((other) => other.name === element.name)); // one radio button of a group is reached
    });
    return missing.map((element) => element.outerHTML.slice(0, 120));
  });
  assert.deepEqual(missed, [], `${what}: not reached by Tab`);
  return order;
}
