// SPDX-License-Identifier: MIT
// The panel: parameters of the world, which all clients share, and live figures.
import GUI from 'lil-gui';
import { h, one } from './dom.js';
import { StageChart } from './stage_chart.js';

/** @typedef {import('../../client/protocol.js').WorldSetParams} WorldSetParams */
/** @typedef {import('../../client/protocol.js').WorldGetResult} WorldState */

/** Parameters and figures beside the picture. */
export class Panel {
  /**
   * @param {(params: WorldSetParams) => Promise<unknown>} change sends world.set
   */
  constructor(change) {
    this.change = change;
    this.element = h('div', { id: 'panel' });
    /** @type {WorldSetParams | null} parameters that the user changed during a pending request */
    this.pending = null;
    this.busy = false;
    this.held = false; // whether the user is moving a slider, which updates must not change
    this.values = {
      gravity: 9.81, windX: 0, windY: 0, windZ: 0, gust: 0, airDensity: 1.2, substeps: 8, iterations: 1, tolerance: 0, damping: 0, squareRoot: /** @type {'exact' | 'approximate'} */ ('exact'), sleep: true,
    };
    this.figures = { fps: '–', tick: '–', traffic: '–', roundTrip: '–', clients: '–', particles: '–', precision: '–', source: '–' };
    /** @type {import('../../client/topology.js').Vector} m/s² */
    this.gravity = [0, -9.81, 0];
    /** @type {HTMLInputElement | null} */
    this.sourceInput = null;
    this.gui = new GUI({ container: this.element, title: 'World', injectStyles: false });
    this.gui.domElement.setAttribute('aria-label', 'World settings and stats');
    this.addParameters();
    this.stages = this.addFigures();
  }

  /** As the content of a dock. @param {HTMLElement} element */
  build(element) {
    element.append(this.element);
  }

  addParameters() {
    /** @param {keyof Panel['values']} key @param {string} name @param {() => WorldSetParams} read @param {...any} range */
    const add = (key, name, read, ...range) => this.gui.add(this.values, key, ...range).name(name)
      .onChange(() => { this.held = true; this.send(read()); }).onFinishChange(() => { this.held = false; });
    /** @returns {WorldSetParams} */
    const wind = () => {
      const { windX, windY, windZ, gust } = this.values;
      return { wind: { velocity: [windX, windY, windZ], gust } };
    };
    add('gravity', 'Gravity (m/s²)', () => ({ gravity: [this.gravity[0], -this.values.gravity, this.gravity[2]] }), -5, 25, 0.01);
    add('windX', 'Wind X (m/s)', wind, -15, 15, 0.1);
    add('windY', 'Wind Y (m/s)', wind, -15, 15, 0.1);
    add('windZ', 'Wind Z (m/s)', wind, -15, 15, 0.1);
    add('gust', 'Gusts', wind, 0, 1, 0.01);
    add('airDensity', 'Air density (kg/m³)', () => ({ airDensity: this.values.airDensity }), 0, 10, 0.1);
    add('substeps', 'Substeps', () => ({ substeps: this.values.substeps }), 1, 64, 1);
    add('iterations', 'Iterations', () => ({ iterations: this.values.iterations }), 1, 64, 1);
    add('tolerance', 'Tolerance', () => ({ tolerance: this.values.tolerance }), 0, 0.02, 0.0001);
    add('damping', 'Damping', () => ({ damping: this.values.damping }), 0, 0.2, 0.001);
    add('squareRoot', 'Square root', () => ({ squareRoot: this.values.squareRoot }), { Exact: 'exact', Approximate: 'approximate' });
    add('sleep', 'Sleep at rest', () => ({ sleep: this.values.sleep }));
  }

  addFigures() {
    const folder = this.gui.addFolder('Stats');
    /** @param {keyof Panel['figures']} key @param {string} name */
    const add = (key, name) => {
      const controller = folder.add(this.figures, key).name(name);
      controller.domElement.classList.add('figure');
      const input = one(controller.domElement, 'input', HTMLInputElement);
      input.readOnly = true;
      input.tabIndex = -1;
      input.setAttribute('aria-label', name);
      return input;
    };
    add('fps', 'FPS');
    add('tick', 'Tick time');
    add('traffic', 'Received');
    add('roundTrip', 'Round trip');
    add('clients', 'Clients');
    add('particles', 'Particles');
    add('precision', 'Precision');
    this.sourceInput = add('source', 'Computed by');
    return new StageChart(folder.$children);
  }

  /** Shows the parameters of a result of world.get. @param {WorldState} state */
  setParameters({ gravity, wind, airDensity = 1.2, substeps, iterations, tolerance, damping, squareRoot, sleep }) {
    if (this.held || this.busy) return;
    this.gravity = gravity;
    const [windX, windY, windZ] = wind.velocity;
    Object.assign(this.values, {
      gravity: -gravity[1], windX, windY, windZ, gust: wind.gust ?? 0, airDensity, substeps, iterations, tolerance, damping, squareRoot, sleep,
    });
    for (const controller of this.gui.controllers) controller.updateDisplay();
  }

  /** @param {boolean} usable whether parameters may be changed now */
  setUsable(usable) {
    for (const controller of this.gui.controllers) controller.enable(usable);
  }

  /** @param {Partial<Record<'fps'|'tick'|'traffic'|'roundTrip'|'clients'|'particles'|'precision'|'source', string>>} figures */
  setFigures(figures) {
    Object.assign(this.figures, figures);
    for (const controller of this.gui.folders[0].controllers) controller.updateDisplay();
  }

  /** @param {string} reason a sentence about why the page or the server computes what is shown */
  explainSource(reason) {
    if (this.sourceInput) this.sourceInput.title = reason;
  }

  /**
   * Sends one request at a time; changes made meanwhile are combined, and only the newest values are sent after it.
   * @param {WorldSetParams} params
   */
  async send(params) {
    this.pending = { ...this.pending, ...params };
    if (this.busy) return;
    this.busy = true;
    while (this.pending) {
      const next = this.pending;
      this.pending = null;
      await this.change(next);
    }
    this.busy = false;
  }
}
