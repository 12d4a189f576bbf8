// SPDX-License-Identifier: MIT
// The dock for exporting: the displayed world as an image or a model, an interval as a video or an animated model. One export
// at a time, with progress; a recording can be finished early or cancelled.
import { h } from '../../ui/dom.js';
import { NoRecording, recordFilm, recordFrames } from '../../scene/recording.js';
import { withDuration } from '../../scene/webm.js';

const SECONDS = { least: 1, most: 60, usual: 5 };
const RATES = [10, 15, 30, 60];
const SIZES = [[1280, 720], [1920, 1080], [2560, 1440], [3840, 2160], [1080, 1080], [1080, 1920]]; // pixels
const USUAL_SIZE = 1; // index of the default size
const SIDE = { least: 16, most: 8192 }; // pixels
const KEEP_MS = 60000; // lifetime of the URL of a downloaded file

/** Built when the dock is first opened. */
export class ExportDock {
  /** @param {HTMLElement} element @param {import('../../page/page.js').Page} page */
  build(element, page) {
    /** @type {import('../../page/page.js').Page} */
    this.page = page;
    /** @type {AbortController | null} cancels the running export */
    this.working = null;
    /** @param {string} id @param {string} title @param {string} help @param {(signal: AbortSignal) => Promise<string>} run */
    const button = (id, title, help, run) => h('button', { type: 'button', title: help, dataset: { file: id }, onclick: () => this.#work(title, run) }, title);
    /** @type {HTMLButtonElement[]} */
    this.buttons = [
      button('png', 'Image (PNG)', 'The view as an image of the size above', () => this.#picture()),
      button('glb', 'Model (glTF)', 'The visible objects as binary glTF', () => this.#model('glb')),
      button('obj', 'Model (OBJ)', 'The visible objects as Wavefront OBJ', () => this.#model('obj')),
    ];
    /** @type {HTMLButtonElement[]} */
    this.moving = [
      button('animation', 'Animation (glTF)', 'The next seconds as animated binary glTF', (signal) => this.#animation(signal)),
      button('webm', 'Video (WebM)', 'The next seconds of the view as a video', (signal) => this.#film(signal)),
    ];
    /** @param {string} name @param {number} value */
    const side = (name, value) => h('input', { id: `export-${name}`, type: 'number', 'aria-label': `${name} in pixels`, min: SIDE.least, max: SIDE.most, step: 1, value, oninput: () => this.#nameSize() });
    const [wide, high] = SIZES[USUAL_SIZE];
    /** @type {HTMLInputElement} */
    this.width = side('width', wide);
    /** @type {HTMLInputElement} */
    this.height = side('height', high);
    /** @type {HTMLSelectElement} */
    this.size = h('select', { id: 'export-size', onchange: () => this.#chooseSize() },
      SIZES.map(([width, height], at) => h('option', { value: at }, `${width} × ${height}`)), h('option', { value: '' }, 'Custom'));
    this.size.value = String(USUAL_SIZE);
    /** @type {HTMLInputElement} */
    this.seconds = h('input', { id: 'export-seconds', type: 'number', min: SECONDS.least, max: SECONDS.most, step: 1, value: SECONDS.usual });
    /** @type {HTMLSelectElement} */
    this.rate = h('select', { id: 'export-rate' }, RATES.map((rate) => h('option', { value: rate }, `${rate} fps`)));
    this.rate.value = '30';
    /** @type {HTMLParagraphElement} */
    this.said = h('p', { class: 'export-said', role: 'status' });
    /** @type {HTMLProgressElement} */
    this.bar = h('progress', { max: 1, 'aria-label': 'Export progress' });
    /** @type {HTMLButtonElement} */
    this.finish = h('button', { type: 'button', onclick: () => this.working?.abort('finish') }, 'Finish now');
    /** @type {HTMLElement} */
    this.words = h('small');
    /** @type {HTMLDivElement} */
    this.progress = h('div', { class: 'export-progress', hidden: true }, this.words, this.bar,
      h('div', {}, this.finish, h('button', { type: 'button', onclick: () => this.working?.abort(new DOMException('Canceled.', 'AbortError')) }, 'Cancel')));
    element.classList.add('export');
    element.append(
      h('h3', {}, 'Image and video size'),
      h('div', { class: 'export-row' }, h('label', { for: 'export-size' }, 'Size ', h('small', {}, 'px')), this.size),
      h('div', { class: 'export-row export-sides' }, h('span', {}), h('div', {}, this.width, ' × ', this.height)),
      h('h3', {}, 'Current state'), h('div', { class: 'export-buttons' }, this.buttons),
      h('h3', {}, 'Recording'),
      h('div', { class: 'export-row' }, h('label', { for: 'export-seconds' }, 'Length ', h('small', {}, 's')), this.seconds),
      h('div', { class: 'export-row' }, h('label', { for: 'export-rate' }, 'Frame rate'), this.rate),
      h('div', { class: 'export-buttons' }, this.moving),
      this.progress, this.said);
  }

  /** Makes a file. @param {string} id id of its button */
  run(id) {
    [...this.buttons, ...this.moving].find(({ dataset }) => dataset.file === id)?.click();
  }

  /** @param {string} title @param {(signal: AbortSignal) => Promise<string>} run */
  async #work(title, run) {
    if (this.working) return;
    const working = new AbortController();
    this.working = working;
    for (const button of [...this.buttons, ...this.moving]) button.disabled = true;
    this.#say(`${title}…`);
    try {
      this.#say(await run(working.signal));
    } catch (thrown) {
      const error = /** @type {Error} */ (thrown);
      const given = error.name === 'AbortError';
      this.#say(given ? 'Canceled.' : error instanceof NoRecording ? error.message : `Export failed: ${error.message}`, !given);
    }
    this.working = null;
    this.progress.hidden = true;
    for (const button of [...this.buttons, ...this.moving]) button.disabled = false;
  }

  async #picture() {
    const { pictureOf } = await import('../../scene/export.js');
    return this.#save(await pictureOf(this.page.stage, this.#size()), 'png');
  }

  /** @param {'glb' | 'obj'} ending */
  async #model(ending) {
    const { glbOf, objOf, shownPositions, stillScene } = await import('../../scene/export.js');
    const { world } = this.page;
    if (!world.topology) throw new NoRecording('There is nothing to export yet.');
    const scene = stillScene(world.topology, shownPositions(world));
    return this.#save(await (ending === 'obj' ? objOf : glbOf)(scene), ending);
  }

  /** @param {AbortSignal} signal */
  async #animation(signal) {
    const { BYTES_MAX, bytesOf, glbOf, movingScene } = await import('../../scene/export.js');
    const { client } = this.page;
    const tickHz = client.hello?.tickHz ?? 60;
    const interval = this.#interval();
    const samples = interval.seconds * interval.perSecond + 1;
    if (client.topology) refuseTooMuch(bytesOf([{ topology: client.topology, samples: { length: samples } }]), BYTES_MAX);
    const stretches = await recordFrames(client, { ...interval, tickHz, bytesMax: BYTES_MAX }, (share) => this.#show('Recording', share, true), signal);
    refuseTooMuch(bytesOf(stretches), BYTES_MAX); // more frames may have arrived meanwhile
    const { scene, clip } = await movingScene(stretches, async (share) => {
      this.#show('Writing', share, false);
      await new Promise((resolve) => setTimeout(resolve));
      if (signal.aborted && signal.reason !== 'finish') throw signal.reason;
    });
    if (clip.tracks.length === 0) throw new NoRecording('Nothing moved during the recording. Let the world run and try again.');
    const taken = stretches.reduce((sum, stretch) => sum + stretch.samples.length, 0);
    return `${await this.#save(await glbOf(scene, clip), 'glb')}, ${clip.duration.toFixed(1)} s in ${taken} samples`;
  }

  /** @param {AbortSignal} signal */
  async #film(signal) {
    const { stage } = this.page;
    const [interval, size] = [this.#interval(), this.#size()];
    if (!stage.setOutput(size)) throw new NoRecording(`This computer can’t render ${size.width} × ${size.height} pixels.`);
    let film;
    try {
      stage.renderOnce(); // the video begins in its own size
      film = await recordFilm(stage.canvas, interval, (share) => this.#show('Recording', share, true), signal);
    } finally {
      stage.setOutput(null);
    }
    const { bytes, ms } = film;
    return `${this.#save(new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (withDuration(bytes, ms))], { type: 'video/webm' }), 'webm')}, ${(ms / 1000).toFixed(1)} s`;
  }

  #interval() {
    const seconds = Number(this.seconds.value);
    const sound = Number.isFinite(seconds) && seconds >= SECONDS.least && seconds <= SECONDS.most;
    this.seconds.setAttribute('aria-invalid', String(!sound));
    if (!sound) throw new NoRecording(`The length must be ${SECONDS.least} to ${SECONDS.most} s.`);
    return { seconds, perSecond: Number(this.rate.value) };
  }

  #chooseSize() {
    const size = SIZES[Number(this.size.value || -1)];
    if (size) [this.width.value, this.height.value] = size.map(String);
    else this.width.focus();
  }

  #nameSize() {
    const at = SIZES.findIndex(([width, height]) => Number(this.width.value) === width && Number(this.height.value) === height);
    this.size.value = at < 0 ? '' : String(at);
  }

  #size() {
    const sides = [this.width, this.height].map((input) => {
      const side = Number(input.value);
      const sound = Number.isInteger(side) && side >= SIDE.least && side <= SIDE.most;
      input.setAttribute('aria-invalid', String(!sound));
      return sound ? side : NaN;
    });
    if (sides.some(Number.isNaN)) throw new NoRecording(`Width and height must be whole numbers from ${SIDE.least} to ${SIDE.most}.`);
    return { width: sides[0], height: sides[1] };
  }

  /** @param {string} what @param {number} share @param {boolean} open */
  #show(what, share, open) {
    this.progress.hidden = false;
    this.finish.disabled = !open;
    this.bar.value = share;
    const words = `${what}: ${Math.round(100 * share)}%`;
    this.bar.setAttribute('aria-valuetext', words);
    this.words.textContent = words;
  }

  /** Offers a file for download. @param {Blob} blob @param {string} ending @returns {string} a description of the saved file */
  #save(blob, ending) {
    const { client, state } = this.page;
    const name = `weft-${client.hello?.world ?? 'world'}-${state?.tick ?? 0}.${ending}`;
    const url = URL.createObjectURL(blob);
    h('a', { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
    const size = blob.size < 1e6 ? `${Math.max(1, Math.round(blob.size / 1e3))} kB` : `${(blob.size / 1e6).toFixed(1)} MB`;
    return `${name}: ${size}`;
  }

  /** @param {string} text */
  #say(text, bad = false) {
    this.said.textContent = text;
    this.said.classList.toggle('export-fault', bad);
  }
}

/** @param {number} bytes @param {number} most */
function refuseTooMuch(bytes, most) {
  if (bytes <= most) return;
  const [wanted, allowed] = [bytes, most].map((number) => Math.round(number / 2 ** 20));
  throw new NoRecording(`The file would be ${wanted} MB; the limit is ${allowed} MB. Record fewer seconds or use a lower frame rate.`);
}
