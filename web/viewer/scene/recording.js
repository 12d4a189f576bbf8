// SPDX-License-Identifier: MIT
// Records the frames of an interval as the server sends them, and videos of the picture. Both can be finished early or
// cancelled.

/** @import { Frame } from '../../client/frame.js' */
/** @import { Topology } from '../../client/topology.js' */

const DURATION_FACTOR_MAX = 3; // limit of the recording time relative to its nominal time, for worlds that run slower than real time
const STRETCHES_MAX = 24; // limit of the number of topologies in one recording
const FILM_TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const FILM_BITS = 4; // bits per second and pixel, about 8 million for 1920 × 1080

/** The reason why a recording failed, as a sentence for the user. */
export class NoRecording extends Error {}

/**
 * Collects frames until `seconds` of the world have passed, the world was reset, or `signal` ends the recording.
 * @param {import('../../client/client.js').WeftClient} client
 * @param {{seconds: number, perSecond: number, tickHz: number, bytesMax: number}} options
 * @param {(share: number) => void} progress @param {AbortSignal} signal aborted with 'finish' to keep the recording so far, otherwise to cancel
 * @returns {Promise<import('./export.js').Stretch[]>}
 */
export function recordFrames(client, { seconds, perSecond, tickHz, bytesMax }, progress, signal) {
  return new Promise((resolve, reject) => {
    /** @type {Map<number, Topology>} */
    const topologies = new Map();
    /** @type {import('./export.js').Stretch[]} */
    const stretches = [];
    let [first, last, bytes] = [-1, -1, 0];
    /** @param {Topology} topology */
    const know = (topology) => { topologies.set(topology.epoch, topology); };
    if (client.topology) know(client.topology);
    const stops = [client.on('topology', know), client.on('frame', (frame) => take(frame))];
    progress(0);
    const timer = setTimeout(() => finish(), 1000 * (DURATION_FACTOR_MAX * seconds + 2));
    signal.addEventListener('abort', () => (signal.reason === 'finish' ? finish() : end(() => reject(signal.reason))), { once: true });

    /** @param {Frame} frame */
    function take({ tick, epoch, positions }) {
      if (tick < last) {
        finish();
        return;
      }
      const topology = topologies.get(epoch) ?? client.topology;
      if (topology?.epoch !== epoch || tick === last) return;
      if (first < 0) first = tick;
      const fresh = stretches.at(-1)?.topology.epoch !== epoch;
      if (!fresh && tick - last < tickHz / perSecond && tick - first < seconds * tickHz) return;
      if ((fresh && stretches.length === STRETCHES_MAX) || bytes + positions.byteLength > bytesMax) {
        finish();
        return;
      }
      if (fresh) stretches.push({ topology, samples: [] });
      stretches[stretches.length - 1].samples.push({ time: (tick - first) / tickHz, positions: positions.slice(0, 3 * topology.particles) });
      bytes += positions.byteLength;
      last = tick;
      progress(Math.min(1, (tick - first) / (seconds * tickHz)));
      if (tick - first >= seconds * tickHz) finish();
    }
    function finish() {
      const samples = stretches.reduce((sum, stretch) => sum + stretch.samples.length, 0);
      if (samples > 1) end(() => resolve(stretches));
      else end(() => reject(new NoRecording('Nothing moved during the recording. Let the world run and try again.')));
    }
    /** @param {() => void} settle */
    function end(settle) {
      clearTimeout(timer);
      for (const stop of stops) stop();
      settle();
    }
  });
}

/**
 * Records a video of a canvas.
 * @param {HTMLCanvasElement} canvas @param {{seconds: number, perSecond: number}} options
 * @param {(share: number) => void} progress @param {AbortSignal} signal as above
 * @returns {Promise<{bytes: Uint8Array, ms: number}>} a WebM file
 */
export async function recordFilm(canvas, { seconds, perSecond }, progress, signal) {
  const mimeType = globalThis.MediaRecorder && FILM_TYPES.find((type) => MediaRecorder.isTypeSupported(type));
  if (!mimeType) throw new NoRecording('This browser can’t record WebM. Try another one.');
  const stream = canvas.captureStream(perSecond);
  const recorder = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: Math.round(FILM_BITS * canvas.width * canvas.height) });
  /** @type {Blob[]} */
  const chunks = [];
  let filmed = 0; // bytes
  recorder.addEventListener('dataavailable', ({ data }) => {
    chunks.push(data);
    filmed += data.size;
  });
  const stopped = new Promise((resolve, reject) => {
    recorder.addEventListener('stop', resolve, { once: true });
    recorder.addEventListener('error', (event) => reject(/** @type {ErrorEvent} */ (event).error), { once: true });
  });
  recorder.start(500);
  progress(0);
  const began = performance.now();
  const stop = () => { if (recorder.state !== 'inactive') recorder.stop(); };
  const timer = setInterval(() => {
    const share = (performance.now() - began) / (1000 * seconds);
    progress(Math.min(1, share));
    if (share >= DURATION_FACTOR_MAX || (share >= 1 && filmed > 0)) stop(); // the first picture of a busy machine may be late
  }, 100);
  signal.addEventListener('abort', stop, { once: true });
  await stopped.finally(() => {
    clearInterval(timer);
    for (const track of stream.getTracks()) track.stop();
  });
  const ms = performance.now() - began;
  if (signal.aborted && signal.reason !== 'finish') throw signal.reason;
  if (filmed === 0) throw new NoRecording('No frames were rendered during the recording. Try again.');
  return { bytes: new Uint8Array(await new Blob(chunks).arrayBuffer()), ms };
}
