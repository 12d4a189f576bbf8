// SPDX-License-Identifier: MIT
// Texts for commands that are undone, redone, or lost by another person's undo.

/** @type {Record<string, string>} */
const LABELS = {
  'cloth.spawn': 'Add cloth',
  'mesh.spawn': 'Add mesh',
  'particles.spawn': 'Add particles',
  'rope.spawn': 'Add rope',
  'plant.spawn': 'Add plant',
  'ragdoll.spawn': 'Add ragdoll',
  'soft.spawn': 'Add soft body',
  'body.spawn': 'Add body',
  'object.remove': 'Remove object',
  'object.set': 'Change object',
  'obstacle.add': 'Add obstacle',
  'obstacle.remove': 'Remove obstacle',
  'obstacle.set': 'Change obstacle',
  'stick.add': 'Add stick',
  'stick.set': 'Change stick',
  'stick.remove': 'Remove stick',
  'particle.pin': 'Pin',
  'particle.unpin': 'Unpin',
  'particle.move': 'Move',
  'particle.set': 'Change particles',
  'particle.tear': 'Tear',
  'blade.cut': 'Cut',
  'force.apply': 'Push',
  'grab.start': 'Drag',
  'grab.move': 'Drag',
  'grab.end': 'Drag',
  'world.set': 'Change world settings',
  'world.reset': 'Restart scene',
  'scene.load': 'Load scene',
  'batch.run': 'Run commands',
};

/** @param {string|undefined} method @returns {string} the label of an action, or the method itself */
export const labelOf = (method = '') => LABELS[method] ?? method;

/** The name of a person, or the number of the client. @param {{client: number, name?: string}} person */
export const personOf = ({ client, name }) => name || `Client ${client}`;

/**
 * Describes an entry of `lost` in the server's message: "Pin on “curtain”, 2 times".
 * @param {{method: string, object?: number, objectName?: string, count: number}} row
 */
export function lostOf({ method, object, objectName, count }) {
  const on = objectName ? ` on “${objectName}”` : object ? ` on object ${object}` : '';
  return `${labelOf(method)}${on}${count > 1 ? `, ${count} times` : ''}`;
}

/** @param {number} seconds */
export const timeOf = (seconds) => (seconds < 1.5 ? 'about a second' : seconds < 90 ? `about ${Math.round(seconds)} seconds` : `about ${Math.round(seconds / 60)} minutes`);
