// SPDX-License-Identifier: MIT
// Where local worlds and scenes are kept: in the browser's IndexedDB, or, where there is none, in memory. A world is a head, which
// is written again and again, and parts, which never change: runs of entries, and snapshots.

const DATABASE = 'weft';
const STORES = ['scenes', 'heads', 'parts'];
const LAST = '\uffff'; // greater than any key of a part

/**
 * @typedef {object} Head
 * @property {string} name @property {number} tickHz @property {number} tick @property {boolean} running @property {number} particles
 * @property {number} physics version @property {number} timeline @property {number} home
 * @property {(Omit<import('./history.js').Timeline, 'entries' | 'snapshots'>)[]} timelines
 *
 * A part: entries of a timeline, which follow on those of the parts before, or a snapshot.
 * @typedef {{timeline: number, entries?: import('./history.js').Entry[], snapshot?: import('./history.js').Snapshot}} Part
 *
 * @typedef {object} Storage
 * @property {{get: (name: string) => Promise<string | undefined>, all: () => Promise<[string, string][]>, put: (name: string, text: string) => Promise<void>, delete: (name: string) => Promise<void>}} scenes
 * @property {() => Promise<Head[]>} heads of all worlds
 * @property {(name: string) => Promise<{head: Head, parts: Map<string, Part>} | null>} read
 * @property {(head: Head, parts: Map<string, Part | null>) => Promise<void>} write new parts by their keys; null: it is deleted
 * @property {(name: string) => Promise<void>} remove
 */

/** The storage of this browser. @returns {Promise<Storage>} */
export async function openStorage() {
  if (!('indexedDB' in globalThis)) return memoryStorage();
  try {
    return databaseStorage(await openDatabase());
  } catch {
    return memoryStorage(); // the browser does not allow it, for instance in a private window
  }
}

/** @returns {Storage} */
function memoryStorage() {
  /** @type {Map<string, string>} */
  const scenes = new Map();
  /** @type {Map<string, {head: Head, parts: Map<string, Part>}>} */
  const worlds = new Map();
  return {
    scenes: {
      get: async (name) => scenes.get(name),
      all: async () => [...scenes].sort(([one], [other]) => (one < other ? -1 : 1)),
      put: async (name, text) => { scenes.set(name, text); },
      delete: async (name) => { scenes.delete(name); },
    },
    heads: async () => [...worlds.values()].map(({ head }) => head),
    read: async (name) => worlds.get(name) ?? null,
    write: async (head, parts) => {
      const kept = worlds.get(head.name)?.parts ?? new Map();
      for (const [key, part] of parts) {
        if (part) kept.set(key, part);
        else kept.delete(key);
      }
      worlds.set(head.name, { head, parts: kept });
    },
    remove: async (name) => { worlds.delete(name); },
  };
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** @returns {Promise<IDBDatabase>} */
function openDatabase() {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => { for (const name of STORES) request.result.createObjectStore(name); };
  return done(request);
}

/** @param {string} name of a world */
const partsOf = (name) => IDBKeyRange.bound([name, ''], [name, LAST]);

/** @param {IDBDatabase} database @returns {Storage} */
function databaseStorage(database) {
  const store = (/** @type {string} */ name, /** @type {IDBTransactionMode} */ mode = 'readonly') => database.transaction(name, mode).objectStore(name);
  /** @param {(heads: IDBObjectStore, parts: IDBObjectStore) => void} change */
  const write = (change) => /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
    const transaction = database.transaction(['heads', 'parts'], 'readwrite');
    transaction.oncomplete = () => resolve();
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
    change(transaction.objectStore('heads'), transaction.objectStore('parts'));
  }));
  return {
    scenes: {
      get: (name) => done(store('scenes').get(name)),
      all: async () => {
        const scenes = store('scenes');
        const [names, texts] = await Promise.all([done(scenes.getAllKeys()), done(scenes.getAll())]);
        return names.map((name, at) => [String(name), texts[at]]);
      },
      put: async (name, text) => { await done(store('scenes', 'readwrite').put(text, name)); },
      delete: async (name) => { await done(store('scenes', 'readwrite').delete(name)); },
    },
    heads: () => done(store('heads').getAll()),
    read: async (name) => {
      const head = await done(store('heads').get(name));
      if (!head) return null;
      const parts = store('parts');
      const [keys, values] = await Promise.all([done(parts.getAllKeys(partsOf(name))), done(parts.getAll(partsOf(name)))]);
      return { head, parts: new Map(keys.map((key, at) => [/** @type {string[]} */ (key)[1], values[at]])) };
    },
    write: (head, changed) => write((heads, parts) => {
      heads.put(head, head.name);
      for (const [key, part] of changed) {
        if (part) parts.put(part, [head.name, key]);
        else parts.delete([head.name, key]);
      }
    }),
    remove: (name) => write((heads, parts) => {
      heads.delete(name);
      parts.delete(partsOf(name));
    }),
  };
}
