// SPDX-License-Identifier: MIT
// The table of tests/PHYSICS.md: required and measured values of the physics, and the test that measures each. Tests print
// their figures in separate lines; each row below parses the figure of one test from the logs that tests/house/run.sh keeps,
// and sets its limit.
//
//   node tests/house/physics.mjs FOLDER LOG…           checks that every figure of these logs exists and is within its limit,
//                                                      and that the file has these rows
//   node tests/house/physics.mjs FOLDER LOG… --write   the same, and writes the file
//
// Tests with random input run with WEFT_SEED=1 for the file, so the file changes only when the physics changes.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const FILE = fileURLToPath(new URL('../PHYSICS.md', import.meta.url));

const most = (figures) => Math.max(...figures);
const least = (figures) => Math.min(...figures);

/**
 * @typedef {object} Row
 * @property {string} what
 * @property {'≤' | '<' | '≥' | '='} is the relation of the figure and the limit
 * @property {number} limit
 * @property {string} [unit]
 * @property {string} log 'unit', 'unit-asan', 'system', 'determinism' or 'determinism-others'
 * @property {string} test the program or file that prints the figure
 * @property {RegExp} line every match gives figures: its groups
 * @property {number} [lines] number of matching lines, if not 1
 * @property {(figures: number[]) => number} [of] combines the figures; by default their maximum
 * @property {(figure: number) => string} [show]
 */

const small = (figure) => figure.toExponential(0);
const fixed = (digits) => (figure) => Math.abs(figure).toFixed(digits);
const unit = (test, row) => ({ log: 'unit', test: `sim_${test}_test`, ...row });
const share = (test, what, line, limit, more) => unit(test, { what, is: '<', limit, unit: '%', line, show: fixed(2), ...more });

const projection = (feature) => unit('contact_feature', {
  what: `one projection puts p on q: ${feature}, equal and unequal masses`,
  is: '≤', limit: 1e-5, unit: 'of its size', show: small,
  line: new RegExp(`^${feature}: off by (\\S+) \\(equal masses\\), (\\S+) \\(unequal\\)$`),
});
const incline = (ground) => [
  unit('incline', {
    what: `incline, a ${ground}, tan θ = 0.94 μ: acceleration of what is at rest`, is: '<', unit: 'm/s²', show: fixed(4),
    limit: ground === 'heavy body' ? 0.02 : 1e-3, // the heavy body comes to rest itself
    line: new RegExp(`^on a ${ground}: at 0\\.94 μ (\\S+) m/s² at most`),
  }),
  unit('incline', {
    what: `incline, a ${ground}, tan θ = 1.06 μ: off g(sin θ − μ cos θ)`, is: '≤', limit: 5, unit: '%', show: fixed(1),
    line: new RegExp(`^on a ${ground}: at 0\\.94 .* at 1\\.06 μ within (\\S+) %$`),
  }),
];
const rope = (setting) => unit('compliance', {
  what: `XPBD rope of 20 particles, ${setting}: off the analytic stretch`, is: '≤', limit: 1, unit: '%', show: fixed(2),
  line: new RegExp(`^${setting}: the rope is (\\S+) m longer, expected (\\S+)$`),
  of: ([measured, expected]) => 100 * Math.abs(measured / expected - 1),
});
const count = (row) => ({ is: '=', limit: 0, show: fixed(0), ...row });

