// SPDX-License-Identifier: MIT
// Parses Prometheus' text (exposition format 0.0.4) as strictly as promtool's check: each family has its help and type, once
// and first, and all its samples together; names, labels and numbers are well formed; no sample occurs twice; counters end in
// _total; a histogram's buckets ascend and end with the total.

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/;
const NUMBER = /^(?:[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\+Inf|-Inf|NaN)$/;

function readLabels(text, line) {
  const labels = {};
  for (let rest = text; rest !== '';) {
    const match = LABEL.exec(rest);
    if (!match) throw new Error(`bad labels: ${line}`);
    if (match[1] in labels) throw new Error(`a label twice: ${line}`);
    labels[match[1]] = match[2].replace(/\\(.)/g, (_, c) => (c === 'n' ? '\n' : c));
    rest = rest.slice(match[0].length);
  }
  return labels;
}

const familyOf = (name, type) => (type === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name);

function checkHistogram(family) {
  const series = new Map();
  for (const { name, labels, value } of family.samples) {
    const { le, ...others } = labels;
    const key = JSON.stringify(others);
    const one = series.get(key) ?? { buckets: [] };
    if (name.endsWith('_bucket')) one.buckets.push([le === '+Inf' ? Infinity : Number(le), value]);
    else one[name.slice(family.name.length + 1)] = value;
    series.set(key, one);
  }
  for (const [key, { buckets, sum, count }] of series) {
    const rises = buckets.every(([le, value], i) => i === 0 || (le > buckets[i - 1][0] && value >= buckets[i - 1][1]));
    if (!rises || buckets.at(-1)?.[0] !== Infinity || buckets.at(-1)[1] !== count || sum === undefined) {
      throw new Error(`a histogram that is none: ${family.name} ${key}`);
    }
  }
}

/** @returns {Map<string, {name: string, type: string, help: string, samples: {name: string, labels: object, value: number}[]}>} */
export function readMetrics(text) {
  if (!text.endsWith('\n')) throw new Error('the last line has no end');
  const families = new Map();
  const seen = new Set();
  let family;
  for (const line of text.slice(0, -1).split('\n')) {
    const [, keyword, name, rest] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (keyword === 'HELP') {
      if (families.has(name)) throw new Error(`a family in two places: ${name}`);
      if (!NAME.test(name)) throw new Error(`a bad name: ${line}`);
      family = { name, help: rest, samples: [] };
      families.set(name, family);
    } else if (keyword === 'TYPE') {
      if (family?.name !== name || family.type || family.samples.length > 0) throw new Error(`a type out of place: ${line}`);
      if (!['counter', 'gauge', 'histogram'].includes(rest)) throw new Error(`an unknown type: ${line}`);
      if (rest === 'counter' && !name.endsWith('_total')) throw new Error(`a counter that does not end in _total: ${name}`);
      if (rest !== 'counter' && name.endsWith('_total')) throw new Error(`no counter: ${name}`);
      family.type = rest;
    } else {
      const match = SAMPLE.exec(line);
      if (!match || !NUMBER.test(match[3])) throw new Error(`no sample: ${line}`);
      if (!family?.type || familyOf(match[1], family.type) !== family.name) throw new Error(`a sample outside of its family: ${line}`);
      const labels = readLabels(match[2] ?? '', line);
      const key = `${match[1]} ${JSON.stringify(Object.entries(labels).sort())}`;
      if (seen.has(key)) throw new Error(`a sample twice: ${line}`);
      seen.add(key);
      family.samples.push({ name: match[1], labels, value: match[3] === '+Inf' ? Infinity : Number(match[3]) });
    }
  }
  for (const one of families.values()) if (one.type === 'histogram') checkHistogram(one);
  return families;
}

/** The only sample of a family with these labels. */
export function valueOf(families, name, labels = {}) {
  const found = (families.get(name)?.samples ?? []).filter((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value));
  if (found.length !== 1) throw new Error(`${found.length} samples of ${name} with ${JSON.stringify(labels)}`);
  return found[0].value;
}
