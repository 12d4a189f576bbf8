// SPDX-License-Identifier: MIT
// The cards that explain the scenes: the problem, the equation, and experiments. All follow Jakobsen's "Advanced Character
// Physics", in the forms with masses that the server computes.
//
// A card: `solved` paragraphs; `equations` [notation (equation.js), spoken form]; `where` [symbol, meaning]; `tries` {text,
// label, does}: an experiment and its button; without a label the user does it by hand. `does` is a list of requests, or a
// function of the page.

/** @import { Page } from '../../page/page.js' */

/** @typedef {import('../../../client/protocol.js').WorldSetParams} WorldSetParams */
/** @typedef {[method: any, params: any]} Request params have the type of the method */
/** @typedef {{text: string, label?: string, does?: Request[] | ((page: import('../../page/page.js').Page) => unknown)}} Try */
/**
 * @typedef {{title: string, solved: string[], equations: string[][], where: string[][], tries: Try[]}} Card
 * @param {WorldSetParams} params
 * @returns {Request[]}
 */

const set = (params) => [['world.set', params]];
/** @param {number} x @param {number} y @param {number} z @returns {Request[]} */
const wind = (x, y, z, gust = 0) => set({ wind: { velocity: [x, y, z], gust } });
/** @type {Try} */
const AGAIN = { text: 'Restore the initial state.', label: 'Restart scene', does: [['world.reset', {}]] };

/** Unpins the particles of the objects with this name. @param {Page} page @param {string} name */
async function unpin(page, name) {
  const { objects } = await page.ask('object.list');
  for (const { object } of objects.filter((one) => one.name === name)) {
    const pins = page.world.find(object)?.pins;
    if (pins && pins.size > 0) await page.call('particle.unpin', { object, particles: [...pins] });
  }
}

const STICK = [
  '*δ = (_ *x 2) − (_ *x 1) ; s = (/ (group (| *δ) − r) (group (| *δ) ( (_ w 1) + (_ w 2) ) ))',
  'delta is x 2 minus x 1; s is the length of delta minus r, divided by the length of delta times w 1 plus w 2',
];
const STICK_MOVES = [
  '(_ *x 1) ← (_ *x 1) + (_ w 1) s *δ ; (_ *x 2) ← (_ *x 2) − (_ w 2) s *δ',
  'x 1 is moved by plus w 1 s delta, x 2 by minus w 2 s delta',
];
const CONTACT = [
  'D = *n · ( *q − *p ) ; λ = (/ 1 (group (sum ∑ i) (_ w i) (_^ c i 2)))',
  'D is n dot q minus p; lambda is one over the sum of w i times c i squared',
];
const CONTACT_MOVES = ['(_ *x i) ← (_ *x i) + λ (_ w i) (_ c i) D *n', 'if D is positive, x i is moved by lambda w i c i D along n'];
const MASSES = ['w, w₁, w₂', 'inverse masses; 0 for a pinned particle, which only a command moves'];

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
};
