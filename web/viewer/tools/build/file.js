// SPDX-License-Identifier: MIT
// Files: one is chosen or dropped, read, checked, made smaller, and shown as a ghost with the numbers of what would be sent; then
// it is placed like anything else.
import { h } from '../../ui/dom.js';
import { FileFault } from '../../geometry/mesh.js';
import { fileKind, firstSize, isFlat, USES } from './filekinds.js';

const ACCEPTED = '.obj,.ply,.gltf,.glb';

/** The part of the dock that takes files. */
export class FilePart {
  /** @param {import('../../page.js').Page} page @param {import('./card.js').PlacingCard} card */
  constructor(page, card) {
    Object.assign(this, { page, card, placement: card.placement });
    this.mesh = null; // of the file, cleaned
    this.reading = 0;
    this.input = h('input', { type: 'file', accept: ACCEPTED, multiple: true, hidden: true, 'aria-label': 'A file to build from', onchange: () => {
      this.take([...this.input.files]);
      this.input.value = '';
    } });
    this.button = h('button', { type: 'button', onclick: () => this.choose() }, 'Choose a file …');
    this.said = h('p', { class: 'build-said', role: 'status' });
    this.uses = h('fieldset', { class: 'build-uses' }, h('legend', {}, 'Make it'), Object.entries(USES).map(([use, { title }], at) => h('label', {},
      h('input', { type: 'radio', name: 'build-use', value: use, checked: at === 0, onchange: () => this.#chooseUse(use) }), ` ${title}`)));
    this.count = h('input', { id: 'build-count', type: 'number', step: 1, onchange: () => this.#show() });
    this.countLabel = h('label', { for: 'build-count' });
    this.sent = h('p', { class: 'build-sent', role: 'status' });
    this.details = h('div', { class: 'build-file', hidden: true }, this.uses, h('div', { class: 'build-row' }, this.countLabel, this.count), this.sent);
    this.element = h('section', { class: 'build-part', 'aria-label': 'From a file' },
      h('h3', {}, 'From a file'),
      h('p', { class: 'build-hint' }, 'Drop an OBJ, PLY, glTF or GLB file on the page, or choose one. It stays in this page until you place it.'),
      this.button, this.input, this.said);
    this.placement.on('begin', ({ group }) => { this.details.hidden = group !== 'File'; });
    this.placement.on('values', () => this.#tell());
    this.use = 'cloth';
  }

  /** @param {boolean} usable */
  setUsable(usable) {
    this.button.disabled = !usable;
  }

  choose() {
    this.input.click();
  }

  /** Reads files and shows what they hold. @param {File[]} files one, and what it names */
  async take(files) {
    if (files.length === 0 || !this.page.editable) return;
    const mine = ++this.reading;
    this.#say(`Reading “${files[0].name}” …`);
    this.placement.end();
    try {
      const { readFiles, loadReducer } = await import('../../scene/import.js');
      const [mesh, simplify] = await Promise.all([readFiles(files), loadReducer()]);
      if (mine !== this.reading) return;
      Object.assign(this, { mesh, simplify, size: firstSize(mesh.extent, this.page.world.topology.bounds) });
      this.#say(found(mesh));
      this.uses.querySelector('input').checked = true;
      this.#chooseUse('cloth');
    } catch (error) {
      if (mine === this.reading) this.#say(error.message, true);
    }
  }

  #chooseUse(use) {
    this.use = use;
    const { counted, least, most, usual } = USES[use];
    const all = this.mesh.positions.length / 3;
    this.countLabel.textContent = `${counted}, at most`;
    Object.assign(this.count, { min: least, max: Math.min(most, Math.max(least, all)), value: Math.min(usual, Math.max(least, all)) });
    this.#show();
  }

  // Makes it as small as was asked for and shows it.
  #show() {
    const { use, mesh } = this;
    const { reduce, least, most } = USES[use];
    const wanted = Math.round(Math.min(most, Math.max(least, Number(this.count.value) || least)));
    this.count.value = wanted;
    const keep = this.placement.kind?.group === 'File';
    const size = keep ? this.placement.values.extent : this.size;
    try {
      this.reduced = reduce(mesh, wanted, this.simplify);
      if (use === 'body' && isFlat(this.reduced.positions)) throw new FileFault('It is flat: a body needs a volume. Make it cloth or an obstacle.');
    } catch (error) {
      if (!(error instanceof FileFault)) throw error;
      if (keep) this.#refuse(error.message); // what stands there stays: another use or number can still be chosen
      else this.#say(error.message, true);
      return;
    }
    const kind = fileKind(use, mesh.name, this.reduced, Math.max(...mesh.extent), size);
    const same = keep && this.placement.kind.id === kind.id;
    this.placement.begin(kind, same ? { ...this.placement.values } : { ...kind.values }, { keep });
    this.details.hidden = false;
    this.#tell();
  }

  // What will be sent, in numbers.
  #tell() {
    if (this.placement.kind?.group !== 'File') return;
    const bytes = JSON.stringify(this.placement.request).length;
    const most = this.page.client.hello?.limits?.messageBytes ?? Infinity;
    const parts = [...USES[this.use].told(this.reduced), `${(bytes / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} kB`];
    if (bytes > most) {
      this.#refuse(`That would be ${Math.ceil(bytes / 1e6)} MB, and the server takes ${Math.floor(most / 1e6)} MB at once: allow fewer ${USES[this.use].counted}.`);
      return;
    }
    this.card.setBlocked(false);
    this.sent.classList.remove('build-fault');
    this.sent.textContent = `What will be sent: ${parts.join(', ')}.`;
  }

  #refuse(text) {
    this.card.setBlocked(true);
    this.sent.classList.add('build-fault');
    this.sent.textContent = text;
  }

  #say(text, bad = false) {
    this.said.textContent = text;
    this.said.classList.toggle('build-fault', bad);
    if (bad) this.said.scrollIntoView({ block: 'nearest' });
  }
}

function found({ name, found: triangles, removed, positions, extent }) {
  const out = [[removed.broken, 'that name no point'], [removed.flat, 'without area'], [removed.doubled, 'doubled']].filter(([number]) => number > 0);
  const left = out.length > 0 ? ` Left out: ${out.map(([number, why]) => `${number.toLocaleString('en')} ${why}`).join(', ')}.` : '';
  const size = extent.map((value) => Number(value.toPrecision(3)).toLocaleString('en')).join(' × ');
  return `“${name}”: ${triangles.toLocaleString('en')} triangles, ${(positions.length / 3).toLocaleString('en')} corners, ${size} in its own units.${left}`;
}
