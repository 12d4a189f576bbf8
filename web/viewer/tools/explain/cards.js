// SPDX-License-Identifier: MIT
// The cards that explain the scenes: the problem, the equation, and experiments. All follow Jakobsen's "Advanced Character
// Physics", in the forms with masses that the server computes.
//
// A card: `solved` paragraphs; `equations` [notation (equation.js), spoken form]; `where` [symbol, meaning]; `tries` {text,
// label, does}: an experiment and its button; without a label the user does it by hand. `does` is a list of requests, or a
// function of the page.

import { AGAIN, CONTACT, CONTACT_MOVES, inflate, MASSES, set, setSticks, STICK, STICK_MOVES, stiffen, unpin, wind } from './card_parts.js';

/** @import { Card } from './card_parts.js' */

/** @type {Record<string, Card>} */
export const CARDS = {
  default: {
    title: 'One method for everything',
    solved: [
      'Everything here (cloth, ropes, plants, boxes, the ragdoll) is made of particles. A particle stores its position and how far it moved in the last step; that displacement is its velocity. This is Verlet integration.',
      'A tick is divided into substeps. In each, particles first move freely. Then constraints (a stick keeps its length, nothing overlaps) are enforced by moving particles, repeatedly. These corrections become part of the motion, so velocities follow automatically.',
    ],
    equations: [
      ['*d ′ = ( 1 − c ) *d + *a (^ h 2) ; *p = *x + *d ′', 'd prime is one minus c times d plus a h squared; p is x plus d prime'],
      ['*d ← *d ′ + ( (_ *p corrected) − *p ) ; *x ← (_ *p corrected)', 'd becomes d prime plus the correction of p; x becomes the corrected p'],
    ],
    where: [['x, d', 'position, and displacement over the last substep'], ['a', 'acceleration: gravity, and forces over mass'], ['h', 'length of a substep'], ['c', 'damping']],
    tries: [
      { text: 'Drag anything: your hand is one more constraint on a particle.' },
      { text: 'With a sixth of the weight, everything falls more slowly. Nothing gets stiffer.', label: 'Moon gravity', does: set({ gravity: [0, -1.62, 0] }) },
      { text: 'The flag and the curtain fly, and the plants bend.', label: 'Gale', does: wind(9, 0, -4, 1) },
      AGAIN,
    ],
  },
  room: {
    title: 'Empty room',
    solved: ['A box of 8 m that nothing can leave; its bottom is the floor. Add something: it is made of particles and obeys the same few rules as every scene.'],
    equations: [['*x ← min ( max ( *x , (_ *b min) ) , (_ *b max) )', 'x is clamped between the lower and the upper corner of the bounds']],
    where: [['x', 'position of a particle'], ['b', 'corners of the bounds']],
    tries: [
      { text: 'It hangs by its corners and tears when you drag it hard.', label: 'Add a hanging cloth', does: [['cloth.spawn', { columns: 26, rows: 26, spacing: 0.06, position: [0, 2, 0], tear: 1.6 }]] },
      { text: 'Six sticks hold four particles together.', label: 'Add a tetrahedron', does: [['body.spawn', { size: 0.5, position: [0, 2.5, 0], angularVelocity: [2, 1, 3] }]] },
    ],
  },
  empty: {
    title: 'Empty world',
    solved: ['A box that nothing can leave. Add something: it is made of particles and obeys the same few rules as every scene.'],
    equations: [['*x ← min ( max ( *x , (_ *b min) ) , (_ *b max) )', 'x is clamped between the lower and the upper corner of the bounds']],
    where: [['x', 'position of a particle'], ['b', 'corners of the bounds']],
    tries: [
      { text: 'It hangs by its corners and tears when you drag it hard.', label: 'Add a hanging cloth', does: [['cloth.spawn', { columns: 26, rows: 26, spacing: 0.06, position: [0, 2, 0], tear: 1.6 }]] },
      { text: 'Six sticks hold four particles together.', label: 'Add a tetrahedron', does: [['body.spawn', { size: 0.5, position: [0, 2.5, 0], angularVelocity: [2, 1, 3] }]] },
    ],
  },
  'particles-in-a-box': {
    title: 'Particles in a box',
    solved: [
      'The first example of the article: particles, gravity and a box. After each step, a particle outside the box is moved back to the wall. No bounce is computed: velocity is the distance moved, so moving the particle changes it too.',
      'These particles do bounce, because they have a restitution: a fraction of their approach speed is returned.',
    ],
    equations: [
      ['*x ← *x + ( 1 − c ) *d + *a (^ h 2)', 'x becomes x plus one minus c times d plus a h squared'],
      ['*x ← min ( max ( *x , (_ *b min) ) , (_ *b max) )', 'x is clamped between the lower and the upper corner of the box'],
    ],
    where: [['d', 'displacement since the previous substep: velocity times h'], ['a', 'acceleration'], ['h', 'length of a substep'], ['c', 'damping'], ['b', 'corners of the box']],
    tries: [
      { text: 'Without gravity, they fly straight from wall to wall.', label: 'No gravity', does: set({ gravity: [0, 0, 0] }) },
      { text: 'The particles fall up.', label: 'Reverse gravity', does: set({ gravity: [0, 9.81, 0] }) },
      { text: 'Every tick removes a tenth of the motion: they sink as if in honey.', label: 'Damping 0.1', does: set({ damping: 0.1 }) },
      AGAIN,
    ],
  },
  'stick-in-a-box': {
    title: 'Sticks in a box',
    solved: [
      'The second example: a stick keeps two particles at a fixed distance. After they have moved freely, the distance is wrong. Both are moved along the line between them until it is right, the lighter one farther.',
      'The box is a constraint too, and correcting one may violate the other. So both are corrected in turn, several times. This is relaxation. It need not be exact in any one substep, because it continues in the next.',
    ],
    equations: [STICK, STICK_MOVES],
    where: [['r', 'length of the stick at rest'], MASSES],
    tries: [
      { text: 'Drag one end: the other follows and swings around.' },
      { text: 'With one correction per tick, sticks in corners are compressed.', label: '1 substep, 1 iteration', does: set({ substeps: 1, iterations: 1 }) },
      { text: 'The sticks keep their length.', label: '8 substeps', does: set({ substeps: 8, iterations: 4 }) },
      AGAIN,
    ],
  },
  cloth: {
    title: 'Cloth',
    solved: [
      'A particle at each crossing, a stick for each thread, and diagonal sticks that resist shear. Forty by forty particles make some six thousand sticks, all corrected in each substep.',
      'A correction at the top reaches the bottom row by row. With few iterations, the cloth is rubbery. Many short substeps stiffen it more than many iterations in one.',
    ],
    equations: [STICK, STICK_MOVES],
    where: [['r', 'distance between neighbors in the cloth at rest'], MASSES],
    tries: [
      { text: 'Double-click a particle to pin it. Double-click again to unpin it.' },
      { text: 'The cloth sags like rubber.', label: '1 substep', does: set({ substeps: 1, iterations: 1 }) },
      { text: 'It hardly stretches.', label: '16 substeps', does: set({ substeps: 16, iterations: 1 }) },
      { text: 'Both corners come loose.', label: 'Unpin it', does: (page) => unpin(page, 'cloth') },
      AGAIN,
    ],
  },
  'hex-flag': {
    title: 'Triangle-mesh flag',
    solved: [
      'Cloth need not be a grid: any triangle mesh works, with a particle for each vertex and a stick for each edge. Equilateral triangles resist shear equally in all directions and need no diagonals.',
      'A particle has a third of the mass of each triangle it belongs to. So a coarse and a fine mesh of the same cloth weigh and hang alike.',
    ],
    equations: [['(_ m i) = (/ ρ 3) (sum ∑ (group t ∋ i)) (_ A t)', 'the mass of particle i is rho over three times the sum of the areas of the triangles it belongs to']],
    where: [['ρ', 'mass of the cloth per m²'], ['A', 'areas of the triangles at particle i']],
    tries: [
      { text: 'It hangs from its pinned edge.', label: 'No wind', does: wind(0, 0, 0) },
      { text: 'It stands out and ripples.', label: 'Stiff breeze', does: wind(9, 0, 2, 0.5) },
      { text: 'The flag flies off.', label: 'Unpin it', does: (page) => unpin(page, 'flag') },
      AGAIN,
    ],
  },
  'square-root-free': {
    title: 'Sticks without a square root',
    solved: [
      'The length of a stick needs a square root. But a stick is always close to its rest length, and there the root is almost a straight line. Its first-order approximation is enough: one division and no root. At the rest length it is exact.',
      'The remaining error is corrected in the next substep. The two cloths here are computed this way.',
    ],
    equations: [
      ['k = (/ (^ r 2) (group *δ · *δ + (^ r 2))) − (/ 1 2)', 'k is r squared over delta dot delta plus r squared, minus one half'],
      ['(_ *x 1) ← (_ *x 1) − (/ (group 2 (_ w 1)) (group (_ w 1) + (_ w 2))) k *δ ; (_ *x 2) ← (_ *x 2) + (/ (group 2 (_ w 2)) (group (_ w 1) + (_ w 2))) k *δ', 'x 1 is moved by minus two w 1 over w 1 plus w 2, times k delta; x 2 by plus two w 2 over the same, times k delta'],
    ],
    where: [['δ', 'vector from one end of the stick to the other'], ['r', 'its length at rest'], MASSES],
    tries: [
      { text: 'Can you see the difference?', label: 'Exact root', does: set({ squareRoot: 'exact' }) },
      { text: 'Switch back.', label: 'Approximate root', does: set({ squareRoot: 'approximate' }) },
      { text: 'Far from the rest length, the approximation corrects less.', label: '1 substep', does: set({ substeps: 1 }) },
      AGAIN,
    ],
  },
  rope: {
    title: 'Ropes',
    solved: [
      'A rope is a chain of sticks. It bends freely and hangs in the curve in which the tension of its neighbors balances the weight of each link: the catenary. That curve is not programmed; it results from keeping lengths under gravity.',
      'A long chain is the hardest case for relaxation, because tension travels link by link. This scene uses sixteen substeps.',
    ],
    equations: [['(| (_ *x (group i + 1)) − (_ *x i)) = r', 'the distance of each particle from the next is r'], ['y = a cosh (/ x a)', 'the resulting curve: y is a times the hyperbolic cosine of x over a']],
    where: [['r', 'length of a link'], ['a', 'slackness of the rope: tension at the lowest point over weight per metre']],
    tries: [
      { text: 'The ropes stretch, most where they carry the most weight.', label: '1 substep', does: set({ substeps: 1, iterations: 1 }) },
      { text: 'The curve does not depend on gravity; only the time to reach it does.', label: 'Moon gravity', does: set({ gravity: [0, -1.62, 0] }) },
      { text: 'Lift the weight and let it swing.' },
      AGAIN,
    ],
  },
  'cloth-on-sphere': {
    title: 'Cloth on a sphere',
    solved: [
      'A particle inside the sphere is moved to the nearest point of its surface, along the normal n. That is all a collision does; the cloth drapes because its sticks are corrected as usual.',
      'Friction depends on the depth of that correction: a particle pushed out by D can be held back by at most μ D along the surface. Friction can stop a motion, but never reverse it.',
    ],
    equations: [
      ['D = *n · ( *q − *p ) ; *p ← *p + D *n', 'D is n dot q minus p; if it is positive p is moved by D along n'],
      ['*p ← *p − (_ *u t) min ( 1 , (/ (group μ D) (| (_ *u t))) )', 'p is moved back along the surface by u t times the smaller of one and mu D over the length of u t'],
    ],
    where: [['p, q', 'the particle, and the point of the surface above it'], ['u t', 'its displacement along the surface in this substep'], ['μ', 'coefficient of friction']],
    tries: [
      { text: 'Drag it off the sphere by a corner and release it.' },
      { text: 'The cloth slides freely on a floor without friction.', label: 'Slippery floor', does: set({ friction: 0 }) },
      { text: 'It falls slowly and folds differently.', label: 'Restart with Moon gravity', does: [['world.reset', {}], ...set({ gravity: [0, -1.62, 0] })] },
      AGAIN,
    ],
  },
  bump: {
    title: 'Collisions between particles',
    solved: [
      'The world need not be convex: a ridge can rise between the two ends of a stick while both ends are free. Then the deepest point p of the stick has to move out, but only its ends can be moved.',
      'p lies between them with weights c₁ and c₂. Each end is moved in proportion to its weight, so that p lands exactly on the surface in one step. Triangles have three weights, tetrahedra four.',
    ],
    equations: [['*p = (sum ∑ i) (_ c i) (_ *x i) ; (sum ∑ i) (_ c i) = 1', 'p is the sum of c i x i, and the c i add up to one'], CONTACT, CONTACT_MOVES],
    where: [['q, n', 'the surface point that p is pushed to, and its normal'], ['c', 'weight of each end in p'], MASSES],
    tries: [
      { text: 'Lift a stick and lay it off-center across the ridge: it tips.' },
      { text: 'Sticks slide off the ridge.', label: 'Tilt gravity', does: set({ gravity: [3, -9, 0] }) },
      AGAIN,
    ],
  },
  tetrahedra: {
    title: 'Rigid tetrahedra',
    solved: [
      'Four particles have twelve coordinates; six sticks between them remove six. Three of the rest move the body and three rotate it: a rigid body, without any matrix or angle.',
      'Its mirror image has the same six lengths, and a hard landing might turn it inside out. A seventh constraint prevents that: the signed volume stays the same.',
    ],
    equations: [
      ['4 · 3 − 6 = 6', 'four times three minus six is six degrees of freedom'],
      ['C = det ( (_ *e 1) , (_ *e 2) , (_ *e 3) ) − (_ det 0) = 0', 'C is the determinant of the three edges from one corner, minus what it was at rest, and is zero'],
    ],
    where: [['e', 'edges from one corner to the other three: p₁ − p₀, p₂ − p₀, p₃ − p₀']],
    tries: [
      { text: 'Drag one by a corner and swing it.' },
      { text: 'With too few iterations, they get soft.', label: '1 substep, 1 iteration', does: set({ substeps: 1, iterations: 1 }) },
      { text: 'Now they are hard as wood.', label: '8 substeps, 8 iterations', does: set({ substeps: 8, iterations: 8 }) },
      AGAIN,
    ],
  },
  bodies: {
    title: 'Stacked bodies',
    solved: [
      'Where two bodies touch, a point p of one is inside the other at q. Both are moved until the points meet, in proportion to their inverse masses and the weights of their particles. The corrections are opposite, so momentum is conserved.',
      'Friction at each contact keeps the pyramid from sliding apart. A body that has hardly moved for a while falls asleep and costs nothing until it is touched.',
    ],
    equations: [
      ['λ = (/ 1 (group (sum ∑ i) (_ w i) (_^ c i 2) + (sum ∑ j) (_ w j) (_^ e j 2)))', 'lambda is one over the sum of w i c i squared plus the sum of w j e j squared'],
      ['(_ *p i) ← (_ *p i) + λ (_ w i) (_ c i) *Δ ; (_ *p j) ← (_ *p j) − λ (_ w j) (_ e j) *Δ', 'particles of the first body are moved by plus lambda w i c i Delta, those of the second by minus lambda w j e j Delta'],
    ],
    where: [['c, e', 'weights of the points in the particles of the two bodies'], ['Δ', 'distance between them, along the normal'], MASSES],
    tries: [
      { text: 'Drag out one of the boxes at the bottom, first slowly, then fast.' },
      { text: 'The pyramid sinks into itself.', label: '1 iteration', does: set({ iterations: 1, substeps: 1 }) },
      { text: 'Watch the hit again.', label: 'Throw again', does: [['world.reset', {}]] },
    ],
  },
  'embedded-boxes': {
    title: 'The tumbling box',
    solved: [
      'Any shape can be embedded in four particles. Placed at the right distances with a quarter of the mass each, they have the same mass, the same center and the same inertia about every axis as the box itself.',
      'So the three boxes spin as real ones do. About the longest and the shortest side, they spin steadily. About the middle one, the slightest wobble grows and the box flips over, again and again. (Dzhanibekov saw it in orbit, with a wing nut.)',
    ],
    equations: [
      ['(^ a 2) = (/ (group (_ I 2) + (_ I 3) − (_ I 1)) (group 2 M))', 'a squared is I 2 plus I 3 minus I 1 over two M; b and c likewise'],
      ['*x = *o + ( ± a , ± b , ± c )', 'the four particles are at o plus or minus a, b, c, on alternating corners of a box'],
    ],
    where: [['I', 'the three moments of inertia'], ['M', 'mass of the body'], ['o', 'its center']],
    tries: [
      { text: 'Grab a spinning box and release it.' },
      { text: 'They fall and keep spinning.', label: 'Gravity', does: set({ gravity: [0, -9.81, 0] }) },
      { text: 'The red one flips about every four seconds: count.', label: 'Restart scene', does: [['world.reset', {}]] },
    ],
  },
  'frame-bodies': {
    title: 'Coordinate frames',
    solved: [
      'One particle and three rods of equal length, at right angles to one another: three lengths and three right angles are six constraints, so this too is a rigid body.',
      'Its rods are the axes of a coordinate system that moves with it: no angle has to be computed to draw what is attached to it.',
    ],
    equations: [
      ['(| *a) = (| *b) = (| *c) = size ; *a · *b = *b · *c = *c · *a = 0', 'the lengths of a, b and c are equal, and all three dot products are zero'],
      ['s = (/ (group *a · *b) (group (_ w 1) *b · *b° + (_ w 2) *a · *a° + (_ w 0) ( *a + *b ) · ( *a° + *b° )))', 'correction of a right angle: a dot b, over w 1 b dot b nought plus w 2 a dot a nought plus w 0 times a plus b dot a nought plus b nought'],
    ],
    where: [['a, b, c', 'the rods'], ['a°, b°', 'the rods at the start of the substep'], MASSES],
    tries: [
      { text: 'Drag one by the end of a rod.' },
      { text: 'Angles and lengths get soft.', label: '1 substep, 1 iteration', does: set({ substeps: 1, iterations: 1 }) },
      AGAIN,
    ],
  },
  hulls: {
    title: 'Convex hulls',
    solved: [
      'Each rock is a convex hull embedded in four particles that have its mass and inertia. Only these are moved; each corner follows as a fixed weighted sum of them.',
      'When a corner p enters the slope, its weights say how to move the four particles so that p comes out. This pushes and rotates the rock at once.',
    ],
    equations: [['*p = (sum ∑ i) (_ c i) (_ *x i)', 'p is the sum of c i x i over the four particles'], CONTACT, CONTACT_MOVES],
    where: [['c', 'weights of the corner p; they add up to 1 and may be negative'], ['q, n', 'the point of the slope and its normal'], MASSES],
    tries: [
      { text: 'All rocks slide again.', label: 'Tilt gravity', does: set({ gravity: [6, -8, 0] }) },
      { text: 'Drag a rock up the slope and let it roll.' },
      AGAIN,
    ],
  },
  conveyor: {
    title: 'Conveyor',
    solved: [
      'An obstacle that moves is where its motion has it at every tick, whatever it meets: it acts as if its mass were infinite. Contacts look from it, so that even a fast wall passes through nothing.',
      'Friction acts on the motion relative to its surface. The belt speeds a box up by μg until both are equally fast; the turntable carries a box as long as friction can hold it on its circle.',
    ],
    equations: [
      ['μ g ≥ (^ ω 2) r', 'mu g is at least omega squared r'],
      CONTACT, CONTACT_MOVES,
    ],
    where: [['μ', 'friction'], ['ω', 'angular velocity of the turntable'], ['r', 'distance from its axis'], MASSES],
    tries: [
      { text: 'On the Moon friction is weaker, so all slips sooner.', label: 'Moon', does: set({ gravity: [0, -1.62, 0] }) },
      { text: 'Drag a box against the belt.' },
      AGAIN,
    ],
  },
  marbles: {
    title: 'Marbles',
    solved: [
      'A ball is one point with a radius around it, a capsule two, a cylinder two circles. Four particles carry it, placed for its exact inertia. A push acts through its middle and turns nothing.',
      'Friction acts at the point of the surface that touches, and turns the ball. On a slope it gets five sevenths of the acceleration of something that slides, a cylinder two thirds.',
    ],
    equations: [
      ['a = (/ (group g sin θ) (group 1 + (/ I (group m (^ r 2)))))', 'a is g sine theta over 1 plus I over m r squared'],
      CONTACT, CONTACT_MOVES,
    ],
    where: [['I, m, r', 'moment of inertia, mass and radius'], ['θ', 'angle of the slope'], MASSES],
    tries: [
      { text: 'All balls roll to one side.', label: 'Tilt gravity', does: set({ gravity: [3, -9, 0] }) },
      { text: 'Drag the roller back to the top.' },
      AGAIN,
    ],
  },
  furniture: {
    title: 'Furniture',
    solved: [
      'A chair is one rigid body of six boxes, a table of a box and four cylinders. Each part collides by itself, but all hang in the same four particles.',
      'The masses of the parts add up; their inertia does after each has been moved to the common centre of mass (the parallel axis theorem).',
    ],
    equations: [
      ['*c = (sum ∑ k) (/ (_ m k) M) (_ *c k)', 'c is the sum of m k over M times c k'],
      CONTACT, CONTACT_MOVES,
    ],
    where: [['m, c', 'mass and centre of each part'], ['M', 'the whole mass'], MASSES],
    tries: [
      { text: 'Pull the table away from under the chair.' },
      { text: 'Everything slides.', label: 'Tilt gravity', does: set({ gravity: [6, -8, 0] }) },
      AGAIN,
    ],
  },
  masses: {
    title: 'Masses and springs',
    solved: [
      'The article’s equations with different masses: a correction between two particles is shared in proportion to their inverse masses. A heavy particle moves less, and an infinitely heavy one, a pin, not at all.',
      'The ropes here are elastic: their sticks have a compliance α. Through λ they keep track of their force and stop when force and stretch agree. Four kilograms stretch a rope about four times as far as one, whatever the number of iterations. Sticks without compliance are infinitely stiff springs.',
    ],
    equations: [
      ['Δ λ = (/ (group − C − α̃ λ) (group (_ w 1) + (_ w 2) + α̃)) ; α̃ = (/ α (^ h 2))', 'delta lambda is minus C minus alpha tilde lambda, over w 1 plus w 2 plus alpha tilde, which is alpha over h squared'],
      ['(_ *x 1) ← (_ *x 1) − (_ w 1) Δ λ *u ; (_ *x 2) ← (_ *x 2) + (_ w 2) Δ λ *u', 'x 1 is moved by minus w 1 delta lambda u, x 2 by plus w 2 delta lambda u'],
    ],
    where: [['C', 'excess length of the stick'], ['u', 'its direction, of length 1'], ['α', 'compliance in m/N'], ['h', 'length of a substep'], MASSES],
    tries: [
      { text: 'The stretch does not change: it is a property of the rope, not of the solver.', label: '16 substeps', does: set({ substeps: 16 }) },
      { text: 'Each rope carries 50% more weight.', label: 'Gravity × 1.5', does: set({ gravity: [0, -14.7, 0] }) },
      { text: 'Tip over one with a heavy corner: it rights itself.' },
      AGAIN,
    ],
  },
  plant: {
    title: 'Plants',
    solved: [
      'A stem of crossed sticks, with extra supports between particles that share a neighbor. A stem with rigid supports cannot bend; with elastic ones, it can.',
      'The supports have a compliance α, chosen so that a horizontal stem would sag by a fixed fraction of its height, whatever its mass. It leans in a gust and stands up afterwards.',
    ],
    equations: [
      ['Δ λ = (/ (group − C − α̃ λ) (group (_ w 1) + (_ w 2) + α̃)) ; α̃ = (/ α (^ h 2))', 'delta lambda is minus C minus alpha tilde lambda, over w 1 plus w 2 plus alpha tilde, which is alpha over h squared'],
    ],
    where: [['C', 'excess length of the support'], ['λ', 'its accumulated force'], ['α', 'compliance in m/N: the stiffer the plant, the smaller'], ['h', 'length of a substep'], MASSES],
    tries: [
      { text: 'They stand upright.', label: 'No wind', does: wind(0, 0, 0) },
      { text: 'They bend low, the softest the lowest.', label: 'Storm', does: wind(12, 0, -3, 1) },
      { text: 'Drag one down by its top and release it.' },
      AGAIN,
    ],
  },
  ragdolls: {
    title: 'Ragdolls',
    solved: [
      'Each bone is a rigid body of particles and sticks. Two bones that share one particle form a ball joint; two that share two particles rotate about the line between them: a hinge, like a knee.',
      'A knee must not bend forwards. Its limit is a one-way stick: it pushes two particles apart when they come too close, and does nothing otherwise.',
    ],
    equations: [['(| (_ *x 2) − (_ *x 1)) ≥ (_ r min)', 'the distance of x 1 and x 2 is at least r min'], STICK_MOVES],
    where: [['r min', 'the minimum distance; the particles are moved only when they are closer'], MASSES],
    tries: [
      { text: 'Lift a ragdoll by its hand.' },
      { text: 'They drift down the stairs.', label: 'No gravity', does: set({ gravity: [0, 0, 0] }) },
      { text: 'With too few iterations, joints come apart a little.', label: '1 substep, 1 iteration', does: set({ substeps: 1, iterations: 1 }) },
      AGAIN,
    ],
  },
  bridge: {
    title: 'A bridge of planks',
    solved: [
      'A stick of length 0 keeps two points in one place: a ball joint. Two of them, side by side, leave only rotation about the line through both: a hinge. The points need not be particles. A plank’s four particles carry each of them with fixed weights.',
      'The impulse of a stick in a tick, divided by its time, is its force. Two of these joints break above 25 kN, which the falling safe exceeds.',
    ],
    equations: [
      ['*p = (sum ∑ i) (_ c i) (_ *p i) ; *δ = (_ *p second) − (_ *p first)', 'p is the sum over i of c i times p i; delta is p of the second end minus p of the first'],
      ['*λ ← *λ − (_^ W −1) *δ ; F = (/ (| *λ) (group (^ h 2)))', 'lambda is changed by minus the inverse of W times delta; F is the length of lambda divided by h squared'],
    ],
    where: [['c', 'weights, whose sum is 1'], ['W', 'mobility of both ends: how far a unit of impulse moves them apart'], ['λ', 'force of the joint, times h²']],
    tries: [
      { text: 'Restart, and the safe is too light to break the bridge.', label: 'No joint breaks', does: (page) => setSticks(page, ({ breakForce }) => breakForce, () => ({ breakForce: 0 })) },
      { text: 'With too few iterations, the bridge sags.', label: '4 substeps, 1 iteration', does: set({ substeps: 4, iterations: 1 }) },
      AGAIN,
    ],
  },
  catapult: {
    title: 'A catapult',
    solved: [
      'The spring is a stick with a compliance that only pulls. Its rest length shrinks slowly, as if a winch drew it, until the latch, a stick with a breaking load, gives way. The energy of the spring goes into the arm and the rock.',
      'A second stick, which only limits a distance, stops the arm: that is how joints get limits. The length for an angle follows from the law of cosines.',
    ],
    equations: [
      ['E = (/ (^ C 2) (group 2 α)) ; C = (| *δ) − r', 'E is C squared divided by two alpha; C is the length of delta minus r'],
      ['r = (√ (^ a 2) + (^ b 2) − 2 a b cos φ)', 'r is the square root of a squared plus b squared minus two a b cosine phi'],
    ],
    where: [['α', 'compliance of the spring in m/N'], ['a, b', 'distances of the ends of a limit from the hinge'], ['φ', 'angle between them at the limit']],
    tries: [
      { text: 'A softer spring stores less when the latch breaks.', label: 'Softer spring', does: (page) => setSticks(page, ({ compliance }) => compliance > 0, () => ({ compliance: 0.0002 })) },
      { text: 'A latch that holds more throws farther.', label: 'Stronger latch', does: (page) => setSticks(page, ({ breakForce }) => breakForce, () => ({ breakForce: 4000 })) },
      AGAIN,
    ],
  },
  crane: {
    title: 'A crane with a hook',
    solved: [
      'A stick whose rest length changes is a muscle, or a motor. The cable of the jib and the rope of the hook swing to and fro; a script can move them with stick.set, at any rate.',
      'The slings of the crate are sticks that only pull, from the hook to points of the crate’s surface.',
    ],
    equations: [['r ( t ) = (_ r 0) + A sin 2 π ( φ + (/ t T) )', 'r of t is r 0 plus A times the sine of two pi times phi plus t over T']],
    where: [['r', 'length of the stick'], ['A, T', 'amplitude and period of the swing'], ['φ', 'where in the swing the time 0 falls']],
    tries: [
      { text: 'Drag the crate: the jib stays where its cable holds it.' },
      { text: 'The rope stops where it is.', label: 'Stop the winches', does: (page) => setSticks(page, ({ swing }) => swing, () => ({ swing: { amplitude: 0 } })) },
      AGAIN,
    ],
  },
  walker: {
    title: 'A walker',
    solved: [
      'Each leg hangs on a ball joint, and two muscles move it: one to and fro, the other up and down, a quarter of a swing later. So its foot goes round. Three legs are on the ground while the other three are in the air.',
      'Nothing else moves the walker: its feet push against the ground by friction. Where a muscle acts, its force times its distance from the joint is the torque.',
    ],
    equations: [['(_ r i) = (_ r 0) + A sin 2 π ( (_ φ i) + (/ t T) ) ; τ = ρ F', 'r i is r 0 plus A times the sine of two pi times phi i plus t over T; tau is rho times F']],
    where: [['φ', 'phase: half a swing apart between neighbors, a quarter between the muscles of a leg'], ['τ', 'torque of a muscle'], ['ρ', 'distance of its line from the joint']],
    tries: [
      { text: 'It walks faster.', label: 'Faster', does: (page) => setSticks(page, ({ swing }) => swing, ({ swing }) => ({ swing: { ...swing, period: 0.9 } })) },
      { text: 'Without friction it walks on the spot.', label: 'Ice', does: set({ friction: 0 }) },
      { text: 'Put something in its way.' },
      AGAIN,
    ],
  },
  machine: {
    title: 'A chain of events',
    solved: [
      'Nothing here is scripted: each event sets off the next by contacts and sticks alone. A belt and a lift move a marble, which knocks over dominoes; the last one rolls a ball onto a seesaw, and that jolts the latch of a weight.',
      'The weight tears a sheet of paper, lands on a cushion of air, and by a rope over a roll raises a banner. The order of the projections is fixed, so the same world gives the same bits on every machine, and the banner always rises.',
    ],
    equations: [['x(t + h) = f( x(t) )', 'the state after a step is a function of the state before']],
    where: [['x', 'the whole state: positions, displacements, what is broken'], ['h', 'time of a substep'], ['f', 'integration, contacts and projections, in a fixed order']],
    tries: [
      { text: 'Take a domino away before the marble comes.' },
      { text: 'On the moon all happens more slowly. Does the latch still break?', label: 'Lunar gravity', does: set({ gravity: [0, -1.62, 0] }) },
      AGAIN,
    ],
  },
  tearing: {
    title: 'Tearing cloth',
    solved: [
      'A stick that is stretched past its limit breaks, and the two triangles beside it separate. Where nothing connects the cloth around a corner any more, the corner splits into two particles, which share its mass and keep its motion.',
      'A tear spreads by itself, because the neighbors of broken threads now carry their load.',
    ],
    equations: [['(| (_ *x 2) − (_ *x 1)) > t r  ⇒  broken', 'if the distance of x 1 and x 2 is greater than t times r the stick is broken'], ['m = (_ m 1) + (_ m 2)', 'the masses of the two new particles add up to that of the old one']],
    where: [['t', 'stretch limit: 1.5 allows 50% more length'], ['r', 'its length at rest']],
    tries: [
      { text: 'Drag a corner of the curtain sharply to the side.' },
      { text: 'It tears under its own weight.', label: 'Gravity × 4', does: set({ gravity: [0, -39, 0] }) },
      AGAIN,
    ],
  },
  fabrics: {
    title: 'Fabrics',
    solved: [
      'Each cloth has the figures of a real fabric: how much force stretches a strip of it along its threads (warp) and across them (weft), how easily it shears, and how stiffly it bends. They belong to the fabric, not to the mesh: a finer mesh drapes alike.',
      'Each triangle is a panel that knows its shape at rest. Three constraints hold its warp, its weft and the angle between them, three more its curvature, which follows from the triangle and its neighbors. All have a compliance, so that they act as springs of just that stiffness.',
    ],
    equations: [
      ['Δ λ = (/ (group − C − α̃ λ) (group (sum ∑ i) (_ w i) (^ (| (_ *g i)) 2) + α̃)) ; α̃ = (/ 1 (group k A (^ h 2)))', 'delta lambda is minus C minus alpha tilde lambda, over the sum of w i times the size of g i squared plus alpha tilde, which is 1 over k A h squared'],
      ['(_ *x i) ← (_ *x i) + (_ w i) Δ λ (_ *g i)', 'x i is moved by w i delta lambda g i'],
    ],
    where: [['C', 'stretch, shear or curvature of the panel'], ['g', 'its change with the position of particle i'], ['k', 'stiffness of the fabric: N/m, or N·m for curvature'], ['A', 'area of the panel'], ['h', 'length of a substep'], MASSES],
    tries: [
      { text: 'Twill and the blanket, which are the stiffest, stand off their posts more than the others.' },
      { text: 'Drag a corner: nylon gives way, twill does not.' },
      { text: 'With fewer substeps, the stiffest fabrics are softer than they should be.', label: '2 substeps', does: set({ substeps: 2 }) },
      AGAIN,
    ],
  },
  scissors: {
    title: 'Cutting, tearing by force, creases',
    solved: [
      'A blade sweeps over a surface. Where this crosses the way from the middle of one triangle to the middle of the next, their common edge is cut; corners that hang together no more split into two particles. A rope loses the stick that the blade crosses.',
      'Each rope breaks where a stick pulls with more than 60 N. The pull F of a stick is the sum of its corrections λ in a tick, over the substeps n and h². At rest it is the weight below, however few iterations there are.',
      'The yellow cloth bends elastically up to a curvature. Beyond it, the excess e becomes its new shape at rest: a crease.',
    ],
    equations: [
      ['F = − (/ (group (sum ∑) λ) (group n (^ h 2))) ; F > (_ F max)  ⇒  broken', 'F is minus the sum of lambda over n h squared; if it is greater than F max the stick is broken'],
      ['(_ κ r) ← (_ κ r) + (group 1 − (/ y (| e))) e ; e = κ − (_ κ r)', 'kappa r grows by 1 minus y over the size of e, times e, where e is kappa minus kappa r'],
    ],
    where: [['F', 'pull of a stick'], ['λ', 'correction of a stick times the mass that it moves'], ['n, h', 'number and length of substeps'], ['κ, κ r', 'curvature of a panel, now and at rest'], ['y', 'curvature up to which bending is elastic']],
    tries: [
      { text: 'Choose Cut in the toolbar and draw a line over the curtain, or over a rope.' },
      { text: 'Drag both cloths off their bars: one keeps its fold, the other flattens.' },
      { text: 'On the moon, the red weight is too light to tear its rope.', label: 'Lunar gravity', does: set({ gravity: [0, -1.62, 0] }) },
      AGAIN,
    ],
  },
  'self-collision': {
    title: 'Cloth on cloth',
    solved: [
      'Cloth here has a thickness. A particle must stay at least that far from every triangle, of its own cloth or of another. If it is closer, it and the three corners are moved apart in proportion to their inverse masses and weights. Crossing edges are treated alike.',
      'Checking all pairs would be too slow: a tree of bounding boxes finds the few that are close. A particle must stay on its side of a triangle, so nothing passes through, however fast it falls.',
    ],
    equations: [['*n · ( *p − (sum ∑ i) (_ b i) (_ *q i) ) ≥ t', 'n dot p minus the sum of b i q i is at least t']],
    where: [['p', 'a particle'], ['q', 'corners of the triangle, b their weights at the nearest point'], ['n', 'the direction between them'], ['t', 'thickness']],
    tries: [
      { text: 'Drag the upper cloth off the lower one.' },
      { text: 'The heap is compressed, but nothing passes through.', label: 'Gravity × 3', does: set({ gravity: [0, -29, 0] }) },
      AGAIN,
    ],
  },
  knot: {
    title: 'Knots and beads',
    solved: [
      'A rope that collides is a chain of capsules, and a particle that collides is a ball. If the distance of two is less than half the sum of their diameters, the ends of both are moved apart in proportion to their inverse masses and weights, as cloth is.',
      'Each push by D allows friction to undo a slide of at most μ D. The harder the weight pulls, the harder the rope presses on itself, so the knot holds.',
    ],
    equations: [['*n · ( *p − *q ) ≥ (_ r p) + (_ r q)', 'n dot the difference of p and q is at least the sum of their radii']],
    where: [['p, q', 'nearest points on two axes'], ['n', 'the direction between them'], ['r', 'radii'], ['μ', 'coefficient of friction']],
    tries: [
      { text: 'Drag the weight, or take a bead and drop it again.' },
      { text: 'The knot tightens and holds.', label: 'Gravity × 3', does: set({ gravity: [0, -29, 0] }) },
      AGAIN,
    ],
  },
  'wind-tunnel': {
    title: 'Wind tunnel',
    solved: [
      'Wind pushes each triangle along its normal, depending on how fast the air hits it. A triangle seen edge-on feels nothing, and one that moves with the wind hardly anything. Each corner gets a third of the force.',
      'In strong wind, the plain formula would push light cloth past the wind speed within one step. The force is limited so that nothing ever moves faster than the air.',
    ],
    equations: [
      ['*u = (_ *v air) − (_ *v triangle)', 'u is the velocity of the air minus that of the triangle'],
      ['*f = (/ (group (/ 1 2) ρ C A (| *u · *n) ( *u · *n ) *n) (group 1 + (/ 1 2) ρ C A (| *u · *n) h / m))', 'f is one half rho C A times the size of u dot n times u dot n along n, over one plus one half rho C A times the size of u dot n times h over m'],
    ],
    where: [['n, A, m', 'normal, area and mass of the triangle'], ['ρ', 'density of air'], ['C', 'drag coefficient'], ['h', 'length of a substep']],
    tries: [
      { text: 'Light flags fly first; heavy ones hang.', label: '3 m/s', does: wind(3, 0, 0, 0.35) },
      { text: 'Even the heavy ones fly.', label: '14 m/s', does: wind(14, 0, 0, 0.35) },
      { text: 'The wind turns around.', label: 'Reverse wind', does: wind(-8, 0, 0, 0.35) },
      AGAIN,
    ],
  },
  jelly: {
    title: 'Soft bodies',
    solved: [
      'A soft body is cut into tetrahedra. Each has seven constraints: three stretches and three shears, which give it the stiffness of its material, and its volume. They are springs, not rods: a constraint with a compliance gives way in proportion to its force.',
      'F describes how a tetrahedron is deformed: it takes the edges at rest to the present ones. Its strain E is zero wherever the body has only moved and turned. Material is given by Young’s modulus Y in pascals and Poisson’s ratio ν.',
    ],
    equations: [
      ['E = (/ 1 2) ( (^ F T) F − 1 ) ; U = V ( μ (sum ∑ ij) (_^ E ij 2) + (/ λ 2) (^ (group J − 1) 2) )', 'E is one half F transposed F minus one; U is V times mu times the sum of E i j squared plus lambda half times J minus 1 squared'],
      ['Δ λ = (/ (group − C − α̃ λ) (group s + α̃)) ; (_ *p i) ← (_ *p i) + (_ w i) Δ λ (_ *g i)', 'delta lambda is minus C minus alpha tilde lambda over s plus alpha tilde; p i is moved by w i delta lambda g i'],
    ],
    where: [['μ, λ', 'stiffness against shear and against a change of volume, from Y and ν'], ['J', 'present volume as a share of the volume at rest'], ['C', 'one of the strains, or J − 1'], ['g, s', 'gradient of C, and the sum of w g²'], MASSES],
    tries: [
      { text: 'Drag a jelly by a corner and shake it.' },
      { text: 'They sag and spread.', label: 'Gravity × 2', does: set({ gravity: [0, -19.62, 0] }) },
      { text: 'The red jelly becomes as stiff as rubber.', label: 'Stiffer', does: stiffen('red jelly', 300000) },
      { text: 'The tetrahedra inside, coloured by their strain: turn on the X-ray overlay Strain.' },
      AGAIN,
    ],
  },
  balloons: {
    title: 'Gas in closed cloth',
    solved: [
      'A closed mesh holds an amount of gas. When it is pressed, its volume falls and its pressure rises, so that pressure times volume stays the same. The gas pushes on every triangle along its normal.',
      'The volume V is a sum over the triangles, and its gradient says how moving a particle changes it. The gas is one constraint of all particles of the mesh, solved like a spring with the stiffness of the gas.',
    ],
    equations: [
      ['V = ∑ (/ 1 6) ( *a × *b ) · *c ; ( P + p ) V = const', 'V is the sum of one sixth a cross b dot c; P plus p, times V, is constant'],
      ['Δ λ = (/ (group (^ h 2) p − λ) (group 1 + (^ h 2) (/ (group P + p) V) s)) ; (_ *p i) ← (_ *p i) + (_ w i) Δ λ (_ *g i)', 'delta lambda is h squared p minus lambda, over one plus h squared times P plus p over V times s; p i is moved by w i delta lambda g i'],
    ],
    where: [['a, b, c', 'corners of a triangle'], ['P, p', 'pressure outside, and of the gas above it'], ['g, s', 'gradient of V, and the sum of w g²'], ['h', 'length of a substep'], MASSES],
    tries: [
      { text: 'The cushion lifts the box.', label: 'Inflate the cushion', does: inflate('cushion', 120) },
      { text: 'The box sinks in.', label: 'Deflate the cushion', does: inflate('cushion', 20) },
      { text: 'The balloons carry less.', label: 'Let out gas', does: inflate('balloon', 100) },
      { text: 'Drag the weight off the board.' },
      AGAIN,
    ],
  },
};