/** Rows by the numbers of the list of requirements. @type {Record<string, Row[]>} */
export const table = {
  20: [
    ...['grid', 'hexagonal lattice', 'irregular mesh'].map((mesh) => share(
      'fabric', `fabric, cantilever at three resolutions, ${mesh}: tip off the elastica`,
      new RegExp(`^cantilever, ${mesh}: within (\\S+) % of the elastica`), 10,
    )),
    share('fabric', 'fabric, strips of three meshes and resolutions, warp and weft: stretch off F/(stiffness·width)', /^stretch of strips: within (\S+) %/, 5),
    share('fabric', 'these: shear off F/(stiffness·width)', /^shear of strips: within (\S+) %/, 5),
    share('fabric', 'fabric, Cusick drape of cotton at 15, 10 and 7.5 mm: off their mean', /^Cusick drape of cotton: .* within (\S+) % of their mean$/, 10),
    share('crease', 'fabric, strips of two meshes at three resolutions, folded and let go: kept angle off angle − yield', /^creases of strips, .*: angle within (\S+) % of/, 10),
    share('fabric', 'fabric, spinning in free flight for 10 s, start: energy off', /^fabric that flies for 10 s: energy off by (\S+) %/, 0.1, { show: fixed(4) }),
    share('fabric', 'these: momentum off', /^fabric that flies .* momentum (\S+) %, ang/, 0.1, { show: fixed(5) }),
    share('fabric', 'these: angular momentum off', /^fabric that flies .* angular momentum (\S+) %$/, 0.1, { show: fixed(5) }),
  ],
  1: [
    ...['particle', 'stick', 'triangle', 'tetrahedron'].map(projection),
    unit('contact_feature', {
      what: 'momentum of a contact of two tetrahedra', is: '≤', limit: 1e-5, unit: 'off', show: small,
      line: /^contact of two tetrahedra: momentum off by (\S+)$/,
    }),
    unit('stack', {
      what: 'momentum of bodies that meet, in every tick', is: '≤', limit: 1e-5, unit: 'off', show: small,
      line: /^\d+ of 100 pairs met; momentum kept within (\S+) in every tick$/,
    }),
    unit('self', {
      what: 'momentum of two cloths that meet', is: '≤', limit: 1e-5, unit: 'off', show: small, line: /^momentum: off by (\S+) of it$/,
    }),
  ],
  2: [
    ...['stick', 'tetrahedron'].map((what) => unit('obstacle', {
      what: `a ${what} at rest on a bump: penetration`, is: '<', limit: 1, unit: 'mm', lines: 5, show: fixed(2),
      line: new RegExp(`^${what} on a [a-z ]+: (\\S+) mm above its top$`), of: (heights) => Math.max(0, -least(heights)),
    })),
    ...['particle', 'stick', 'triangle', 'tetrahedron', 'embedded box'].map((what) => unit('obstacle', {
      what: `wall of 1 cm, ${what} at 100 m/s: beyond its middle`, is: '<', limit: 5, unit: 'mm', lines: 2,
      show: (through) => (through < 0 ? 'none' : through.toFixed(1)),
      line: new RegExp(`^${what} against a wall \\(\\w+\\): at most (\\S+) mm behind its middle$`),
    })),
    unit('stack', count({ what: 'plate of 1 cm: bodies of 100 that pass at 100 m/s', line: /^plate of 1 cm: (\d+) of 100 bodies passed/ })),
    unit('wall', count({
      what: 'six kinds of wall of 1 cm, ten kinds of things at 100 m/s: of 1,188 shots pass', line: /^walls of 1 cm at 100 m\/s: (\d+) of 1188 passed$/,
    })),
    unit('plate', count({
      what: 'plates of 1 cm at up to 100 m/s against walls, rims, edges and corners: of 2,112 shots pass',
      line: /^plates of 1 cm at up to 100 m\/s: (\d+) of 2112 passed;/,
    })),
  ],
  3: [
    unit('body', {
      what: 'inertia tensor of embedded boxes', is: '≤', limit: 1e-4, unit: 'off', show: small, lines: 3,
      line: /^box \d: inertia tensor within (\S+)$/,
    }),
    unit('body', {
      what: 'inertia tensor of ten random hulls', is: '≤', limit: 1e-4, unit: 'off', show: small,
      line: /^ten hulls: inertia tensor within (\S+) of its trace$/,
    }),
    unit('body', { what: 'flips of a box about its middle axis in 20 s', is: '≥', limit: 4, show: fixed(0), line: /^(\d+) flips in 20 s/ }),
    unit('body', {
      what: 'energy it keeps for 2 s', is: '≥', limit: 99.5, unit: '%', show: fixed(2), line: /^after 2 s: energy (\S+), /,
      of: (figures) => 100 * least(figures),
    }),
    unit('body', {
      what: 'angular momentum it keeps for 2 s', is: '≥', limit: 99.5, unit: '%', show: fixed(2),
      line: /^after 2 s: energy \S+, angular momentum (\S+) of/, of: (figures) => 100 * least(figures),
    }),
    unit('body', {
      what: 'centre of mass off the parabola', is: '≤', limit: 1e-4, unit: 'm', show: small, line: /^2 s of flight: within (\S+) m of the parabola$/,
    }),
    unit('round', {
      what: 'inertia tensor of sphere, capsule and cylinder', is: '≤', limit: 1e-4, unit: 'off', show: small, lines: 3,
      line: /^(?:sphere|capsule|cylinder): inertia tensor within (\S+)$/,
    }),
    unit('round', { what: 'inertia of rounded boxes', is: '≤', limit: 1, unit: '% off', show: fixed(2), line: /^rounded box: inertia within (\S+) %$/ }),
    unit('round', { what: 'inertia tensor of a chair of six boxes', is: '≤', limit: 1e-4, unit: 'off', show: small, line: /^chair: inertia tensor within (\S+)$/ }),
    ...['sphere', 'capsule', 'cylinder'].map((kind) => unit('round', {
      what: `a ${kind} rolls down slopes of 5° to 30°, 4 to 16 substeps: off g sin θ/(1 + I/mr²)`, is: '≤', limit: 2, unit: '%', show: fixed(2),
      line: new RegExp(`^a ${kind} rolls within (\\S+) % of theory$`),
    })),
    unit('round', { what: 'a ball on a slope too steep to roll: off g(sin θ − μ cos θ)', is: '≤', limit: 2, unit: '%', show: fixed(2), line: /^a ball that slides: within (\S+) % of theory$/ }),
    unit('round', { what: 'rolling 10 s on level ground: speed lost', is: '≤', limit: 2, unit: '%', show: fixed(2), line: /^level ground: speed within (\S+) % after 10 s$/ }),
    unit('round', { what: 'a ball bounces to e² of its height', is: '≤', limit: 1, unit: '% off', show: fixed(2), line: /^a ball bounces within (\S+) % of e² of its height$/ }),
    unit('round', {
      what: 'sphere, capsule, cylinder, rounded box, chair in free flight for 10 s: energy', is: '≤', limit: 0.1, unit: '% off', show: fixed(4), lines: 5,
      line: /^10 s of a .*: energy (\S+) %, momentum/,
    }),
    unit('round', {
      what: 'their momentum and angular momentum', is: '≤', limit: 0.1, unit: '% off', show: fixed(4), lines: 5,
      line: /^10 s of a .*, momentum (\S+) %, angular momentum (\S+) % off$/,
    }),
    unit('round', { what: 'three chairs on one another: sunk or tilted', is: '≤', limit: 2, unit: 'mm', show: fixed(2), line: /^three chairs on one another: 3 asleep, within (\S+) mm$/ }),
    unit('round', count({ what: 'round and compound bodies at up to 100 m/s against walls of 1 cm: of 60 shots pass', line: /^round bodies at up to 100 m\/s: (\d+) of 60 pass$/ })),
    unit('moving', { what: 'belts of five kinds, what slides on them: acceleration off μ·g', is: '≤', limit: 1, unit: '%', show: fixed(2), line: /^belts: acceleration within (\S+) % of μ·g/ }),
    unit('moving', { what: 'these belts: speed of what they carry off their own', is: '≤', limit: 0.2, unit: '%', show: fixed(3), line: /^belts: .* speed within (\S+) %$/ }),
    unit('moving', { what: 'turntable: slipping radius off μ·g/ω²', is: '≤', limit: 2, unit: '%', show: fixed(2), line: /^turntable: slipping radius within (\S+) %/ }),
    unit('moving', { what: 'lift: gap between its floor and what it carries', is: '≤', limit: 0.5, unit: 'mm', show: fixed(3), line: /^lift: gap at most (\S+) mm/ }),
    unit('moving', { what: 'lift: depth of what it carries in its floor', is: '≤', limit: 0.5, unit: 'mm', show: fixed(3), line: /^lift: .* depth at most (\S+) mm$/ }),
    unit('moving', count({ what: 'obstacles of five kinds that move at up to 100 m/s: of 90 things pass', line: /^walls that move at up to 100 m\/s: (\d+) of 90 things pass$/ })),
    unit('moving', {
      what: 'restitution against a floor that comes up: speed off theory', is: '≤', limit: 1, unit: '%', show: fixed(2), lines: 2,
      line: /^a (?:particle|cube) leaves a floor that comes up at (\S+) m\/s, expected (\S+)$/,
      of: (figures) => 100 * Math.max(...[0, 2].map((i) => Math.abs(figures[i] / figures[i + 1] - 1))),
    }),
    unit('moving', { what: 'an obstacle that turns and rises for 100 s: off its place', is: '≤', limit: 2e-5, unit: 'm', show: small, line: /^after 100 s an obstacle that turns is (\S+) m off its place$/ }),
  ],
  4: [
    ...['plane', 'box', 'mesh', 'height field', 'pinned body', 'heavy body', 'bounds'].flatMap(incline),
    unit('stack', {
      what: 'five stacked boxes for 20 s: the top off its place', is: '≤', limit: 50, unit: 'mm', show: fixed(1),
      line: /^top of the stack: within (\S+) mm of its place over 20 s/,
    }),
    unit('stack', { what: 'five stacked boxes: all asleep after', is: '≤', limit: 10, unit: 's', show: fixed(0), line: /^the stack: all asleep after (\d+) s$/ }),
    unit('stack', {
      what: 'twenty stacked boxes at 8 × 4, 8 × 8 and 16 × 8 for 20 s: off their places', is: '<', limit: 20, unit: 'mm', show: fixed(1),
      line: /^twenty stacked boxes: within (\S+) mm of their places/,
    }),
    unit('stack', { what: 'these: all asleep after', is: '≤', limit: 10, unit: 's', show: fixed(0), line: /^twenty stacked boxes: .*, all asleep after (\d+) s$/ }),
    unit('wall', {
      what: 'stacks of five on other grounds, of other sizes, out of line: off their place', is: '≤', limit: 50, unit: 'mm', lines: 7, show: fixed(1),
      line: /^five boxes .*: within (\S+) mm over 20 s/,
    }),
    unit('wall', {
      what: 'these stacks of five: all asleep after', is: '≤', limit: 10, unit: 's', lines: 7, show: fixed(1), line: /^five boxes .*, asleep after (\S+) s$/,
    }),
    unit('stack', count({ what: 'spinning drops of thin boxes at 20 m/s, mirrored of 1,000', line: /^(\d+) of 1000 mirrored/ })),
  ],
  5: [
    share('stack', 'tetrahedra landing at 10 m/s, 300 attitudes, 4 × 4: edges off', /^300 attitudes: edges within (\S+) % with 4 x 4/, 5),
    share('stack', 'the same with 4 × 16', /^300 attitudes: .* within (\S+) % with 4 x 16$/, 0.5),
    unit('stack', {
      what: '500 tetrahedra dropped into a box: asleep after 30 s', is: '=', limit: 500, show: fixed(0), line: /^after at most 30 s the fastest .*, (\d+) asleep/,
    }),
  ],
  6: [
    ...['1 × 32', '4 × 8', '16 × 4'].map(rope),
    share('compliance', 'a compliant stick, at any setting: off the analytic stretch', /^stretch of a compliant stick: within (\S+) %$/, 1),
    share('compliance', 'a hanging rope off the catenary, of its length', /^catenary: at most (\S+) % of the length away$/, 0.5),
    share('compliance', 'cloth without square roots: mean stretch off that with, in points', /^mean stretch: exact (\S+) %, approximate (\S+) %$/, 0.5, {
      of: ([exact, approximate]) => Math.abs(exact - approximate),
    }),
  ],
  7: [
    ...['folded cloth', 'two cloths crosswise on a ball'].map((what) => unit('self', count({
      what: `${what}: crossings at the whole seconds up to 10`, line: new RegExp(`^${what}: (\\d+) crossings at the whole seconds up to 10$`),
    }))),
    unit('knot', { what: 'overhand knot in a rope of 2 cm under 29.4 N, μ = 0.5: slip in 9 s', is: '<', limit: 2, unit: 'mm', show: fixed(2), line: /^overhand knot .* slips by (\S+) mm in 9 s$/ }),
    unit('knot', { what: 'its parts, while it holds: least distance', is: '≥', limit: 0.9, unit: 'of the thickness', show: fixed(3), line: /^its parts: as near as (\S+) of the thickness while it holds/ }),
    unit('knot', { what: 'its parts, when the load jerks it tight: least distance', is: '≥', limit: 0.1, unit: 'of the thickness', show: fixed(3), line: /^its parts: .*, (\S+) when the load jerks it tight$/ }),
    unit('knot', { what: 'two ropes crossed, with 0.5 kg at each end of one: least distance in 10 s', is: '≥', limit: 0.9, unit: 'of the thickness', show: fixed(3), line: /^a rope with 0\.5 kg at each end .* as near as (\S+) of the thickness$/ }),
    unit('knot', { what: 'a rope shot at another at 5 to 100 m/s: above it by', is: '≥', limit: 0, unit: 'm', show: fixed(3), lines: 3, of: least, line: /^a rope shot at another at .* thickness, (\S+) m above it$/ }),
    unit('knot', { what: 'a rope over half a turn of a post, μ = 0.3: ratio of tensions at which it slips off e^{μπ}', is: '≤', limit: 5, unit: '%', show: fixed(2), line: /^a rope over half a turn .* off by (\S+) %$/ }),
    unit('heap', { what: 'a heap of 150 particles: least distance', is: '≥', limit: 0.9, unit: 'of the sum of radii', show: fixed(3), line: /^a heap of .* nearer than (\S+) of the sum of radii/ }),
    unit('heap', count({ what: 'particles and a rope on a hanging cloth: particles that fall through in 10 s', line: /^a hanging cloth .* it: (\d+) particles have fallen through in 10 s$/ })),
    unit('heap', { what: 'particles and a rope that meet in flight, without friction, for 10 s, start: momentum off', is: '≤', limit: 0.1, unit: '%', show: fixed(5), line: /^60 particles .*: momentum off by (\S+) %/ }),
    unit('heap', { what: 'these: angular momentum off', is: '≤', limit: 0.1, unit: '%', show: fixed(5), line: /^60 particles .* angular momentum by (\S+) %/ }),
    unit('heap', { what: 'these: energy grows from one tick to another by', is: '≤', limit: 0.1, unit: '%', show: fixed(5), line: /^60 particles .* never grows by more than (\S+) %$/ }),
  ],
  8: [
    unit('tear', {
      what: 'cloth of 60 × 60 torn by a drag: pieces, no torn corner shared', is: '≥', limit: 2, show: fixed(0), lines: 2,
      line: /^\d+ sticks broke, \d+ particles, (\d+) pieces/, of: least,
    }),
    {
      what: 'through the server: triangles that share a torn corner', log: 'system', test: 'system/topology.test.mjs',
      ...count({ line: /60 × 60 torn in two: (\d+) shared torn corners, / }),
    },
    {
      what: 'two clients and a late joiner: topology hashes', log: 'system', test: 'system/topology.test.mjs', is: '=', limit: 1, show: fixed(0),
      line: /60 × 60 torn in two: .*, (\d+) topology hash of 3 clients/,
    },
    unit('tear', {
      what: 'random tears in a row that leave a valid mesh', is: '≥', limit: 200, show: fixed(0), lines: 2, line: /^(\d+) tears: \d+ particles of 576/, of: least,
    }),
    unit('tear', {
      what: 'mass after them', is: '≤', limit: 1e-5, unit: 'off', show: small, lines: 2, line: /^\d+ tears: .* mass off by (\S+)$/,
    }),
    ...['rope', 'strip'].map((what) => share(
      'tear_force', `${what} under a growing load, six solvers: force at tear off m·g`, new RegExp(`^${what} under a growing load, six solvers: tears within (\\S+) %`), 10,
    )),
    unit('blade', { what: 'random blades through a cloth that did not part it, or left no mesh of its mass', ...count({ line: /^of 240 random blades through a cloth (\d+) did not part it/ }) }),
  ],
  9: [
    share('ragdoll', 'ten figures on the stairs: bones off their length', /^stairs: bones within (\S+) %/, 1),
    share('ragdoll', 'limits off', /^stairs: bones .*, limits within (\S+) %$/, 5),
    unit('ragdoll', { what: 'asleep', is: '=', limit: 10, show: fixed(0), line: /^stairs: (\d+) of 10 asleep after / }),
    unit('ragdoll', { what: 'all asleep after', is: '≤', limit: 30, unit: 's', show: fixed(1), line: /^stairs: 10 of 10 asleep after (\S+) s$/ }),
  ],
  19: [
    ...['momentum', 'angular momentum', 'energy'].map((what, at) => unit('soft', {
      what: `soft body in free flight for 10 s, start: ${what}`, is: '≤', limit: 0.1, unit: '%', show: fixed(4),
      line: /^soft body in free flight: momentum off by (\S+) %, angular momentum by (\S+) %, energy by (\S+) %$/, of: (figures) => figures[at],
    })),
    unit('soft', {
      what: 'beams of tetrahedra, four and six cells across: sag off Euler and Bernoulli', is: '≤', limit: 10, unit: '%', lines: 2, show: fixed(1),
      line: /^beam of \S+ cells: .* off by (\S+) %$/,
    }),
    unit('soft', {
      what: 'soft body of ratio 0.49 under a load: volume', is: '≤', limit: 2, unit: '% off', show: fixed(2), line: /^soft body of ratio 0\.49 .*: volume off by (\S+) %$/,
    }),
    unit('gas', {
      what: 'balloon under a weight: gauge pressure times volume off what skin and load carry', is: '≤', limit: 2, unit: '%', show: fixed(2),
      line: /^balloon under a weight: pressure times volume off the forces by (\S+) %/,
    }),
    unit('gas', {
      what: 'balloon without a load: volume off the analytic one', is: '≤', limit: 2, unit: '%', show: fixed(3),
      line: /^balloon without a load: volume off the analytic one by (\S+) %/,
    }),
    ...['momentum', 'angular momentum', 'energy'].map((what, at) => unit('gas', {
      what: `balloon in free flight for 10 s, 4 × 4 to 16 × 4, start: ${what}`, is: '≤', limit: 0.1, unit: '%', show: fixed(4),
      line: /^balloon in free flight: momentum off by (\S+) %, angular momentum by (\S+) %, energy by (\S+) %$/, of: (figures) => figures[at],
    })),
  ],
  10: [
    unit('contact', {
      what: 'a body into which an obstacle is put: its fastest particle', is: '<', limit: 30, unit: 'm/s', show: fixed(1),
      line: /^what an obstacle is put into moves at most at (\S+) m\/s$/,
    }),
    unit('contact', {
      what: 'bodies made in one another: the fastest particle', is: '<', limit: 15, unit: 'm/s', show: fixed(1),
      line: /^bodies made in one another part at most at (\S+) m\/s$/,
    }),
    unit('random_worlds', {
      what: 'random degenerate worlds, under ASan and UBSan', log: 'unit-asan', is: '≥', limit: 2000, show: fixed(0),
      line: /^(\d+) worlds of all kinds: \d+ commands accepted/,
    }),
    unit('random_worlds', {
      what: 'the same of round bodies, of ropes that collide, of tears, and of moving obstacles', log: 'unit-asan', is: '≥', limit: 500, show: fixed(0),
      lines: 4, line: /^(\d+) worlds of (?!all kinds).*: \d+ commands accepted/, of: least,
    }),
    unit('random_worlds', count({
      what: 'of these with anything non-finite, out of bounds or too fast', log: 'unit-asan', lines: 5, line: /^\d+ worlds of .*; (\d+) worlds failed$/,
    })),
  ],
  14: [
    ...['a triangle', 'a hexagon', 'an uneven quadrilateral', 'a grid cloth', 'a hexagonal cloth'].map((what) => share(
      'air', `${what} falls level, 0.005 to 2 kg/m², 20 to 240 Hz, 1 to 32 substeps: terminal velocity off`,
      new RegExp(`^${what}: terminal velocity within (\\S+) %$`), 3,
    )),
    share('air', 'a panel hung up in a wind, 1 to 32 substeps: its angle off', /^a panel hung up in the wind: its angle within (\S+) %$/, 3),
    unit('air', {
      what: 'fallen in still air and in a wind of 1e-6 m/s, for 1.5 s: apart', is: '≤', limit: 1e-5, unit: 'm', show: small,
      line: /^fallen in 1\.5 s: (\S+) m in still air, (\S+) m in a wind of 1e-6 m\/s$/, of: ([calm, breath]) => Math.abs(calm - breath),
    }),
  ],
  15: [
    ...['across', 'along'].map((way) => share(
      'string', `waves ${way} compliant strings, 1 × 1 to 32 × 1, periods of 16 substeps or more: speed off`,
      new RegExp(`^waves ${way} compliant strings: speed within (\\S+) % \\(\\d+ strings\\)$`), 5,
    )),
    share('string', 'compliant ropes of 1e2 to 1e6 N/m a link: force that is missing', /^compliant ropes: (\S+) % of their force is missing$/, 5),
    share('string', 'rows of added sticks as soft as the documentation says: force that is missing', /^ ?\d+ iterations: (\S+) % of the force is missing, of stiff springs \S+ %$/, 5, { lines: 4 }),
  ],
  16: [
    unit('drift', {
      what: 'thirteen kinds of things, 90 m out in zero gravity for 10 s, 1 to 64 substeps: speed gained at rest', is: '≤', limit: 1e-3, unit: 'm/s',
      show: small, lines: 13, line: /^.*: gains (\S+) m\/s in 10 s at rest/,
    }),
    unit('drift', {
      what: 'these under way at 1 and 10 m/s: speed gained', is: '≤', limit: 1e-3, unit: 'm/s', show: small, lines: 13,
      line: /^.*: gains .* at rest, (\S+) at 1 m\/s, (\S+) at 10 m\/s$/,
    }),
    unit('drift', {
      what: 'these turning: angular momentum that rounding changes', is: '≤', limit: 1e-3, unit: 'of it', show: small, lines: 13,
      line: /^.* at 0\.5 rad\/s: rounding changes its spin by (\S+) of it/,
    }),
  ],
  17: [
    unit('pendulum', {
      what: 'pendulums of a particle on a stick and of a rope of two, at 10, 90 and 170°, 4 × 1 to 64 × 1, start: energy off after 20 swings',
      is: '<', limit: 0.1, unit: '%', show: fixed(3), lines: 6, line: /^.*, let go at \d+ degrees: after 20 swings its energy is off by (\S+) %/,
    }),
    unit('pendulum', {
      what: 'these: period off', is: '<', limit: 1, unit: '%', show: fixed(3), lines: 6, line: /^.*, let go at \d+ degrees: .* the period by (\S+) %$/,
    }),
  ],
  18: [
    ...['ball joint', 'hinge'].flatMap((joint) => [
      unit('joint', {
        what: `a box of 1 m on a ${joint}, let go at 0.2, 1 and 1.8 rad, 8 × 1 to 16 × 4: off the period of a compound pendulum`,
        is: '≤', limit: 0.1, unit: '%', show: fixed(3), line: new RegExp(`^a box on a ${joint}: period off by (\\S+) %`),
      }),
      unit('joint', {
        what: `two bodies on a ${joint}, free flight of 10 s: energy off`, is: '≤', limit: 0.1, unit: '%', show: fixed(4),
        line: new RegExp(`^two bodies on a ${joint} fly for 10 s: energy off by (\\S+) %`),
      }),
      unit('joint', {
        what: `two bodies on a ${joint}, the same: momentum and angular momentum off`, is: '≤', limit: 0.1, unit: '%', show: fixed(4),
        line: new RegExp(`^two bodies on a ${joint} fly for 10 s: .*, momentum by (\\S+) %, angular momentum by (\\S+) %$`),
      }),
    ]),
    unit('joint', {
      what: 'a muscle that holds a lever of 2 kg: torque off m·g·L/2', is: '≤', limit: 0.1, unit: '%', show: fixed(3),
      line: /^a muscle on a lever: torque off by (\S+) %/,
    }),
    unit('joint', {
      what: 'a muscle that lifts it at 5 cm/s: work off the energy gained', is: '≤', limit: 0.1, unit: '%', show: fixed(3),
      line: /^a muscle on a lever: .*, work off the energy gained by (\S+) %$/,
    }),
    unit('joint', {
      what: 'a wheel that two swinging muscles turn once a second, after 5 s: off 5 turns', is: '≤', limit: 1, unit: '%', show: fixed(2),
      line: /^a wheel on two muscles of 1 s: (\S+) turns in 5 s$/, of: ([turns]) => 100 * Math.abs(turns / 5 - 1),
    }),
    unit('joint', {
      what: 'a catapult of a compliant stick: energy of its arm off that of the spring', is: '≤', limit: 3, unit: '%', show: fixed(2),
      line: /^a catapult: its arm has \S+ J of the \S+ J of its spring, off by (\S+) %$/,
    }),
  ],
  11: [
    {
      what: 'other builds, WebAssembly too, that do not give the committed hashes of all scenes', log: 'determinism-others', test: 'determinism/run.sh',
      ...count({ line: /^(\d+) of \d+ builds disagree$/ }),
    },
    ...['tears', 'falls asleep'].map((what) => ({
      what: `scenes among these in which anything ${what}`, log: 'determinism', test: 'determinism/run.sh', is: '≥', limit: 1,
      line: new RegExp(`^(\\d+) scenes in which anything ${what}$`), show: fixed(0),
    })),
  ],
  12: [
    unit('bounce_settings', count({
      what: 'bounces, e = 0.8, of a cube dropped flat from 40 heights, 1 × 1 to 64 × 16: of 480 more than 5 % off',
      line: /^a cube on a plane, 480 drops: (\d+) off by more than 5 %;/,
    })),
    unit('bounce_settings', {
      what: 'the same: it turns by', is: '<', limit: 0.02, unit: 'rad/s', show: fixed(4), line: /^a cube on a plane, .*, turning by (\S+) rad\/s$/,
    }),
    unit('bounce_settings', count({
      what: 'six kinds of things, e 0.3 to 1, dropped flat on six kinds of ground: of 576 bounces more than 5 % off',
      lines: 6, line: /^six kinds of things on a [a-z ]+, 96 drops: (\d+) off by more than 5 %;/,
    })),
    unit('bounce_stick', count({
      what: 'particles and level sticks: of 432 bounces more than 5 % off',
      line: /^particles and level sticks, 432 drops: (\d+) off by more than 5 %;/,
    })),
    unit('bounce_stick', {
      what: 'sticks that land upright: energy off e² of it', is: '<', limit: 5, unit: '%', show: fixed(2), line: /^an upright stick: energy within (\S+) % of e²;/,
    }),
    unit('bounce_stick', {
      what: 'sticks that hit a cube: off the speeds Newton says', is: '<', limit: 1e-3, unit: 'of the speed', show: small,
      line: /^sticks that hit a cube: speeds within (\S+) of what Newton says,/,
    }),
    unit('bounce_settings', {
      what: 'pairs, e = 1, that touch anywhere in a substep: off the exchanged speeds', is: '<', limit: 1e-3, unit: 'm/s', show: small,
      line: /^head-on pairs, e = 1: speeds within (\S+) m\/s,/,
    }),
    unit('bounce_settings', {
      what: 'pairs of boxes of 5 cm to 2 m, 10 g to 100 kg, 0.7 to 60 m/s: off the speeds Newton says', is: '<', limit: 1e-3, unit: 'of the speed', show: small,
      line: /^600 pairs of any size and mass: speeds within (\S+) of what Newton says,/,
    }),
    unit('bounce_settings', {
      what: 'boxes that land on pedestals of 2 to 30 cm turn by', is: '<', limit: 0.02, unit: 'rad/s', show: fixed(4),
      line: /^boxes of 1 and 2 m on pedestals .*, turning by (\S+) rad\/s$/,
    }),
    unit('bounce_settings', {
      what: 'cradles of five and eight boxes: off the speeds of an ideal one', is: '<', limit: 1e-2, unit: 'm/s', show: small,
      line: /^cradles of five and eight boxes, .*: speeds within (\S+) m\/s,/,
    }),
    unit('bounce_settings', {
      what: 'cradles, one to three come in: momentum', is: '<', limit: 1e-5, unit: 'off', show: small,
      line: /^cradles of five and eight boxes, .*, momentum within (\S+), energy/,
    }),
  ],
  13: [
    unit('leave', {
      what: 'seven kinds of things put into a box, ball, plane, capsule, or these around them: out after', is: '<', limit: 3, unit: 's', show: fixed(2),
      line: /^put into obstacles: out after (\S+) s, /,
    }),
    unit('leave', {
      what: 'the same: their fastest particle', is: '<', limit: 15, unit: 'm/s', show: fixed(1),
      line: /^put into obstacles: out after \S+ s, at most at (\S+) m\/s$/,
    }),
    unit('leave', {
      what: 'ragdolls and tetrahedra pressed into the ground by 1e4 m/s²: their depth after a second', is: '<', limit: 10, unit: 'mm', show: fixed(1),
      line: /^pressed into the ground by 1e4 m\/s2: at most (\S+) mm deep/,
    }),
    unit('equilibrium', {
      what: 'drift of 0.1 to 19 mm/s without gravity for 10 s, never asleep: way', is: '<', limit: 2, unit: '% off', show: fixed(2),
      line: /^drift of 0\.1 to 19 mm\/s for 10 s: way within (\S+) %$/,
    }),
    unit('equilibrium', {
      what: 'fall at g = 0.01 to 0.0001 m/s² for 10 s, never asleep: way', is: '<', limit: 2, unit: '% off', show: fixed(2),
      line: /^fall at g = 0\.01 to 0\.0001 for 10 s: way within (\S+) %$/,
    }),
    unit('equilibrium', {
      what: 'slide of 5 mm/s without friction for 10 s, never asleep: way', is: '<', limit: 1, unit: '% off', show: fixed(2),
      line: /^slide of 5 mm\/s without friction for 10 s: way within (\S+) %$/,
    }),
    unit('equilibrium', {
      what: 'pendulums of 1 m that swing by 5 mm fall asleep off the plumb line by', is: '<', limit: 0.5, unit: 'mm', show: fixed(2),
      line: /^pendulums of 1 m fall asleep within (\S+) mm of the plumb line$/,
    }),
    unit('sleep', {
      what: 'ropes of 1 to 8 m fall asleep off the plumb line by', is: '<', limit: 0.1, unit: '% of their length', show: fixed(2),
      line: /^a rope that swings falls asleep within (\S+) % of its length/,
    }),
  ],
};

