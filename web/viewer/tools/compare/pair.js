// SPDX-License-Identifier: MIT
// Repeats the grabs in one half of a comparison in the other half. Both worlds have the same ids, except for grabs, whose ids
// are mapped.

/**
 * A client for the grab controls of a half that also acts in the other half. Results and refusals are those of the half
 * itself.
 * @param {import('./half.js').Half} own
 * @param {() => import('./half.js').Half} other
 * @returns {import('../../scene/grab_controls.js').GrabClient}
 */
export function pairedClient(own, other) {
  /** @type {Map<number, Promise<number>>} id of a grab in this half → id in the other half */
  const grabs = new Map();
  const nothing = () => {}; // a refusal in the other half is not reported
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
