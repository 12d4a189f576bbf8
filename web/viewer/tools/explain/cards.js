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
const AGAIN = { text: 'All as it was.', label: 'Begin the scene anew', does: [['world.reset', {}]] };

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
const MASSES = ['w, w₁, w₂', 'inverse masses; 0 for what is pinned, which nothing moves but a command'];

/** @type {Record<string, Card>} */
export const CARDS = {
  default: {
    title: 'One method for everything',
    solved: [
      'Everything here – cloth, ropes, plants, boxes, the figure – is made of particles. A particle knows where it is and how far it moved last: that is its velocity, and nothing else is stored. This is Verlet’s integration.',
      'A tick is divided into substeps. In each the particles fly on, then whatever must hold (a stick keeps its length, nothing is inside anything) is repaired by moving particles, again and again. What the repair moved counts as motion: so velocities come out right by themselves.',
    ],
    equations: [
      ['*d ′ = ( 1 − c ) *d + *a (^ h 2) ; *p = *x + *d ′', 'd prime is one minus c times d plus a h squared; p is x plus d prime'],
      ['*d ← *d ′ + ( (_ *p repaired) − *p ) ; *x ← (_ *p repaired)', 'd becomes d prime plus what the repair moved p by; x becomes the repaired p'],
    ],
    where: [['x, d', 'position, and displacement over the last substep'], ['a', 'acceleration: gravity, and forces over mass'], ['h', 'length of a substep'], ['c', 'damping']],
    tries: [
      { text: 'Drag at anything: a hand is one more thing that holds a particle where it should be.' },
      { text: 'A sixth of the weight: everything falls slower, nothing gets stiffer.', label: 'Gravity of the moon', does: set({ gravity: [0, -1.62, 0] }) },
      { text: 'Flag and curtain fly, plants bend.', label: 'A gale', does: wind(9, 0, -4, 1) },
      AGAIN,
    ],
  },
  room: {
    title: 'A room',
    solved: ['Nothing but a box of 8 m that nothing leaves; its lower side is the floor. Put something in: what comes is made of particles, and obeys the same few rules as every scene.'],
    equations: [['*x ← min ( max ( *x , (_ *b min) ) , (_ *b max) )', 'x is clamped between the lower and the upper corner of the bounds']],
    where: [['x', 'position of a particle'], ['b', 'corners of the bounds']],
    tries: [
      { text: 'It hangs by its corners and tears when it is pulled hard.', label: 'Hang up a cloth', does: [['cloth.spawn', { columns: 26, rows: 26, spacing: 0.06, position: [0, 2, 0], tear: 1.6 }]] },
      { text: 'Six sticks that hold four particles.', label: 'Drop a tetrahedron', does: [['body.spawn', { size: 0.5, position: [0, 2.5, 0], angularVelocity: [2, 1, 3] }]] },
    ],
  },
  empty: {
    title: 'An empty world',
    solved: ['Nothing but a box that nothing leaves. Put something in: what comes is made of particles, and obeys the same few rules as every scene.'],
    equations: [['*x ← min ( max ( *x , (_ *b min) ) , (_ *b max) )', 'x is clamped between the lower and the upper corner of the bounds']],
    where: [['x', 'position of a particle'], ['b', 'corners of the bounds']],
    tries: [
      { text: 'It hangs by its corners and tears when it is pulled hard.', label: 'Hang up a cloth', does: [['cloth.spawn', { columns: 26, rows: 26, spacing: 0.06, position: [0, 2, 0], tear: 1.6 }]] },
      { text: 'Six sticks that hold four particles.', label: 'Drop a tetrahedron', does: [['body.spawn', { size: 0.5, position: [0, 2.5, 0], angularVelocity: [2, 1, 3] }]] },
    ],
  },
  'particles-in-a-box': {
    title: 'Particles in a box',
    solved: [
      'The first example of the article: a particle, gravity, and a box. After each step a particle that is outside is put back on the wall. Nobody computes a bounce; since velocity is what the particle has moved, putting it back changes that too.',
      'These bounce nevertheless, for they have a restitution: a share of the speed of their approach is given back.',
    ],
    equations: [
      ['*x ← *x + ( 1 − c ) *d + *a (^ h 2)', 'x becomes x plus one minus c times d plus a h squared'],
      ['*x ← min ( max ( *x , (_ *b min) ) , (_ *b max) )', 'x is clamped between the lower and the upper corner of the box'],
    ],
    where: [['d', 'the way since the substep before: velocity times h'], ['a', 'acceleration'], ['h', 'length of a substep'], ['c', 'damping'], ['b', 'corners of the box']],
    tries: [
      { text: 'Without gravity they go straight from wall to wall.', label: 'No gravity', does: set({ gravity: [0, 0, 0] }) },
      { text: 'The box falls up.', label: 'Gravity upwards', does: set({ gravity: [0, 9.81, 0] }) },
      { text: 'A tenth of the way is lost in each tick: they sink as in honey.', label: 'Damping 0.1', does: set({ damping: 0.1 }) },
      AGAIN,
    ],
  },
  'stick-in-a-box': {
    title: 'Two particles and a stick',
    solved: [
      'The second example: a stick keeps two particles at a distance. After they have flown on, the distance is wrong; both are moved along the line between them until it is right, the lighter one further.',
      'The box is a constraint as well, and repairing one may spoil the other. So both are repaired in turn, several times: relaxation. It need not be exact in any one substep, for it goes on in the next.',
    ],
    equations: [STICK, STICK_MOVES],
    where: [['r', 'length of the stick at rest'], MASSES],
    tries: [
      { text: 'Pull at one end: the other follows, and turns.' },
      { text: 'One repair in one step a tick: sticks in corners give.', label: '1 substep, 1 iteration', does: set({ substeps: 1, iterations: 1 }) },
      { text: 'Nothing gives any more.', label: '8 substeps', does: set({ substeps: 8, iterations: 4 }) },
      AGAIN,
    ],
  },
  cloth: {
    title: 'Cloth',
    solved: [
      'A particle at each crossing and a stick for each thread, and across the squares more sticks that keep them from shearing. Forty by forty particles make some six thousand sticks, all repaired one after another in each substep.',
      'A repair at the top is felt at the bottom only when it has been handed down row by row. With few repairs the cloth is rubber; many short substeps stiffen it more than many repairs in one.',
    ],
    equations: [STICK, STICK_MOVES],
    where: [['r', 'distance of neighbours in the cloth at rest'], MASSES],
    tries: [
      { text: 'Double-click a particle to pin it, and once more to let it go.' },
      { text: 'The cloth sags like rubber.', label: '1 substep', does: set({ substeps: 1, iterations: 1 }) },
      { text: 'It hardly stretches.', label: '16 substeps', does: set({ substeps: 16, iterations: 1 }) },
      { text: 'Both corners let go.', label: 'Unpin it', does: (page) => unpin(page, 'cloth') },
      AGAIN,
    ],
  },
  'hex-flag': {
    title: 'A flag of triangles',
    solved: [
      'Cloth need not be a grid: a particle for each corner and a stick for each edge of any mesh of triangles will do. Equilateral ones resist shear by themselves, alike in all directions, and need no sticks across.',
      'A particle weighs a third of each triangle it belongs to. So a coarse and a fine mesh of one cloth weigh and hang alike.',
    ],
    equations: [['(_ m i) = (/ ρ 3) (sum ∑ (group t ∋ i)) (_ A t)', 'the mass of particle i is rho over three times the sum of the areas of the triangles it belongs to']],
    where: [['ρ', 'mass of the cloth for each m²'], ['A', 'areas of the triangles at particle i']],
    tries: [
      { text: 'It hangs from its hoist.', label: 'No wind', does: wind(0, 0, 0) },
      { text: 'It stands out and ripples.', label: 'A stiff breeze', does: wind(9, 0, 2, 0.5) },
      { text: 'The flag flies off.', label: 'Unpin it', does: (page) => unpin(page, 'flag') },
      AGAIN,
    ],
  },
  'square-root-free': {
    title: 'Without a square root',
    solved: [
      'The length of a stick takes a square root. But the stick is nearly as long as it should be, and near there the root is nearly a straight line: its first step of approximation does, with one division and no root. At the right length it is exact: no correction.',
      'What is off is mended in the next substep. The two cloths here are computed so.',
    ],
    equations: [
      ['k = (/ (^ r 2) (group *δ · *δ + (^ r 2))) − (/ 1 2)', 'k is r squared over delta dot delta plus r squared, minus one half'],
      ['(_ *x 1) ← (_ *x 1) − (/ (group 2 (_ w 1)) (group (_ w 1) + (_ w 2))) k *δ ; (_ *x 2) ← (_ *x 2) + (/ (group 2 (_ w 2)) (group (_ w 1) + (_ w 2))) k *δ', 'x 1 is moved by minus two w 1 over w 1 plus w 2, times k delta; x 2 by plus two w 2 over the same, times k delta'],
    ],
    where: [['δ', 'from one end of the stick to the other'], ['r', 'its length at rest'], MASSES],
    tries: [
      { text: 'Can you see when it changes?', label: 'Exact root', does: set({ squareRoot: 'exact' }) },
      { text: 'And back.', label: 'Approximate root', does: set({ squareRoot: 'approximate' }) },
      { text: 'Far from the right length the approximation pulls less.', label: '1 substep', does: set({ substeps: 1 }) },
      AGAIN,
    ],
  },
  rope: {
    title: 'Ropes',
    solved: [
      'A rope is a chain of sticks. It bends freely, and hangs in the curve in which each link is pulled by its neighbours just as much as its weight asks for: the catenary. Nobody put that curve in; it is what repairing lengths under gravity ends in.',
      'A long chain is the hardest thing for relaxation, for a pull travels link by link: this scene takes sixteen substeps.',
    ],
    equations: [['(| (_ *x (group i + 1)) − (_ *x i)) = r', 'the distance of each particle from the next is r'], ['y = a cosh (/ x a)', 'the curve that comes of it: y is a times the hyperbolic cosine of x over a']],
    where: [['r', 'length of a link'], ['a', 'how slack the rope is: its pull at the lowest point over its weight for each metre']],
    tries: [
      { text: 'The ropes stretch, most where most hangs on them.', label: '1 substep', does: set({ substeps: 1, iterations: 1 }) },
      { text: 'The curve stays the same: it does not depend on gravity, only how fast it is reached.', label: 'Gravity of the moon', does: set({ gravity: [0, -1.62, 0] }) },
      { text: 'Lift the weight and let it swing.' },
      AGAIN,
    ],
  },
  'cloth-on-sphere': {
    title: 'Cloth on a sphere',
    solved: [
      'A particle that got into the sphere is put on its surface, by the shortest way: along the normal n. That is all a collision is; the cloth drapes because the rest of it is repaired as before.',
      'Friction holds by the depth of that repair: a particle pushed out by D may be held back by at most μ D along the surface. It can stop a motion, never turn it round.',
    ],
    equations: [
      ['D = *n · ( *q − *p ) ; *p ← *p + D *n', 'D is n dot q minus p; if it is positive p is moved by D along n'],
      ['*p ← *p − (_ *u t) min ( 1 , (/ (group μ D) (| (_ *u t))) )', 'p is moved back along the surface by u t times the smaller of one and mu D over the length of u t'],
    ],
    where: [['p, q', 'the particle, and the point of the surface above it'], ['u t', 'its way along the surface in this substep'], ['μ', 'coefficient of friction']],
    tries: [
      { text: 'Pull it off the ball by a corner and let go.' },
      { text: 'The cloth slides more easily over a floor without friction.', label: 'A slippery floor', does: set({ friction: 0 }) },
      { text: 'It falls slowly and lies down in other folds.', label: 'Gravity of the moon, anew', does: [['world.reset', {}], ...set({ gravity: [0, -1.62, 0] })] },
      AGAIN,
    ],
  },
  bump: {
    title: 'A bump between the ends',
    solved: [
      'The world need not be convex: a ridge can rise between the two ends of a stick, while both are in the clear. Then the deepest point p of the stick has to move out, but only its ends can be moved.',
      'p lies between them with weights c₁ and c₂. Each end is moved as much as it carries of p, so that p comes to lie on the surface exactly, in one go. For triangles there are three weights, for tetrahedra four.',
    ],
    equations: [['*p = (sum ∑ i) (_ c i) (_ *x i) ; (sum ∑ i) (_ c i) = 1', 'p is the sum of c i x i, and the c i add up to one'], CONTACT, CONTACT_MOVES],
    where: [['q, n', 'the surface point that p is pushed to, and its normal'], ['c', 'how much each end carries of p'], MASSES],
    tries: [
      { text: 'Lift a stick and lay it across the ridge, off its middle: it tips.' },
      { text: 'Sticks slide off the ridge.', label: 'Tilt gravity', does: set({ gravity: [3, -9, 0] }) },
      AGAIN,
    ],
  },
  tetrahedra: {
    title: 'Rigid bodies',
    solved: [
      'Four particles have twelve coordinates; six sticks between them take six away. What is left is three to move and three to turn: a rigid body, without a matrix or an angle anywhere.',
      'Its mirror image has the same six lengths, and a hard landing might turn it inside out. A seventh constraint forbids that: the signed volume stays.',
    ],
    equations: [
      ['4 · 3 − 6 = 6', 'four times three minus six is six degrees of freedom'],
      ['C = det ( (_ *e 1) , (_ *e 2) , (_ *e 3) ) − (_ det 0) = 0', 'C is the determinant of the three edges from one corner, minus what it was at rest, and is zero'],
    ],
    where: [['e', 'edges from one corner to the other three: p₁ − p₀, p₂ − p₀, p₃ − p₀']],
    tries: [
      { text: 'Take one by a corner and swing it.' },
      { text: 'Too little repair: they get soft.', label: '1 substep, 1 iteration', does: set({ substeps: 1, iterations: 1 }) },
      { text: 'Hard as wood.', label: '8 substeps, 8 iterations', does: set({ substeps: 8, iterations: 8 }) },
      AGAIN,
    ],
  },
  bodies: {
    title: 'Bodies on bodies',
    solved: [
      'Where two bodies meet, a point p of one is inside the other at q. Both are moved until the points meet, each by what it weighs and by how much of the point its particles carry. What one gets the other loses: momentum is kept.',
      'Friction at each contact keeps the pyramid from sliding apart. What has hardly moved for a while falls asleep and costs nothing until it is touched.',
    ],
    equations: [
      ['λ = (/ 1 (group (sum ∑ i) (_ w i) (_^ c i 2) + (sum ∑ j) (_ w j) (_^ e j 2)))', 'lambda is one over the sum of w i c i squared plus the sum of w j e j squared'],
      ['(_ *p i) ← (_ *p i) + λ (_ w i) (_ c i) *Δ ; (_ *p j) ← (_ *p j) − λ (_ w j) (_ e j) *Δ', 'particles of the first body are moved by plus lambda w i c i Delta, those of the second by minus lambda w j e j Delta'],
    ],
    where: [['c, e', 'how the points hang on the particles of the two bodies'], ['Δ', 'what is missing between them, along the normal'], MASSES],
    tries: [
      { text: 'Take out one of the boxes at the bottom, slowly, then fast.' },
      { text: 'The pyramid sinks into itself.', label: '1 iteration', does: set({ iterations: 1, substeps: 1 }) },
      { text: 'Watch it hit once more.', label: 'Throw again', does: [['world.reset', {}]] },
    ],
  },
  'embedded-boxes': {
    title: 'The box that tumbles',
    solved: [
      'Any shape can be fastened to four particles. Placed at the right distances with a quarter of the mass each, they have the same mass, the same centre and the same inertia about every axis as the box itself.',
      'So the three boxes turn as real ones do. About the longest and the shortest side they spin steadily; about the middle one the slightest wobble grows, and it turns over, again and again. (Dzhanibekov saw it in orbit, with a wing nut.)',
    ],
    equations: [
      ['(^ a 2) = (/ (group (_ I 2) + (_ I 3) − (_ I 1)) (group 2 M))', 'a squared is I 2 plus I 3 minus I 1 over two M; b and c likewise'],
      ['*x = *o + ( ± a , ± b , ± c )', 'the four particles are at o plus or minus a, b, c, on alternating corners of a box'],
    ],
    where: [['I', 'the three moments of inertia'], ['M', 'mass of the body'], ['o', 'its centre']],
    tries: [
      { text: 'Take hold of a spinning box and let it go.' },
      { text: 'They fall, spinning on.', label: 'Gravity', does: set({ gravity: [0, -9.81, 0] }) },
      { text: 'The red one turns over about every four seconds: count.', label: 'Begin the scene anew', does: [['world.reset', {}]] },
    ],
  },
  'frame-bodies': {
    title: 'A body that is a basis',
    solved: [
      'One particle and three rods of equal length, at right angles to one another: three lengths and three right angles are six constraints, so this too is a rigid body.',
      'Its rods are the axes of a coordinate system that moves with it: to draw anything attached to it no angle has to be computed.',
    ],
    equations: [
      ['(| *a) = (| *b) = (| *c) = size ; *a · *b = *b · *c = *c · *a = 0', 'the lengths of a, b and c are equal, and all three dot products are zero'],
      ['s = (/ (group *a · *b) (group (_ w 1) *b · *b° + (_ w 2) *a · *a° + (_ w 0) ( *a + *b ) · ( *a° + *b° )))', 'how far a right angle is mended: a dot b, over w 1 b dot b nought plus w 2 a dot a nought plus w 0 times a plus b dot a nought plus b nought'],
    ],
    where: [['a, b, c', 'the rods'], ['a°, b°', 'the rods as they lay when the substep began'], MASSES],
    tries: [
      { text: 'Hold one by the end of a rod.' },
      { text: 'Angles and lengths give.', label: '1 substep, 1 iteration', does: set({ substeps: 1, iterations: 1 }) },
      AGAIN,
    ],
  },
  hulls: {
    title: 'Stones of any shape',
    solved: [
      'Each stone is a convex hull of corners, fastened to four particles that have its mass and inertia. Only these are moved; the corners follow them as fixed mixtures.',
      'When a corner p digs into the slope, its mixture says how to move the four so that p comes out. This gives the stone a push and a turn at once.',
    ],
    equations: [['*p = (sum ∑ i) (_ c i) (_ *x i)', 'p is the sum of c i x i over the four particles'], CONTACT, CONTACT_MOVES],
    where: [['c', 'the mixture of the corner p; adds up to 1, and may be negative'], ['q, n', 'the point of the slope and its normal'], MASSES],
    tries: [
      { text: 'Everything starts to slide again.', label: 'Tilt gravity', does: set({ gravity: [6, -8, 0] }) },
      { text: 'Carry a stone up and let it roll.' },
      AGAIN,
    ],
  },
  masses: {
    title: 'Masses and springs',
    solved: [
      'The article’s equations with different masses: what is repaired between two particles is shared by their inverse masses, so that a heavy one moves less and an infinitely heavy one, a pin, not at all.',
      'The ropes here give: their sticks have a compliance α. They remember, through λ, how hard they pull already, and stop when force and stretch agree. Four kilograms stretch one about four times as far as one, whatever the number of repairs. Sticks without compliance are springs of infinite stiffness.',
    ],
    equations: [
      ['Δ λ = (/ (group − C − α̃ λ) (group (_ w 1) + (_ w 2) + α̃)) ; α̃ = (/ α (^ h 2))', 'delta lambda is minus C minus alpha tilde lambda, over w 1 plus w 2 plus alpha tilde, which is alpha over h squared'],
      ['(_ *x 1) ← (_ *x 1) − (_ w 1) Δ λ *u ; (_ *x 2) ← (_ *x 2) + (_ w 2) Δ λ *u', 'x 1 is moved by minus w 1 delta lambda u, x 2 by plus w 2 delta lambda u'],
    ],
    where: [['C', 'how much too long the stick is'], ['u', 'its direction, of length 1'], ['α', 'compliance in m/N'], ['h', 'length of a substep'], MASSES],
    tries: [
      { text: 'The stretch stays what it is: it belongs to the rope, not to the solver.', label: '16 substeps', does: set({ substeps: 16 }) },
      { text: 'Half as much again hangs on each rope.', label: 'Gravity × 1.5', does: set({ gravity: [0, -14.7, 0] }) },
      { text: 'Turn one with a heavy corner over: it rights itself.' },
      AGAIN,
    ],
  },
  plant: {
    title: 'Plants',
    solved: [
      'A stem of crossed sticks: besides the edges there are supports between particles that share a neighbour. Where these keep their length the stem cannot bend; where they give, it does.',
      'Supports give by a compliance α, chosen so that a stem held out level would sag by a certain share of its height, whatever it weighs. It leans in a gust and stands up afterwards.',
    ],
    equations: [
      ['Δ λ = (/ (group − C − α̃ λ) (group (_ w 1) + (_ w 2) + α̃)) ; α̃ = (/ α (^ h 2))', 'delta lambda is minus C minus alpha tilde lambda, over w 1 plus w 2 plus alpha tilde, which is alpha over h squared'],
    ],
    where: [['C', 'how much too long the support is'], ['λ', 'how hard it pulls already'], ['α', 'compliance in m/N: the stiffer the plant, the smaller'], ['h', 'length of a substep'], MASSES],
    tries: [
      { text: 'They stand still.', label: 'Calm', does: wind(0, 0, 0) },
      { text: 'They bend low, the softest lowest.', label: 'A storm', does: wind(12, 0, -3, 1) },
      { text: 'Pull one down by its top and let go.' },
      AGAIN,
    ],
  },
  ragdolls: {
    title: 'Figures with joints',
    solved: [
      'Each bone is a rigid body of particles and sticks. Two bones that share one particle are joined as by a ball; two that share two particles turn about the line between these: a hinge, like a knee.',
      'A knee must not bend forwards. Its limit is a stick that acts one way only: it pushes two particles apart when they come too near, and does nothing otherwise.',
    ],
    equations: [['(| (_ *x 2) − (_ *x 1)) ≥ (_ r min)', 'the distance of x 1 and x 2 is at least r min'], STICK_MOVES],
    where: [['r min', 'the nearest the two may come; only when they are nearer are they moved'], MASSES],
    tries: [
      { text: 'Lift a figure by its hand.' },
      { text: 'They drift down the stairs.', label: 'No gravity', does: set({ gravity: [0, 0, 0] }) },
      { text: 'Joints come apart a little when there is too little repair.', label: '1 substep, 1 iteration', does: set({ substeps: 1, iterations: 1 }) },
      AGAIN,
    ],
  },
  tearing: {
    title: 'Tearing',
    solved: [
      'A stick that is pulled past a limit breaks. The two triangles at it come apart; where nothing connects the cloth around a corner any more, the corner becomes two particles, each with its share of the mass and the same motion.',
      'So a tear runs on by itself: what the broken threads carried is on their neighbours now.',
    ],
    equations: [['(| (_ *x 2) − (_ *x 1)) > t r  ⇒  broken', 'if the distance of x 1 and x 2 is greater than t times r the stick is broken'], ['m = (_ m 1) + (_ m 2)', 'the masses of the two new particles add up to that of the old one']],
    where: [['t', 'how far it may be stretched: 1.5 is half as long again'], ['r', 'its length at rest']],
    tries: [
      { text: 'Pull a corner of the curtain sharply to the side.' },
      { text: 'It gets too heavy for itself.', label: 'Gravity × 4', does: set({ gravity: [0, -39, 0] }) },
      AGAIN,
    ],
  },
  'self-collision': {
    title: 'Cloth on itself',
    solved: [
      'Cloth here has a thickness. A particle may not come nearer to a triangle than that, of its own cloth or of another; if it does, it and the three corners are moved apart, each by what it weighs and carries. Edges that cross are held apart alike.',
      'Looking at all pairs would be hopeless: a tree of boxes finds the few that are near. And what was on one side has to stay there: so nothing passes through, however fast it falls.',
    ],
    equations: [['*n · ( *p − (sum ∑ i) (_ b i) (_ *q i) ) ≥ t', 'n dot p minus the sum of b i q i is at least t']],
    where: [['p', 'a particle'], ['q', 'corners of the triangle, b their weights at the nearest point'], ['n', 'the direction between them'], ['t', 'thickness']],
    tries: [
      { text: 'Pull the upper cloth off the lower one.' },
      { text: 'The heap is pressed together and stays a heap.', label: 'Gravity × 3', does: set({ gravity: [0, -29, 0] }) },
      AGAIN,
    ],
  },
  'wind-tunnel': {
    title: 'Wind',
    solved: [
      'Wind pushes each triangle along its normal, by how fast the air comes at it. What stands edge-on feels nothing; what flies with the wind hardly anything. A third of the push goes to each corner.',
      'For light cloth in strong wind the plain formula would push past the wind’s own speed within one step. There the force is eased, so that nothing ever overtakes the air.',
    ],
    equations: [
      ['*u = (_ *v air) − (_ *v triangle)', 'u is the velocity of the air minus that of the triangle'],
      ['*f = (/ (group (/ 1 2) ρ C A (| *u · *n) ( *u · *n ) *n) (group 1 + (/ 1 2) ρ C A (| *u · *n) h / m))', 'f is one half rho C A times the size of u dot n times u dot n along n, over one plus one half rho C A times the size of u dot n times h over m'],
    ],
    where: [['n, A, m', 'normal, area and mass of the triangle'], ['ρ', 'density of air'], ['C', 'how well it is caught'], ['h', 'length of a substep']],
    tries: [
      { text: 'Light flags stand out first, heavy ones hang.', label: '3 m/s', does: wind(3, 0, 0, 0.35) },
      { text: 'Even the heavy ones fly.', label: '14 m/s', does: wind(14, 0, 0, 0.35) },
      { text: 'Calm, then from the other side.', label: 'Turn the wind', does: wind(-8, 0, 0, 0.35) },
      AGAIN,
    ],
  },
};
