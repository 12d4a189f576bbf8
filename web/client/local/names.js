// SPDX-License-Identifier: MIT
// Names of worlds.

const LENGTH = 64; // characters of a name, at most
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a world may have this name. @param {string} name */
export const isName = (name) => NAME.test(name);

/**
 * The name, or if it is taken, the name with the first number from 2 on that makes it free.
 * @param {string} name @param {string[]} taken
 */
export function freeName(name, taken) {
  if (!taken.includes(name)) return name;
  const base = name.replace(/-\d+$/, '');
  for (let number = 2; ; number++) {
    const end = `-${number}`;
    const candidate = base.slice(0, LENGTH - end.length) + end;
    if (!taken.includes(candidate)) return candidate;
  }
}
