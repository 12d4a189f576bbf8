// SPDX-License-Identifier: MIT
// Describes the machine and the software of the benchmark.

import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

function first(path, pattern) {
  try {
    return pattern.exec(readFileSync(path, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

export function machine() {
  const flags = first('/proc/cpuinfo', /^flags\s*:(.*)$/m) ?? '';
  const vectors = ['sse2', 'avx2', 'avx512f'].filter((name) => flags.includes(name)).join(', ');
  return {
    processor: `${cpus()[0]?.model ?? 'unknown'}, ${availableParallelism?.() ?? cpus().length} usable${vectors ? `, ${vectors}` : ''}`,
    memory: `${Math.round(totalmem() / 2 ** 30)} GB`,
    kernel: release(),
    system: first('/etc/os-release', /^PRETTY_NAME="?([^"\n]*)/m),
    load: `${loadavg().map((load) => load.toFixed(1)).join(', ')} (1, 5, 15 minutes, at the end)`,
  };
}

async function firstLine(bench, command, args) {
  return bench.text(command, args).then((text) => text.trim().split('\n')[0], () => undefined);
}

async function packageVersion(bench, name) {
  return bench.text('dpkg-query', ['-W', '-f', '${Version}', name]).then((text) => text.trim(), () => undefined);
}

export async function versions(bench) {
  const found = {
    weft: await firstLine(bench, 'git', ['describe', '--always', '--dirty']),
    compiler: await firstLine(bench, 'gcc', ['--version']),
    node: process.version,
  };
  for (const name of ['libbullet-dev', 'libwebsockets-dev', 'libmeshoptimizer-dev', 'libzstd-dev', 'zlib1g-dev']) {
    found[name.replace(/^lib|1g-dev$|-dev$/g, '')] = await packageVersion(bench, name);
  }
  const own = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
  return { ...found, ...Object.fromEntries(Object.entries(own.devDependencies).map(([name, version]) => [`${name} of npm`, version])) };
}
