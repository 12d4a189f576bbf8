// SPDX-License-Identifier: MIT
// Texts for commands that are undone, redone, or lost by another person's undo.

/** @type {Record<string, string>} */
const NOUNS = {
  'cloth.spawn': 'a cloth',
  'mesh.spawn': 'a mesh',
  'particles.spawn': 'particles',
  'rope.spawn': 'a rope',
  'plant.spawn': 'a plant',
  'ragdoll.spawn': 'a figure',
  'body.spawn': 'a body',
  'object.remove': 'the removal of an object',
  'object.set': 'a change of an object',
  'obstacle.add': 'an obstacle',
  'obstacle.remove': 'the removal of an obstacle',
  'obstacle.set': 'a change of an obstacle',
  'stick.add': 'a stick',
  'stick.remove': 'the removal of a stick',
  'particle.pin': 'a pin',
  'particle.unpin': 'the removal of a pin',
  'particle.move': 'a move',
  'particle.set': 'a change of mass',
  'particle.tear': 'a cut',
  'force.apply': 'a push',
  'grab.start': 'a pull by hand',
  'grab.move': 'a pull by hand',
  'grab.end': 'a pull by hand',
  'world.set': 'a setting of the world',
  'world.reset': 'the new beginning of the scene',
  'scene.load': 'the new beginning of the scene',
  'batch.run': 'a group of commands',
};

/** @param {string|undefined} method @returns {string} a noun, or the method in quotation marks */
export const nounOf = (method = '') => NOUNS[method] ?? `“${method}”`;

/** The name of a person, or the number of the client. @param {{client: number, name?: string}} person */
export const personOf = ({ client, name }) => name || `Client ${client}`;

/**
 * Describes an entry of `lost` in the server's message: "a pin on “curtain”, 2 times".
 * @param {{method: string, object?: number, objectName?: string, count: number}} row
 */
export function lostOf({ method, object, objectName, count }) {
  const on = objectName ? ` on “${objectName}”` : object ? ` on object ${object}` : '';
  return `${nounOf(method)}${on}${count > 1 ? `, ${count} times` : ''}`;
}

/** @param {number} seconds */
export const timeOf = (seconds) => (seconds < 1.5 ? 'about a second' : seconds < 90 ? `about ${Math.round(seconds)} seconds` : `about ${Math.round(seconds / 60)} minutes`);
