// SPDX-License-Identifier: MIT
// Where an obstacle that moves is at a tick: the displacement of all its points from where its motion began, as the server
// computes it (server/sim/contact/obstacle_motion.c). Pure arithmetic on numbers.
/** @import { Obstacle, Vector, Quaternion } from '../../client/topology.js' */

/** @typedef {{rotation: number[], shift: number[]}} Displacement a point p at the start is at rotation · p + shift */

const NO_TURN = [0, 0, 0, 1];

/** @param {readonly number[]} a @param {readonly number[]} b product of two quaternions */
const product = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx, aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz,
];
/** @param {readonly number[]} q the inverse of a unit quaternion */
const inverse = ([x, y, z, w]) => [-x, -y, -z, w];
/** @param {readonly number[]} q */
function unit(q) {
  const length = Math.hypot(...q);
  return q.map((each) => each / length);
}

/** @param {readonly number[]} q a unit quaternion @param {readonly number[]} v @returns {number[]} the rotated vector */
export const rotated = (q, [x, y, z]) => product(product(q, [x, y, z, 0]), inverse(q)).slice(0, 3);

/** @param {readonly number[]} a @param {readonly number[]} b @param {number} share between two quaternions, by the shorter way */
function between(a, b, share) {
  const same = a.reduce((sum, value, i) => sum + value * b[i], 0) < 0 ? -share : share;
  return unit(a.map((value, i) => (1 - share) * value + same * b[i]));
}

/** @param {Obstacle} obstacle @returns {readonly number[]} its position, of a capsule the middle of its axis */
function positionOf(obstacle) {
  if (obstacle.shape !== 'capsule') return obstacle.position;
  const { from, to } = obstacle;
  return from.map((value, axis) => (value + to[axis]) / 2);
}

/** @param {Obstacle} obstacle */
const rotationOf = (obstacle) => ((obstacle.shape === 'box' || obstacle.shape === 'mesh') && obstacle.rotation ? unit(obstacle.rotation) : NO_TURN);

/** @param {NonNullable<Obstacle['motion']>} motion @param {Obstacle} obstacle @param {number} seconds @returns {{position: readonly number[], rotation: readonly number[]}} */
function onPath({ path = [], loop = false, pathTime = 0 }, obstacle, seconds) {
  const end = path[path.length - 1].time;
  const t = loop ? (pathTime + seconds) % end : Math.min(end, pathTime + seconds);
  const next = path.find(({ time }) => t < time) ?? path[path.length - 1];
  const before = path[path.indexOf(next) - 1] ?? { time: 0, position: positionOf(obstacle), rotation: rotationOf(obstacle) };
  const share = Math.min(1, (t - before.time) / (next.time - before.time));
  return {
    position: before.position.map((value, axis) => value + share * (next.position[axis] - value)),
    rotation: between(unit(before.rotation ?? NO_TURN), unit(next.rotation ?? NO_TURN), share),
  };
}

/** Whether an obstacle changes its place. @param {Obstacle} obstacle */
export const changesPlace = ({ motion }) => Boolean(motion && (motion.velocity ?? motion.angularVelocity ?? motion.path));

/**
 * The displacement of an obstacle at a tick.
 * @param {Obstacle} obstacle one that changes its place @param {number} tick may have a fraction @param {number} tickHz
 * @returns {Displacement}
 */
export function displacementOf(obstacle, tick, tickHz) {
  const { motion } = obstacle;
  if (!motion) return { rotation: NO_TURN, shift: [0, 0, 0] };
  const seconds = Math.max(0, tick - motion.start) / tickHz;
  const start = positionOf(obstacle);
  if (motion.path) {
    const { position, rotation } = onPath(motion, obstacle, seconds);
    const turn = product(rotation, inverse(rotationOf(obstacle)));
    const turned = rotated(turn, start);
    return { rotation: turn, shift: position.map((value, axis) => value - turned[axis]) };
  }
  const [x, y, z] = motion.angularVelocity ?? [0, 0, 0];
  const speed = Math.hypot(x, y, z);
  const sine = speed > 0 ? Math.sin(speed * seconds / 2) / speed : 0;
  const rotation = [x * sine, y * sine, z * sine, Math.cos(speed * seconds / 2)];
  const pivot = motion.pivot ?? start;
  const turned = rotated(rotation, pivot);
  return { rotation, shift: pivot.map((value, axis) => value + (motion.velocity?.[axis] ?? 0) * seconds - turned[axis]) };
}

/** The same obstacle where it is at a tick, if that is elsewhere. A height field only shifts. @param {Obstacle} obstacle @param {number} tick @param {number} tickHz @returns {Obstacle} */
export function obstacleAt(obstacle, tick, tickHz) {
  if (!changesPlace(obstacle)) return obstacle;
  const { rotation, shift } = displacementOf(obstacle, tick, tickHz);
  /** @param {readonly number[]} point */
  const moved = (point) => /** @type {Vector} */ (rotated(rotation, point).map((value, axis) => value + shift[axis]));
  const { motion, ...still } = obstacle;
  if (still.shape === 'capsule') return { ...still, from: moved(still.from), to: moved(still.to) };
  const placed = { ...still, position: moved(still.position) };
  if (placed.shape === 'plane') return { ...placed, normal: /** @type {Vector} */ (rotated(rotation, placed.normal ?? [0, 1, 0])) };
  if (placed.shape === 'box' || placed.shape === 'mesh') return { ...placed, rotation: /** @type {Quaternion} */ (product(rotation, rotationOf(obstacle))) };
  return placed;
}

/**
 * The params of obstacle.add, beside its material and look, that make an obstacle going on as this one does.
 * @param {Obstacle} obstacle @param {number} tick @param {number} tickHz
 */
export function goingOn(obstacle, tick, tickHz) {
  const { motion, ...still } = obstacle;
  if (!motion) return still;
  const { start, ...moves } = motion;
  const seconds = Math.max(0, tick - start) / tickHz;
  if (moves.path) return { ...still, ...moves, pathTime: (moves.pathTime ?? 0) + seconds };
  const pivot = moves.pivot?.map((value, axis) => value + (moves.velocity?.[axis] ?? 0) * seconds);
  return { ...obstacleAt(obstacle, tick, tickHz), motion: undefined, ...moves, ...(pivot && { pivot }) };
}