export const rows = Object.entries(table).flatMap(([item, list]) => list.map((row) => ({ item, ...row })));

// ---- reading -----------------------------------------------------------------------------------------------------

/** The part of a unit test log that one program wrote; other logs are returned completely. */
function sectionOf(log, { log: name, test }) {
  if (!name.startsWith('unit')) return log;
  const section = log.split(/^-- /m).find((part) => part.slice(0, part.indexOf('\n')).endsWith(`/${test}`));
  return section ?? '';
}

const within = { '≤': (a, b) => a <= b, '<': (a, b) => a < b, '≥': (a, b) => a >= b, '=': (a, b) => a === b };

/** @param {Record<string, string>} logs logs by name @returns {{row: Row, figure: number, fault: string | null}} */
export function measure(row, logs) {
  const matches = [...sectionOf(logs[row.log] ?? '', row).matchAll(new RegExp(row.line.source, 'gm'))];
  const lines = row.lines ?? 1;
  if (matches.length !== lines) {
    return { row, figure: NaN, fault: `${row.test} printed ${matches.length} lines like "${row.line.source}", not ${lines}` };
  }
  const figure = (row.of ?? most)(matches.flatMap((match) => match.slice(1).map(Number)));
  const fault = within[row.is](figure, row.limit) ? null : `${figure} is not ${expected(row)}`;
  return { row, figure, fault };
}

