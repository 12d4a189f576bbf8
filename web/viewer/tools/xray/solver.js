// SPDX-License-Identifier: MIT
// Overlays for sticks: strain, residual errors of the solver, and the batches in which sticks are solved. The lines follow
// the particles on the graphics processor; their colours change when new lengths have been read.
import { ParticleLines } from '../../scene/xray.js';
import { Overlay } from './overlay.js';
import { figure, percent, whole } from '../../ui/numbers.js';
import { batchColor, ColorScale, rampOf, rampTable, summarise } from './scale.js';
import { residualOf, STICKS_MAX, stretchOf } from './sticks.js';
/** @import { Topology } from '../../../client/topology.js' */
/** @import { Layout } from './sticks.js' */
/** @import { Xray } from './xray.js' */

const ROWS_MAX = 12;

/** Lines along all sticks. */
class SticksOverlay extends Overlay {
  needs = 'sticks';

  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title);
    this.lines = new ParticleLines(xray.page.world);
    this.parts.push(this.lines);
    /** @type {{version: number, topology: Topology | null}} */
    this.drawn = { version: -1, topology: null };
    /** @type {{layout: Layout, i: number} | null} the stick with the largest value */
    this.worst = null;
    this.count = 0;
  }

  /** @param {(layout: import('./sticks.js').Layout, i: number) => string|null} colorOf null hides the stick */
  paint(colorOf) {
    const { lines } = this;
    this.aim();
    let at = 0;
    for (const layout of this.xray.sticks.layouts) {
      if (!this.page.world.find(layout.id)) continue;
      for (let i = 0; i < layout.count; i++) {
        const color = colorOf(layout, i);
        lines.paint(at++, color ?? '#000000', color === null ? 0 : 0.92);
      }
    }
    lines.show(this.count);
  }

  // Converts ends to slots in the displayed frames.
  aim() {
    const { sticks } = this.xray;
    const { topology } = this.page.world;
    if (this.drawn.version === sticks.version && this.drawn.topology === topology) return;
    this.drawn = { version: sticks.version, topology };
    const layouts = sticks.layouts.filter(({ id }) => this.page.world.find(id));
    this.lines.reserve(layouts.reduce((sum, { count }) => sum + count, 1));
    const ends = this.lines.array('ends');
    let at = 0;
    for (const layout of layouts) {
      const first = this.page.world.find(layout.id)?.first ?? 0;
      for (let i = 0; i < 2 * layout.count; i++) ends[at++] = first + layout.ends[i];
    }
    this.count = at / 2;
  }

  // A new topology is displayed from this picture on: until its sticks have been read, there is nothing to colour.
  picture() {
    const { topology } = this.page.world;
    if (this.drawn.topology && topology && topology !== this.drawn.topology) {
      if (topology.epoch !== this.drawn.topology.epoch) this.update();
      else this.drawn.topology = topology;
    }
    super.picture();
  }

  noteOfParts() {
    const { shown, total } = this.xray.sticks.counts;
    return shown < total ? `${whole(shown)} of ${whole(total)} sticks shown (at most ${whole(STICKS_MAX)}).` : '';
  }

  /** @param {Layout} layout @param {number} i */
  placeOfStick(layout, i) {
    const entry = this.page.world.find(layout.id);
    if (!entry) return null;
    const [a, b] = [entry.place(layout.ends[2 * i]), entry.place(layout.ends[2 * i + 1])];
    return a.map((value, axis) => (value + b[axis]) / 2);
  }

  /** Labels the stick with the largest value. @param {Float32Array} values @param {(worst: number) => string} text */
  labelWorst(values, text) {
    const { at, worst } = summarise(values);
    let layouts = this.xray.sticks.layouts;
    layouts = layouts.filter(({ id }) => this.page.world.find(id));
    let rest = at;
    for (const layout of layouts) {
      if (rest < 0) break;
      if (rest < layout.count) {
        this.worst = { layout, i: rest };
        const place = this.placeOfStick(layout, rest);
        if (place) this.labels.set([{ text: text(worst), place }]);
        return;
      }
      rest -= layout.count;
    }
    this.worst = null;
    this.labels.set([]);
  }
}

/** Colours sticks by a number. */
class AmountOverlay extends SticksOverlay {
  /** @param {Xray} xray @param {string} title @param {ColorScale} scale */
  constructor(xray, title, scale) {
    super(xray, title);
    this.scale = scale;
    this.values = new Float32Array(0);
  }

