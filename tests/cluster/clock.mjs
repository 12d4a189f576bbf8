// SPDX-License-Identifier: MIT
// Clocks that jump: a program that runs with libfaketime (Debian's package faketime) has a time of day that differs from the
// machine's by the seconds in a file. Clocks that count since the start of the machine stay as they are, as on a
// machine whose time of day is set.

import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORK } from './command.mjs';

const LIBRARIES = '/usr/lib';
const library = readdirSync(LIBRARIES).map((folder) => join(LIBRARIES, folder, 'faketime/libfaketimeMT.so.1')).find(existsSync);

const fileOf = (machine) => `${WORK}/${machine}.clock`;

/**
 * The variables with which a program of the machine is started, as arguments of env. They are for that program alone:
 * after a change of the user, a program can no longer open the memory that its library shares. A machine whose clock
 * was not set before has none, for the library makes each reading of a clock slow.
 */
export function clockOf(machine) {
  if (!existsSync(fileOf(machine))) return [];
  if (!library) throw new Error('libfaketime is missing: tests/house/install.sh faults installs it');
  return [`LD_PRELOAD=${library}`, `FAKETIME_TIMESTAMP_FILE=${fileOf(machine)}`, 'FAKETIME_DONT_FAKE_MONOTONIC=1', 'FAKETIME_CACHE_DURATION=1', 'NO_FAKE_STAT=1'];
}

/** Sets the clock of a machine. @param {string} machine @param {number} seconds how much it is fast; 0 before its programs start, if it is to be set later */
export const setClock = (machine, seconds) => writeFile(fileOf(machine), `${seconds < 0 ? '' : '+'}${seconds}`, { mode: 0o644 });