// ---- the file ----------------------------------------------------------------------------------------------------

const number = (limit) => (limit > 0 && limit < 1e-2 ? limit.toExponential() : String(limit));
const expected = ({ is, limit, unit: name }) => [is, number(limit), name].filter((word) => word !== undefined).join(' ');
export const cells = (...list) => `| ${list.join(' | ')} |`;

const HEAD = `# What the physics has to achieve, and does

\`make physics\` runs the tests and writes this file from what they print; \`make test\` and \`make test-all\` fail when a line is
missing or beyond its limit.
The table, and how each figure is read, is in \`tests/house/physics.mjs\`. What is drawn at random is drawn with \`WEFT_SEED=1\`.

${cells('', 'what', 'expected', 'measured', 'test')}
${cells('--:', '---', '---', '---', '---')}
`;

export function render(results, head = HEAD) {
  return head + results.map(({ row, figure, fault }) => {
    const shown = Number.isNaN(figure) ? 'missing' : (row.show ?? String)(figure);
    const unitToo = row.unit && /\d/.test(shown) ? ` ${row.unit}` : '';
    return `${cells(row.item, row.what, expected(row), fault ? `**${shown}${unitToo}**` : `${shown}${unitToo}`, `\`${row.test}\``)}\n`;
  }).join('');
}

/** The text of a file without figures, which depend on the seed. */
const frame = (text) => text.split('\n').map((line) => line.replace(/^(\|.*\|.*\|.*\|)[^|]*(\|[^|]*\|)$/, '$1$2')).join('\n');

export const sameRows = (text, results, head = HEAD) => frame(text) === frame(render(results, head));

// ---- the command -------------------------------------------------------------------------------------------------

export function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function main([folder, ...words]) {
  const names = words.filter((word) => !word.startsWith('--'));
  const logs = Object.fromEntries(names.map((name) => [name, read(join(folder, `${name}.log`))]));
  const results = rows.map((row) => (names.includes(row.log) ? measure(row, logs) : { row, figure: NaN, fault: null }));
  const measured = results.filter(({ row }) => names.includes(row.log)).length;
  const wrong = results.filter(({ fault }) => fault);
  for (const { row, fault } of wrong) console.log(`item ${row.item}, ${row.what}: ${fault}`);
  if (words.includes('--write')) writeFileSync(FILE, render(results));
  const stale = !sameRows(read(FILE), results);
  if (stale) console.log('tests/PHYSICS.md has other rows: run `make physics`');
  const failed = wrong.length + (stale ? 1 : 0);
  console.log(`${measured + 1 - failed} passed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.slice(2));
