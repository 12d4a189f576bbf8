// SPDX-License-Identifier: MIT
// Where the tested programs and their folders are. The binaries are in the folder WEFT_BUILD, by default build/ of this checkout.

import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
export const BUILD = process.env.WEFT_BUILD ? resolve(process.env.WEFT_BUILD) : join(ROOT, 'build');
export const WEFTD = join(BUILD, 'weftd');
export const WEFTCTL = join(BUILD, 'weftctl');
export const SCARCE = join(BUILD, 'tests/scarce');

/** Folders of the tested build: the page as `make run` serves it, with its modules bundled; and the scenes of the checkout. */
export const FOLDERS = { WEFT_WEB: join(BUILD, 'web'), WEFT_SCENES: join(ROOT, 'server/scenes') };
