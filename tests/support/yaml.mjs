// SPDX-License-Identifier: MIT
// Reads YAML by Python's library, the one that Debian has: what Compose, Prometheus and Grafana are given.

import { execFileSync } from 'node:child_process';

const PROGRAM = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))';

/** @param {string} text @returns {any} */
export const readYaml = (text) => JSON.parse(execFileSync('/usr/bin/python3', ['-c', PROGRAM], { input: text, encoding: 'utf8' }));
