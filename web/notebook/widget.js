// SPDX-License-Identifier: MIT
// The widget of the Python package weft-world, as anywidget loads it (its `_esm`): shows the picture of the world, and asks the kernel
// for the module that shows it live (view.js), so that saved notebooks do not hold that module. One page loads it once.

const LOADED = Symbol.for('weft-world notebook view'); // on globalThis: the module
const WAIT_MS = 8000; // for the kernel
const STILL = 'A picture of the world. Run the cell again to see it live.';

/** @param {any} model @returns {Promise<any>} the module, once the kernel has sent it */
function load(model) {
  const page = /** @type {any} */ (globalThis);
  if (page[LOADED]) return Promise.resolve(page[LOADED]);
  return new Promise((resolve, reject) => {
    const take = async (/** @type {any} */ message, /** @type {(DataView | ArrayBuffer)[]} */ buffers) => {
      if (message?.kind !== 'module') return;
      model.off('msg:custom', take);
      try {
        const text = await new Response(new Blob([/** @type {any} */ (buffers[0])]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
        const url = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
        page[LOADED] ??= await import(url);
        URL.revokeObjectURL(url);
        resolve(page[LOADED]);
      } catch (error) {
        reject(error);
      }
    };
    model.on('msg:custom', take);
    model.send({ kind: 'module' });
  });
}

/** @param {any} model @param {HTMLElement} place */
function showPicture(model, place) {
  const bytes = model.get('picture');
  const image = document.createElement('img');
  image.alt = 'The world';
  image.style.cssText = 'display:block;max-width:100%';
  if (bytes?.byteLength > 0) {
    image.src = URL.createObjectURL(new Blob([bytes], { type: 'image/png' }));
    image.onload = () => URL.revokeObjectURL(image.src);
  }
  const caption = document.createElement('p');
  caption.setAttribute('role', 'status');
  place.replaceChildren(image, caption);
  return caption;
}

export default {
  /** @param {{model: any, el: HTMLElement}} parts */
  render({ model, el }) {
    const caption = showPicture(model, el);
    const timer = setTimeout(() => { caption.textContent = STILL; }, WAIT_MS);
    let leave = () => {};
    let left = false;
    load(model).then(({ mount }) => {
      clearTimeout(timer);
      if (!left) leave = mount(model, el);
    }).catch((error) => { caption.textContent = `The view cannot be shown: ${error.message}`; });
    return () => {
      left = true;
      clearTimeout(timer);
      leave();
    };
  },
};
