// SPDX-License-Identifier: MIT
// What is done to one half is done to the other: their ids are the same, so a hand's commands go to both worlds. Only the ids
// of grabs may differ, and are looked up.

/**
 * A client for the hands of a half that acts in the other as well. Answers and refusals are those of its own half.
 * @param {import('./half.js').Half} own
 * @param {() => import('./half.js').Half} other
 */
export function pairedClient(own, other) {
  const grabs = new Map(); // own → the other's, a promise
  const nothing = () => {}; // what the other half refuses is told by what is seen there
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
        grabs.set(answer.grab, theirs);
      }
      if (method === 'grab.end') grabs.delete(params.grab);
      return answer;
    },
    notify(method, params) {
      own.client.notify(method, params);
      grabs.get(params.grab)?.then((grab) => other().client.notify(method, { ...params, grab }), nothing);
    },
  };
}
