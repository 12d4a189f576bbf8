// SPDX-License-Identifier: MIT
// Waits for events and conditions, with a timeout.

import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60000; // on a busy machine

/** Resolves with the first value of an event for which `accept` returns true. */
export function next(client, name, accept = () => true, patienceMs = PATIENCE_MS) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(new Error(`no "${name}" within ${patienceMs} ms`))), patienceMs);
    const off = client.on(name, (value) => accept(value) && finish(() => resolve(value)));
    const finish = (settle) => {
      clearTimeout(timer);
      off();
      settle();
    };
  });
}

/** Resolves with the result of `condition()` once that is truthy. */
export async function until(condition, what = 'the condition', patienceMs = PATIENCE_MS) {
  const end = performance.now() + patienceMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (performance.now() > end) throw new Error(`${what} did not come true within ${patienceMs} ms`);
    await sleep(5);
  }
}

export { sleep };
