// SPDX-License-Identifier: MIT
// Looking for what keeps people out of the page: axe-core over what is shown, and a walk by the Tab key alone.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../support/weftd.mjs';
import { openBrowser, openPage } from './page.mjs';

const AXE = await readFile(join(ROOT, 'tests/node_modules/axe-core/axe.min.js'), 'utf8');
const STEPS_MAX = 400;

/** A page, or a context to open some in, that ends with the test. */
export const browser = {
  open: async (t, url, options) => openPage(await openBrowser(t), url, options),
  context: async (t, options) => (await openBrowser(t)).newContext(options),
};

/** Fails when axe-core finds anything serious in what the page shows now; tells the rest. */
export async function audit(t, page, what) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const { violations, passes } = await page.evaluate(async () => {
    const passing = document.getAnimations().filter((animation) => animation.effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(passing.map((animation) => animation.finished)); // what is half there is not readable yet
    const found = await window.axe.run(document, { resultTypes: ['violations'] });
    return {
      passes: found.passes.length,
      violations: found.violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.map(({ html }) => html.slice(0, 200)) })),
    };
  });
  assert.ok(passes > 5, `${what}: hardly anything was looked at`);
  const words = violations.map(({ id, impact, help, nodes }) => `${impact} ${id}: ${help}\n    ${nodes.join('\n    ')}`);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  assert.equal(serious.length, 0, `${what}:\n  ${words.join('\n  ')}`);
  for (const one of words) t.diagnostic(`${what}: ${one}`);
}

/**
 * Presses Tab from the picture on until it is there again. Fails when a control is not reached, or does not show that it has the
 * focus, or keeps it.
 * @returns {Promise<string[]>} what was reached, in order
 */
export async function walk(page, what) {
  await page.evaluate(() => {
    document.getElementById('stage').focus();
    window.reached = new Set();
  });
  const order = [];
  for (let step = 0; ; step++) {
    assert.ok(step < STEPS_MAX, `${what}: the Tab key does not come around: ${order.slice(-6).join(' → ')}`);
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const { activeElement } = document;
      if (activeElement === document.body || activeElement.id === 'stage') return null;
      const name = activeElement.getAttribute('aria-label') || activeElement.textContent.trim().slice(0, 40) || activeElement.id || activeElement.tagName;
      // On itself, on a part of it, or on what it stands in.
      const seen = [[activeElement, null], [activeElement, '::before'], [activeElement, '::after'], [activeElement.parentElement, null]].some(([element, part]) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element, part);
        return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
      });
      const again = window.reached.has(activeElement);
      window.reached.add(activeElement);
      return { name: `${activeElement.tagName.toLowerCase()} “${name}”`, seen, again };
    });
    if (at === null) break;
    assert.ok(!at.again, `${what}: ${at.name} holds the focus`);
    assert.ok(at.seen, `${what}: ${at.name} has the focus and does not show it`);
    order.push(at.name);
  }
  const missed = await page.evaluate(() => {
    const controls = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]');
    const missing = [...controls].filter((element) => {
      if (element.disabled || element.id === 'stage' || element.closest('[inert]') || window.reached.has(element)) return false;
      if (element.tabIndex < 0 || !element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
      return !(element.type === 'radio' && [...window.reached].some((other) => other.name === element.name)); // one of a group is reached
    });
    return missing.map((element) => element.outerHTML.slice(0, 120));
  });
  assert.deepEqual(missed, [], `${what}: not reached by Tab`);
  return order;
}
