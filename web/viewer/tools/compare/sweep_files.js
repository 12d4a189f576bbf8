// SPDX-License-Identifier: MIT
// The results of a sweep as files: CSV, and NPZ for NumPy (a zip archive of arrays in the format NPY 1.0, without compression).
import { strToU8, zipSync } from 'fflate';
/** @import { Plan } from './sweep_plan.js' */
/** @import { Sweep } from './sweep.js' */

const NPY_ALIGNMENT = 64; // bytes, of the data

/** @param {string} text */
const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** @param {{id: string, unit: string}} what */
const column = ({ id, unit }) => quoted(unit ? `${id} (${unit})` : id);

/** @param {Plan} plan @param {Sweep} sweep */
export function csvOf({ axes, figures, statistic }, { runs }) {
  const head = [...axes.map(({ parameter }) => column(parameter)), ...figures.map((figure) => `${column(figure)} ${statistic}`), 'tick', 'state_hash'];
  const rows = runs.map(({ values, figures: measured, tick, hash }) => [...values, ...measured, tick, hash].join(','));
  return `${[head.join(','), ...rows].join('\n')}\n`;
}

/**
 * Arrays by name: the values of each parameter (one dimension), and each figure, `tick` and `state_hash` (a dimension per
 * parameter, in the order of the parameters).
 * @param {Plan} plan @param {Sweep} sweep @returns {Uint8Array<ArrayBuffer>}
 */
export function npzOf({ axes, figures }, { runs }) {
  const shape = axes.map(({ values }) => values.length);
  const real = (/** @type {number[]} */ values) => new Uint8Array(Float64Array.from(values).buffer);
  /** @type {Record<string, Uint8Array>} */
  const files = {};
  for (const { parameter, values } of axes) files[`${parameter.id}.npy`] = npy('<f8', [values.length], real(values));
  for (const [i, { id }] of figures.entries()) files[`${id}.npy`] = npy('<f8', shape, real(runs.map((run) => run.figures[i])));
  files['tick.npy'] = npy('<i8', shape, new Uint8Array(BigInt64Array.from(runs, ({ tick }) => BigInt(tick)).buffer));
  files['state_hash.npy'] = npy('<u8', shape, new Uint8Array(BigUint64Array.from(runs, ({ hash }) => BigInt(`0x${hash}`)).buffer));
  return /** @type {Uint8Array<ArrayBuffer>} */ (zipSync(files, { level: 0, mtime: '1980-01-01T00:00:00' }));
}

/** An array in the format NPY 1.0. @param {string} type @param {number[]} shape @param {Uint8Array} data in row-major order */
function npy(type, shape, data) {
  const size = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(', ')})`;
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': ${size}, }`;
  const before = 10 + text.length + 1; // magic, version, length, and the newline at the end
  const header = strToU8(`${text}${' '.repeat((NPY_ALIGNMENT - (before % NPY_ALIGNMENT)) % NPY_ALIGNMENT)}\n`);
  const file = new Uint8Array(10 + header.length + data.length);
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, header.length & 0xff, header.length >> 8]); // \x93NUMPY
  file.set(header, 10);
  file.set(data, 10 + header.length);
  return file;
}
