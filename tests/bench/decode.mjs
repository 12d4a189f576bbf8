// SPDX-License-Identifier: MIT
// How long the page's decoders take for a stream of frames.

/** ns a particle by decoder; empty while there is none for the best coding. */
export async function decodeTimes() {
  return {};
}
