// SPDX-License-Identifier: MIT
// Copies a program to the clipboard, or offers it as a file where the clipboard is not available.
import { isLocalPage, serverAddress } from '../../page/world_address.js';
import { commandsOf, recordAll } from '../../script/recording.js';
import { FORMS } from '../../script/writers.js';
import { download, toClipboard } from '../../ui/clipboard.js';
/** @import { Recording } from '../../script/writers.js' */

const LOCAL_SERVER = 'ws://127.0.0.1:8080'; // programs cannot reach a world of this page: they are written for a server on the same machine

/** The address of the displayed world, as programs use it. @param {import('../../page/page.js').Page} page */
export function worldUrl(page) {
  const world = page.client.hello?.world ?? '';
  return isLocalPage() ? `${LOCAL_SERVER}/worlds/${world}` : serverAddress(world);
}

/** @param {string} id @param {import('../../script/writers.js').Recording} recording @returns {{text: string, file: string}} */
export function writeAs(id, recording) {
  const form = FORMS.find((one) => one.id === id) ?? FORMS[0];
  return { text: form.write(recording), file: form.file };
}

/**
 * A recording of entries of the log, without a scene.
 * @param {import('../../page/page.js').Page} page @param {import('./rows.js').LogEntry[]} entries @returns {Recording}
 */
export function recordSome(page, entries) {
  return { url: worldUrl(page), commands: commandsOf(entries) };
}

/** A recording of all commands since the scene was loaded. @param {import('../../page/page.js').Page} page */
export function recordWorld(page) {
  return recordAll(page.ask.bind(page), worldUrl(page));
}

/** Copies all commands since the scene was loaded, and reports that. @param {import('../../page/page.js').Page} page @param {string} id */
export async function copyAll(page, id) {
  try {
    const recording = await recordWorld(page);
    const { text, file } = writeAs(id, recording);
    const copied = await toClipboard(text);
    if (!copied) download(text, file);
    page.toasts.show(`${copied ? 'Copied' : `Saved as ${file}`}: ${recording.commands.length} commands, ending with the hash ${recording.stateHash}.`);
  } catch (error) {
    page.toasts.show(error);
  }
}