  /** @param {(layout: import('./sticks.js').Layout, i: number) => number} amountOf NaN hides the stick */
  measure(amountOf) {
    const { scale } = this;
    const layouts = this.xray.sticks.layouts.filter(({ id }) => this.page.world.find(id));
    const count = layouts.reduce((sum, layout) => sum + layout.count, 0);
    if (this.values.length !== count) this.values = new Float32Array(count);
    let at = 0;
    let without = 0;
    for (const layout of layouts) {
      for (let i = 0; i < layout.count; i++) {
        const amount = amountOf(layout, i);
        if (Number.isNaN(amount)) without++;
        this.values[at++] = Number.isNaN(amount) ? 0 : amount;
      }
    }
    const summary = summarise(this.values);
    scale.follow(this.values);
    this.words.setScale(rampOf(this.theme), scale.ticks);
    const table = rampTable(this.theme);
    this.paint((layout, i) => {
      const amount = amountOf(layout, i);
      return Number.isNaN(amount) ? null : table[scale.indexOf(amount)];
    });
    return { ...summary, count, without };
  }

  picture() {
    super.picture();
    if (!this.worst || this.labels.items.length === 0) return;
    this.labels.items[0].place = this.placeOfStick(this.worst.layout, this.worst.i) ?? this.labels.items[0].place;
  }
}

/** The relative deviation of each stick from its rest length. */
export class StretchOverlay extends AmountOverlay {
  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title, new ColorScale('%', 0.1));
  }

  update() {
    const { count } = this.measure((layout, i) => 100 * stretchOf(layout, i));
    const { words } = this;
    this.labelWorst(this.values, (worst) => percent(worst / 100, true));
    const { stretch } = this.xray.measure ?? {};
    if (!stretch) return;
    words.setFigures([
      ['mean', percent(stretch.mean)],
      ['worst', `${percent(stretch.worst, true)}${stretch.object ? ` (object ${stretch.object}: ${(stretch.particles ?? []).join(', ')})` : ''}`],
      ['sticks', whole(stretch.sticks)],
    ]);
    words.setNote(count === 0 ? 'There are no sticks.' : this.noteOfParts());
  }
}

/** The error that the solver left in each stick, in mm. */
export class ResidualOverlay extends AmountOverlay {
  /** @param {Xray} xray @param {string} title */
  constructor(xray, title) {
    super(xray, title, new ColorScale('mm', 0.01));
  }

  update() {
    const { mean, worst, count, without } = this.measure((layout, i) => 1000 * residualOf(layout, i));
    const { words } = this;
    this.labelWorst(this.values, (amount) => `${amount > 0 ? '+' : ''}${figure(amount)} mm`);
    const { compliance } = this.xray.measure ?? {};
    words.setFigures([
      ['mean', `${figure(mean)} mm`], ['worst', `${figure(worst)} mm`], ['sticks', whole(count - without)],
      ...(compliance && compliance.sticks > 0 ? [/** @type {[string, string]} */ (['spring force error', percent(compliance.residual)])] : []),
    ]);
    const giving = without > 0 ? `${whole(without)} compliant sticks are not shown; see spring force error. ` : '';
    words.setNote(count === 0 ? 'There are no sticks.' : `${giving}${this.noteOfParts()}`.trim());
  }
}

/** The batches in which sticks are solved together. */
export class BatchesOverlay extends SticksOverlay {
  /** @type {number | null} the batch to which the display is limited */
  only = null;

  update() {
    this.paint((layout, i) => (this.only === null || layout.batch[i] === this.only ? batchColor(layout.batch[i], this.theme) : null));
    /** @type {{count: number, bends: boolean, kind: string}[]} figures by batch; missing for a batch without sticks */
    const counts = [];
    for (const { batch, batches } of this.xray.sticks.layouts) {
      for (const number of batch) {
        counts[number] ??= { count: 0, bends: batches[number].bends, kind: batches[number].kind };
        counts[number].count++;
      }
    }
    const most = Math.max(0, ...this.xray.sticks.layouts.map(({ batches }) => batches.length));
    this.words.setFigures([['batches', whole(most)], ['sticks', whole(this.xray.sticks.counts.total)]]);
    this.words.setRows(counts.slice(0, ROWS_MAX).map(({ count, bends, kind } = { count: 0, bends: false, kind: 'equal' }, number) => ({
      color: batchColor(number, this.theme),
      sign: '▬',
      what: `batch ${number + 1}${bends ? ', bending' : ''}${kind === 'equal' ? '' : `, ${kind}`}`,
      much: whole(count),
      pressed: this.only === number,
    })), (number) => {
      this.only = this.only === number ? null : number;
      this.update();
    });
    const more = counts.length > ROWS_MAX ? `${counts.length - ROWS_MAX} more batches repeat these colors. ` : '';
    this.words.setNote(counts.length === 0 ? 'There are no sticks.' : `${more}${this.noteOfParts()}`.trim());
  }
}
