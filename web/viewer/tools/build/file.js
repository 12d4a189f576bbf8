// SPDX-License-Identifier: MIT
// Objects from files: a file is chosen or dropped, parsed, checked, reduced, and shown as a preview with the numbers of
// elements to be sent; then the user places it. A worker parses and reduces the file, with progress, and can be cancelled.
import { h, one } from '../../ui/dom.js';
import { FileFault } from '../../geometry/mesh.js';
import { MeshReader } from '../../geometry/reader.js';
import { fileKind, firstSize, isFlat, USES } from './file_kinds.js';
/** @import { Use } from './file_kinds.js' */

const ACCEPTED = '.obj,.ply,.stl,.gltf,.glb';
/** @type {Use[]} */
const USE_NAMES = ['cloth', 'body', 'soft', 'obstacle'];
const SAMPLE = 3000; // number of entries from which the text length of a list is estimated

/** @typedef {Awaited<ReturnType<MeshReader['read']>>} FoundMesh */

/** The part of the dock for files. */
export class FilePart {
  /** @param {import('../../page/page.js').Page} page @param {import('./card.js').PlacingCard} card */
  constructor(page, card) {
    this.page = page;
    this.card = card;
    this.placement = card.placement;
    /** @type {FoundMesh | null} the mesh of the file */
    this.mesh = null;
    /** @type {MeshReader | null} the reader of the file */
    this.reader = null;
    this.size = 1; // m, the initial size
    /** @type {import('./file_kinds.js').Reduced} the reduced mesh that was displayed last */
    this.reduced = { positions: new Float32Array(0), triangles: null, edges: null };
    this.shown = 0; // number of reduced meshes requested so far
    this.input = h('input', { type: 'file', accept: ACCEPTED, multiple: true, hidden: true, 'aria-label': 'File to import', onchange: () => {
      this.take([...(this.input.files ?? [])]);
      this.input.value = '';
    } });
    this.button = h('button', { type: 'button', onclick: () => this.choose() }, 'Choose file…');
    this.said = h('p', { class: 'build-said', role: 'status' });
    this.bar = h('progress', { max: 1, 'aria-label': 'Reading progress' });
    this.working = h('div', { class: 'build-working', hidden: true }, this.bar, h('button', { type: 'button', onclick: () => this.#giveUp() }, 'Cancel'));
    this.uses = h('fieldset', { class: 'build-uses' }, h('legend', {}, 'Import as'), USE_NAMES.map((use, at) => h('label', {},
      h('input', { type: 'radio', name: 'build-use', value: use, checked: at === 0, onchange: () => this.#chooseUse(use) }), ` ${USES[use].title}`)));
    this.count = h('input', { id: 'build-count', type: 'number', step: 1, onchange: () => this.#show() });
    this.countLabel = h('label', { for: 'build-count' });
    this.sent = h('p', { class: 'build-sent', role: 'status' });
    this.details = h('div', { class: 'build-file', hidden: true }, this.uses, h('div', { class: 'build-row' }, this.countLabel, this.count), this.sent);
    this.element = h('section', { class: 'build-part', 'aria-label': 'Import a file' },
      h('h3', {}, 'Import a file'),
      h('p', { class: 'build-hint' }, 'Drop an OBJ, PLY, STL, glTF or GLB file on the page, or choose one. It is not uploaded until you place it.'),
      this.button, this.input, this.said, this.working);
    this.placement.on('begin', ({ group }) => { this.details.hidden = group !== 'File'; });
    this.placement.on('values', () => this.#tell());
    /** @type {Use} */
    this.use = 'cloth';
  }

  /** @param {boolean} usable */
  setUsable(usable) {
    this.button.disabled = !usable;
  }

  choose() {
    this.input.click();
  }

  /** Reads files and shows their contents. @param {File[]} files a mesh, and the files that it refers to */
  async take(files) {
    if (files.length === 0 || !this.page.editable) return;
    this.reader?.close();
    const reader = new MeshReader();
    this.reader = reader;
    this.#say(`Reading “${files[0].name}”…`);
    this.#work('', 0);
    this.working.scrollIntoView({ block: 'nearest' });
    this.placement.end();
    try {
      const mesh = await reader.read(files, (step, share) => {
        this.#say(`“${files[0].name}”: ${step}…`);
        this.#work(step, share);
      });
      this.mesh = mesh;
      if (this.page.world.topology) this.size = firstSize(mesh.extent, this.page.world.topology.bounds);
      one(this.uses, 'input', HTMLInputElement).checked = true;
      await this.#chooseUse('cloth');
      if (this.reader === reader && this.placement.kind) this.#say(found(mesh));
    } catch (error) {
      if (this.reader !== reader) return; // another file was dropped meanwhile
      const { name, message } = /** @type {Error} */ (error);
      if (name !== 'AbortError') this.#say(message, true);
    }
    if (this.reader === reader) this.working.hidden = true;
  }

  #giveUp() {
    this.reader?.close();
    this.working.hidden = true;
    this.#say('Canceled.');
  }

  /** @param {string} step @param {number} share */
  #work(step, share) {
    this.working.hidden = false;
    this.bar.value = share;
    this.bar.setAttribute('aria-valuetext', `${step} ${Math.round(100 * share)}%`);
  }

  /** @param {Use} use */
  #chooseUse(use) {
    this.use = use;
    const { counted, least, most, usual } = USES[use];
    const all = use === 'soft' ? most : this.mesh?.corners ?? 0; // a soft body has particles within, too
    this.countLabel.textContent = `Max. ${counted}`;
    this.count.min = String(least);
    this.count.max = String(Math.min(most, Math.max(least, all)));
    this.count.value = String(Math.min(usual, Math.max(least, all)));
    return this.#show();
  }

  // Reduces the mesh as requested and shows it.
  async #show() {
    const { use, mesh, reader } = this;
    if (!mesh || !reader) return;
    const { least, most } = USES[use];
    const wanted = Math.round(Math.min(most, Math.max(least, Number(this.count.value) || least)));
    const mine = ++this.shown;
    this.count.value = String(wanted);
    this.sent.textContent = 'Simplifying…';
    this.card.setBlocked(true); // until the requested mesh is displayed
    try {
      const reduced = await reader.reduce(use, wanted);
      if (mine !== this.shown) return;
      if (use === 'body' && isFlat(reduced.positions)) throw new FileFault('It is flat, but a body needs volume. Import it as cloth or as an obstacle.');
      this.reduced = reduced;
    } catch (error) {
      if (!(error instanceof FileFault) || mine !== this.shown) {
        if (/** @type {Error} */ (error).name !== 'AbortError') throw error;
        return;
      }
      if (this.#stands) this.#refuse(error.message); // the old mesh stays displayed: the user can choose another use or number
      else this.#say(error.message, true);
      return;
    }
    const keep = this.#stands;
    const kind = fileKind(use, mesh.name, this.reduced, Math.max(...mesh.extent), keep ? this.placement.values.size : this.size);
    const same = keep && this.placement.kind?.id === kind.id;
    this.placement.begin(kind, same ? { ...this.placement.values } : { ...kind.values }, { keep });
    this.details.hidden = false;
    this.#tell();
  }

  // Whether a file's mesh is being placed.
  get #stands() {
    return this.placement.kind?.group === 'File';
  }

  // Shows the numbers of elements to be sent.
  #tell() {
    if (!this.#stands) return;
    const bytes = lengthOf(this.placement.request);
    const most = this.page.client.hello?.limits?.messageBytes ?? Infinity;
    const parts = [...USES[this.use].told(this.reduced), `${(bytes / 1000).toLocaleString('en', { maximumFractionDigits: 1 })} kB`];
    if (bytes > most) {
      this.#refuse(`The import would be ${Math.ceil(bytes / 1e6)} MB, but the server accepts up to ${Math.floor(most / 1e6)} MB at once. Allow fewer ${USES[this.use].counted}.`);
      return;
    }
    this.card.setBlocked(false);
    this.sent.classList.remove('build-fault');
    this.sent.textContent = `Import size: ${parts.join(', ')}.`;
  }

  /** @param {string} text */
  #refuse(text) {
    this.card.setBlocked(true);
    this.sent.classList.add('build-fault');
    this.sent.textContent = text;
  }

  /** @param {string} text */
  #say(text, bad = false) {
    this.said.textContent = text;
    this.said.classList.toggle('build-fault', bad);
    if (bad) this.said.scrollIntoView({ block: 'nearest' });
  }
}

/**
 * The length of a request as JSON. For long lists of numbers it is estimated from a sample, because formatting them all takes
 * long.
 * @param {{method: string, params: object}} request
 */
function lengthOf({ method, params }) {
  let length = 0;
  const short = Object.fromEntries(Object.entries(params).map(([name, value]) => {
    if (!Array.isArray(value) || value.length < 2 * SAMPLE) return [name, value];
    const step = Math.floor(value.length / SAMPLE);
    const sample = Array.from({ length: SAMPLE }, (_, i) => value[i * step]);
    length += Math.round((JSON.stringify(sample).length / SAMPLE) * value.length);
    return [name, []];
  }));
  return length + JSON.stringify({ method, params: short }).length;
}

/** @param {FoundMesh} mesh */
function found({ name, found: triangles, removed, corners, extent }) {
  /** @type {[number: number, why: string][]} */
  const all = [[removed.broken, 'invalid'], [removed.flat, 'degenerate'], [removed.doubled, 'duplicate']];
  const out = all.filter(([number]) => number > 0);
  const left = out.length > 0 ? ` Skipped ${out.map(([number, why]) => `${number.toLocaleString('en')} ${why}`).join(', ')} faces.` : '';
  const size = extent.map((value) => Number(value.toPrecision(3)).toLocaleString('en')).join(' × ');
  return `“${name}”: ${triangles.toLocaleString('en')} triangles, ${corners.toLocaleString('en')} corners, ${size} in file units.${left}`;
}
