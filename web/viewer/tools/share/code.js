// SPDX-License-Identifier: MIT
// Renders a text as a QR code (ISO/IEC 18004) in one path: dark on white in every theme, as cameras require.
import qrcode from 'qrcode-generator';

const SVG = 'http://www.w3.org/2000/svg';
const QUIET = 4; // width of the quiet zone in modules, as the standard requires

/** @param {string} text @param {string} label what screen readers say @returns {SVGSVGElement} text for screen readers */
export function drawCode(text, label) {
  const code = qrcode(0, 'M'); // the smallest version that fits the text
  code.addData(text, 'Byte');
  code.make();
  const count = code.getModuleCount();
  let shape = '';
  for (let row = 0; row < count; row++) {
    for (let column = 0; column < count; column++) if (code.isDark(row, column)) shape += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
  }
  const svg = document.createElementNS(SVG, 'svg');
  const attributes = { viewBox: `0 0 ${count + 2 * QUIET} ${count + 2 * QUIET}`, role: 'img', 'aria-label': label, class: 'qr', 'shape-rendering': 'crispEdges' };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', shape);
  svg.append(path);
  return svg;
}
