// SPDX-License-Identifier: MIT
// Draws charts as SVG text: grouped bars, and lines over a logarithmic axis, readable on light and dark backgrounds.

const COLOURS = ['#3b6fd4', '#e08a1e', '#3a9d5d', '#c8475b', '#8a63c9', '#7d8590', '#1fa3a3', '#b39a28'];
const [WIDTH, HEIGHT] = [760, 340];
const FRAME = { left: 64, right: 16, top: 52, bottom: 56 };
const INNER = { width: WIDTH - FRAME.left - FRAME.right, height: HEIGHT - FRAME.top - FRAME.bottom };

const escape = (text) => String(text).replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`);

function text(x, y, words, { anchor = 'middle', size = 12, bold = false } = {}) {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" font-size="${size}"${bold ? ' font-weight="bold"' : ''}>${escape(words)}</text>`;
}

function number(value) {
  if (value === 0) return '0';
  return value >= 1e6 ? `${value / 1e6}M` : value >= 1e3 ? `${Number((value / 1e3).toPrecision(3))}k` : String(Number(value.toPrecision(3)));
}

/** Round steps from 0 to at least `most`. */
function steps(most) {
  const raw = most / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw);
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, at) => at * step);
}

function decades(least, most) {
  const [from, to] = [Math.floor(Math.log10(least) + 1e-9), Math.ceil(Math.log10(most) - 1e-9)];
  return Array.from({ length: Math.max(to - from, 1) + 1 }, (_, at) => 10 ** (from + at));
}

function axis(values, logarithmic) {
  const finite = values.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0));
  const most = Math.max(...finite, logarithmic ? 1e-9 : 1e-12);
  const marks = logarithmic ? decades(Math.min(...finite), most) : steps(most);
  const scale = logarithmic ? Math.log10 : (value) => value;
  const [low, high] = [scale(marks[0]), scale(marks.at(-1))];
  return { marks, share: (value) => (scale(value) - low) / (high - low) };
}

function ground(title, unit, y, names) {
  const parts = [text(WIDTH / 2, 20, title, { size: 15, bold: true }), text(FRAME.left, FRAME.top - 10, unit, { anchor: 'start', size: 11 })];
  for (const mark of y.marks) {
    const at = FRAME.top + INNER.height * (1 - y.share(mark));
    parts.push(`<line x1="${FRAME.left}" x2="${WIDTH - FRAME.right}" y1="${at.toFixed(1)}" y2="${at.toFixed(1)}" stroke="#7d859055"/>`);
    parts.push(text(FRAME.left - 6, at + 4, number(mark), { anchor: 'end', size: 11 }));
  }
  const widths = names.map((name) => 28 + 5.6 * name.length);
  let x = (WIDTH - widths.reduce((sum, width) => sum + width, 0)) / 2;
  names.forEach((name, at) => {
    parts.push(`<rect x="${x.toFixed(1)}" y="${HEIGHT - 20}" width="10" height="10" fill="${COLOURS[at % COLOURS.length]}"/>`);
    parts.push(text(x + 14, HEIGHT - 11, name, { anchor: 'start', size: 11 }));
    x += widths[at];
  });
  return parts;
}

function svg(parts) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif"><rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/><g fill="#24292f">${parts.join('')}</g></svg>\n`;
}

/**
 * Groups of bars. @param {{title: string, unit: string, groups: string[], series: {name: string, values: number[]}[], logarithmic?: boolean}} chart
 */
export function bars({ title, unit, groups, series, logarithmic = false }) {
  const y = axis(series.flatMap(({ values }) => values), logarithmic);
  const parts = ground(title, unit, y, series.map(({ name }) => name));
  const groupWidth = INNER.width / groups.length;
  const width = (groupWidth * 0.8) / series.length;
  groups.forEach((group, at) => {
    const left = FRAME.left + (at + 0.1) * groupWidth;
    parts.push(text(left + groupWidth * 0.4, FRAME.top + INNER.height + 16, group, { size: 11 }));
    series.forEach(({ values }, of) => {
      const value = values[at];
      if (!Number.isFinite(value) || (logarithmic && value <= 0)) return;
      const height = INNER.height * y.share(value);
      const top = FRAME.top + INNER.height - height;
      parts.push(`<rect x="${(left + of * width).toFixed(1)}" y="${top.toFixed(1)}" width="${(width * 0.92).toFixed(1)}" height="${height.toFixed(1)}" fill="${COLOURS[of % COLOURS.length]}"><title>${escape(`${group}, ${series[of].name}: ${number(value)}`)}</title></rect>`);
      if (series.length * groups.length <= 24) parts.push(text(left + (of + 0.46) * width, top - 3, number(value), { size: 9 }));
    });
  });
  return svg(parts);
}

/** Lines over a logarithmic x axis. @param {{title: string, unit: string, x: number[], across: string, series: {name: string, values: number[]}[], logarithmic?: boolean}} chart */
export function lines({ title, unit, x, across, series, logarithmic = false }) {
  const y = axis(series.flatMap(({ values }) => values), logarithmic);
  const [low, high] = [Math.log10(x[0]), Math.log10(x.at(-1))];
  const place = (value) => FRAME.left + 12 + ((INNER.width - 24) * (Math.log10(value) - low)) / (high - low);
  const parts = ground(title, unit, y, series.map(({ name }) => name));
  for (const value of x) parts.push(text(place(value), FRAME.top + INNER.height + 16, number(value), { size: 11 }));
  parts.push(text(WIDTH - FRAME.right, FRAME.top + INNER.height + 30, across, { anchor: 'end', size: 11 }));
  series.forEach(({ values }, of) => {
    const colour = COLOURS[of % COLOURS.length];
    const points = values.map((value, at) => [place(x[at]), FRAME.top + INNER.height * (1 - y.share(value))]).filter(([, top]) => Number.isFinite(top));
    parts.push(`<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map((point) => point.map((part) => part.toFixed(1)).join(',')).join(' ')}"/>`);
    for (const [left, top] of points) parts.push(`<circle cx="${left.toFixed(1)}" cy="${top.toFixed(1)}" r="3" fill="${colour}"/>`);
  });
  return svg(parts);
}
