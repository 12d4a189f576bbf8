// SPDX-License-Identifier: MIT
// What is done to one half is done to the other: their ids are the same, so the commands of a grab go to both worlds. Only the ids
// of grabs may differ, and are looked up.

/**
 * A client for the grab controls of a half that acts in the other as well. Answers and refusals are those of its own half.
 * @param {import('./half.js').Half} own
 * @param {() => import('./half.js').Half} other
 * @returns {import('../../scene/grab_controls.js').GrabClient}
 */
export function pairedClient(own, other) {
  /** @type {Map<number, Promise<number>>} own → the other's */
  const grabs = new Map();
  const nothing = () => {}; // what the other half refuses is told by what is seen there
  /** @param {any} method @param {any} params */
  const echo = async (method, params) => {
    const theirs = params?.grab === undefined ? params : { ...params, grab: await grabs.get(params.grab) };
    return other().client.call(method, theirs);
  };
  return {
    async call(method, params) {
      const echoed = echo(method, params);
      echoed.catch(nothing);
      const answer = await own.client.call(method, params);
      if (method === 'grab.start') {
        const theirs = echoed.then(({ grab }) => grab);
        theirs.catch(nothing);
        grabs.set(/** @type {{grab: number}} */ (answer).grab, theirs);
      }
      if (method === 'grab.end') grabs.delete(/** @type {{grab: number}} */ (params).grab);
      return answer;
    },
    notify(method, params) {
      own.client.notify(method, params);
      const { grab: held } = /** @type {{grab: number}} */ (params);
      grabs.get(held)?.then((grab) => other().client.notify(method, { ...params, grab }), nothing);
    },
  };
}
