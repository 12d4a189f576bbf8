// SPDX-License-Identifier: MIT
// Makes files of a moment: the ticks are computed again in a local world beside the page, recorded, and drawn in a hidden picture from
// where the user looks. The GIF is written in a worker; the video is recorded by the browser while it plays.
import { WeftClient } from '../../../client/client.js';
import { momentAddress } from '../../page/world_address.js';
import { BYTES_MAX } from '../../scene/export.js';
import { GifWriter } from '../../scene/gif.js';
import { recordFilm, recordFrames } from '../../scene/recording.js';
import { Replayed } from '../../scene/replayed.js';
import { withDuration } from '../../scene/webm.js';
import { h } from '../../ui/dom.js';
/** @import { Page } from '../../page/page.js' */
/** @import { Stretch } from '../../scene/export.js' */

const RATE = 30; // pictures a second that are recorded, and of the video
const SPEED = 2; // of the replay that is recorded
const LAST_MS = 1000; // after the replay's end its last frames have come
const GIF = { side: 480, delayMs: 80 };
const VIDEO = { side: 1280 };
const COLOR_SAMPLES = 4;

let takes = 0; // recordings so far

/** @typedef {{timeline: number, from: number, to: number}} Ticks of a world */
/** @typedef {(step: string, share: number) => void} Progress */

/** @param {Page} page @param {Ticks} ticks @param {Progress} progress @param {AbortSignal} signal @returns {Promise<Stretch[]>} */
export async function recordMoment(page, ticks, progress, signal) {
  const { world = '', tickHz = 60 } = page.client.hello ?? {};
  progress('Loading', 0);
  // Each recording has a world of its own: one that was canceled may have left the other at any tick.
  const client = new WeftClient(`${momentAddress(world, ticks)}&take=${++takes}`, { worker: true, reconnect: false });
  const ending = new AbortController(); // of the recording, when the replay has ended or the user cancels
  signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true });
  try {
    await Promise.race([client.connect(), failure(client, signal)]);
    const { replay } = await client.call('world.get');
    if (!replay) throw new Error('The world shows no replay.');
    const { from, to } = replay;
    client.on('world.changed', ({ replay: now }) => { if (!now?.playing && now?.tick === to) setTimeout(() => ending.abort('finish'), LAST_MS); });
    await client.subscribeEvents(['world.changed']);
    const recording = recordFrames(client, { seconds: (to - from) / tickHz, perSecond: RATE, tickHz, bytesMax: BYTES_MAX }, (share) => progress('Replaying', share), ending.signal);
    recording.catch(() => {}); // awaited below
    await client.subscribeFrames({ everyTicks: Math.max(1, Math.round(tickHz / RATE)) });
    await client.call('world.replay', { from, to, speed: SPEED });
    return await recording;
  } finally {
    client.close();
  }
}

/** Rejects when the moment cannot be opened, or the user cancels. @param {WeftClient} client @param {AbortSignal} signal @returns {Promise<never>} */
function failure(client, signal) {
  return new Promise((_, reject) => {
    client.on('state', ({ state, reason }) => { if (state === 'closed') reject(new Error(reason || 'The moment cannot be opened.')); });
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

/** A size in the shape of the page's picture, with even sides. @param {Page} page @param {number} side the longer one */
function sizeOf({ stage }, side) {
  const { width, height } = stage;
  const scale = side / Math.max(width, height);
  const even = (/** @type {number} */ length) => 2 * Math.max(8, Math.round((length * scale) / 2));
  return { width: even(width), height: even(height) };
}

/**
 * @template T
 * @param {Page} page @param {Stretch[]} stretches @param {{width: number, height: number}} size
 * @param {(replayed: Replayed) => Promise<T>} work
 */
async function withPicture(page, stretches, size, work) {
  const host = h('div', { class: 'moment-stage', 'aria-hidden': 'true' });
  document.body.append(host);
  /** @type {Replayed | undefined} */
  let replayed;
  try {
    replayed = new Replayed(host, stretches, page.stage, size);
    return await work(replayed);
  } finally {
    replayed?.dispose();
    host.remove();
  }
}

/** @param {Page} page @param {Stretch[]} stretches @param {Progress} progress @param {AbortSignal} signal @returns {Promise<Blob>} */
export function gifOf(page, stretches, progress, signal) {
  const size = sizeOf(page, GIF.side);
  return withPicture(page, stretches, size, async (replayed) => {
    const writer = new GifWriter();
    try {
      const take = taker(replayed, size);
      const count = Math.max(2, Math.floor((1000 * replayed.duration) / GIF.delayMs));
      const samples = new Uint8ClampedArray(COLOR_SAMPLES * 4 * size.width * size.height);
      for (let at = 0; at < COLOR_SAMPLES; at++) samples.set(take((at * replayed.duration) / (COLOR_SAMPLES - 1)), at * 4 * size.width * size.height);
      await writer.begin({ ...size, delayMs: GIF.delayMs }, samples);
      for (let at = 0; at < count; at++) {
        if (signal.aborted) throw signal.reason;
        progress('Drawing', at / count);
        await writer.add(take((at * GIF.delayMs) / 1000));
      }
      return new Blob([await writer.end()], { type: 'image/gif' });
    } finally {
      writer.close();
    }
  });
}

/** Draws times of a recording, and reads the pixels. @param {Replayed} replayed @param {{width: number, height: number}} size */
function taker(replayed, { width, height }) {
  const sheet = /** @type {CanvasRenderingContext2D} */ (h('canvas', { width, height }).getContext('2d', { willReadFrequently: true }));
  return (/** @type {number} */ time) => {
    replayed.draw(time);
    sheet.drawImage(replayed.canvas, 0, 0, width, height);
    return /** @type {Uint8ClampedArray<ArrayBuffer>} */ (sheet.getImageData(0, 0, width, height).data);
  };
}

/** @param {Page} page @param {Stretch[]} stretches @param {Progress} progress @param {AbortSignal} signal @returns {Promise<Blob>} */
export function videoOf(page, stretches, progress, signal) {
  return withPicture(page, stretches, sizeOf(page, VIDEO.side), async (replayed) => {
    replayed.draw(0);
    const began = performance.now();
    let request = requestAnimationFrame(function draw(now) {
      request = requestAnimationFrame(draw);
      replayed.draw(Math.min(replayed.duration, Math.max(0, now - began) / 1000));
    });
    try {
      const { bytes, ms } = await recordFilm(replayed.canvas, { seconds: replayed.duration, perSecond: RATE }, (share) => progress('Recording', share), signal);
      return new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (withDuration(bytes, ms))], { type: 'video/webm' });
    } finally {
      cancelAnimationFrame(request);
    }
  });
}
