// SPDX-License-Identifier: MIT
// The origin by which other machines reach this page's server: that of the page, unless that means this machine alone and the
// server knows a better one.
const LOOPBACK = /^(localhost|.+\.localhost|\[::1\]|127(\.\d+){3})$/;

/** @returns {Promise<{origin: string, alone: boolean}>} `alone`: only this machine can reach it */
export async function reachableOrigin() {
  if (!LOOPBACK.test(location.hostname)) return { origin: location.origin, alone: false };
  try {
    const answer = await fetch('./addresses.json');
    const { urls } = answer.ok ? await answer.json() : { urls: [] };
    if (urls.length > 0) return { origin: new URL(urls[0]).origin, alone: false };
  } catch {
    // a server that does not say its addresses
  }
  return { origin: location.origin, alone: true };
}
