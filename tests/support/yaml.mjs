// SPDX-License-Identifier: MIT
// Reads YAML by the Python library that Debian has: the files for Compose, Prometheus and Grafana.

import { execFileSync } from 'node:child_process';

const PROGRAM = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';

/** @param {string} text @returns {any} */
export const readYaml = (text) => JSON.parse(execFileSync('/usr/bin/python3', ['-c', PROGRAM], { input: text, encoding: 'utf8' }));
