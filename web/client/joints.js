// SPDX-License-Identifier: MIT
// Joints made of sticks. Each function returns commands for batch.run, which adds them at once:
//
//     await client.call('batch.run', { commands: hinge(frame, door, [0, 1, 0], [0, 1, 0], { limits: [0, Math.PI / 2] }) });
//
// Pure. Lengths and positions in m, angles in rad.

/** @typedef {[number, number, number]} Point a position in the world, or a direction */
/** @typedef {number | string} BodyId id of a body, or '$k' for the object that command k of the same batch creates */
/** @typedef {import('./protocol.js').StickEnd} StickEnd */
/** @typedef {Omit<import('./protocol.js').StickAddParams, 'a' | 'b'>} StickOptions further params of stick.add */
/** @typedef {{method: 'stick.add', params: import('./protocol.js').StickAddParams}} StickCommand */

const STRAIGHT = 3.1; // rad: the most that the limits of a hinge may lie apart; at π the sticks that limit it would be stretched straight

/**
 * A ball joint: two bodies turn about a point that both carry.
 * @param {BodyId | StickEnd} a a body, or an end such as `{object, particle}` @param {BodyId | StickEnd} b @param {Point} point
 * @param {StickOptions} [options] such as breakForce
 * @returns {StickCommand[]} one command
 */
export function ballJoint(a, b, point, options = {}) {
  return [stick(endOf(a, point), endOf(b, point), { ...options, restLength: 0 })];
}

/**
 * A hinge: two bodies turn about an axis. It consists of two ball joints on the axis, and of two sticks for limits.
 * @param {BodyId} a @param {BodyId} b the body whose angle is limited, against `a`
 * @param {Point} point its middle @param {Point} axis direction of the axis, of any length
 * @param {object} [options]
 * @param {number} [options.width] distance of the two ball joints, 0.1 by default
 * @param {[number, number]} [options.limits] smallest and greatest angle of b, counter-clockwise about the axis from its present pose,
 *   at most 3.1 apart: the smallest is 0 or less, the greatest 0 or more
 * @param {number} [options.arm] distance from the axis at which the limits hold, 0.2 by default
 * @param {StickOptions} [options.stick] further params of all sticks, such as breakForce
 * @returns {StickCommand[]} two commands, or four with limits; throws a RangeError if the axis has no direction or the limits are not as described
 */
export function hinge(a, b, point, axis, { width = 0.1, limits, arm = 0.2, stick: options = {} } = {}) {
  const size = Math.hypot(...axis);
  if (!(size > 0) || !Number.isFinite(size)) throw new RangeError('The axis of a hinge must have a direction.');
  const along = /** @type {Point} */ (axis.map((part) => part / size));
  const joints = [-0.5, 0.5].flatMap((share) => ballJoint(a, b, plus(point, along, share * width), options));
  if (!limits) return joints;
  const [low, high] = limits;
  if (!(low <= 0 && high >= 0 && high > low && high - low <= STRAIGHT)) {
    throw new RangeError(`The limits of a hinge must be a smallest angle up to 0 and a greatest one from 0, at most ${STRAIGHT} rad apart, not ${low} and ${high}.`);
  }
  // The ends of both limits are as far from the axis; seen from it, they are `start` apart now. Their distance grows with the angle.
  const start = (Math.PI - low - high) / 2;
  const across = acrossOf(along);
  const aside = crossed(along, across);
  const [from, to] = [plus(plus(point, across, arm * Math.cos(start)), aside, -arm * Math.sin(start)), plus(point, across, arm)];
  /** @param {number} angle */
  const distance = (angle) => 2 * arm * Math.sin((start + angle) / 2);
  return [...joints,
    stick(endOf(a, from), endOf(b, to), { ...options, kind: 'atLeast', restLength: distance(low) }),
    stick(endOf(a, from), endOf(b, to), { ...options, kind: 'atMost', restLength: distance(high) })];
}

/**
 * A line that is slack until it is tight: its ends may come closer, but not farther apart than its length.
 * @param {StickEnd} a @param {StickEnd} b
 * @param {number} [length] the present distance by default @param {StickOptions} [options]
 * @returns {StickCommand[]} one command
 */
export function line(a, b, length, options = {}) {
  return [stick(a, b, { ...options, kind: 'atMost', ...(length !== undefined && { restLength: length }) })];
}

/** @param {StickEnd} a @param {StickEnd} b @param {StickOptions} options @returns {StickCommand} */
function stick(a, b, options) {
  return { method: 'stick.add', params: { a, b, ...options } };
}

/** @param {BodyId | StickEnd} body @param {Point} point @returns {StickEnd} */
function endOf(body, point) {
  return typeof body === 'object' ? body : { object: body, anchor: point };
}

/** @param {Point} point @param {Point} direction @param {number} share @returns {Point} */
function plus(point, direction, share) {
  return [point[0] + share * direction[0], point[1] + share * direction[1], point[2] + share * direction[2]];
}

/** @param {Point} u @param {Point} v @returns {Point} */
function crossed([ux, uy, uz], [vx, vy, vz]) {
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** A unit vector at right angles to another. @param {Point} along @returns {Point} */
function acrossOf(along) {
  const axis = along.map(Math.abs).indexOf(Math.min(...along.map(Math.abs)));
  const across = crossed(along, /** @type {Point} */ ([0, 1, 2].map((i) => (i === axis ? 1 : 0))));
  const size = Math.hypot(...across);
  return [across[0] / size, across[1] / size, across[2] / size];
}
