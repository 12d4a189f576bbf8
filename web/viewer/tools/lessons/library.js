// SPDX-License-Identifier: MIT
// Where lessons come from: those that come with Weft, files at an address of the same server, and files that the user opens.
import { readLesson } from './format.js';
/** @import { Lesson } from './format.js' */
/** @import { Schema } from './schema.js' */

const SCHEMA = new URL('../../../lessons/lesson.schema.json', import.meta.url);
/** The lessons that come with Weft, in their order: the addresses of their files by name. @type {Record<string, URL>} */
const OWN = {
  verlet: new URL('../../../lessons/verlet.json', import.meta.url),
  sticks: new URL('../../../lessons/sticks.json', import.meta.url),
  'rigid-bodies': new URL('../../../lessons/rigid-bodies.json', import.meta.url),
};

/** The names of the lessons that come with Weft. */
export const OWN_NAMES = Object.keys(OWN);

/** @type {Promise<Schema> | null} */
let schema = null;

/** @param {URL} url @param {string} file its name, for messages */
async function textAt(url, file) {
  const response = await fetch(url).catch((error) => { throw new Error(`The lesson ${file} could not be loaded: ${error.message}.`, { cause: error }); });
  if (!response.ok) throw new Error(`The lesson ${file} could not be loaded: ${response.status} ${response.statusText}.`);
  return response.text();
}

function readSchema() {
  schema ??= textAt(SCHEMA, 'lesson.schema.json').then((text) => JSON.parse(text));
  schema.catch(() => { schema = null; }); // the next attempt may succeed
  return schema;
}

/** @param {string} text @param {string} file */
const read = async (text, file) => readLesson(text, file, await readSchema());

/**
 * A lesson by its name, or by its address on the server that serves the page.
 * @param {string} name
 * @returns {Promise<Lesson>} rejects with an Error for the user
 */
export async function loadLesson(name) {
  if (Object.hasOwn(OWN, name)) return read(await textAt(OWN[name], `${name}.json`), `${name}.json`);
  if (!/[./]/.test(name)) throw new Error(`There is no lesson “${name}”. The lessons are ${OWN_NAMES.join(', ')}; another one is given by its address, such as lessons/my-lesson.json.`);
  const url = URL.canParse(name, document.baseURI) ? new URL(name, document.baseURI) : null;
  if (!url || url.origin !== location.origin || !url.protocol.startsWith('http')) throw new Error(`The lesson ${name} is not on this server. Lessons from elsewhere can be opened as files.`);
  const file = decodeURIComponent(url.pathname.split('/').at(-1) || name);
  return read(await textAt(url, file), file);
}

/** A lesson of a file that the user has opened. @param {File} file @returns {Promise<Lesson>} */
export const openLesson = async (file) => read(await file.text(), file.name);
