// SPDX-License-Identifier: MIT
// Runs a WebAssembly command under WASI: node wasi.mjs FILE.wasm [ARGUMENT]…
//
// node:wasi is not used, because it sometimes crashes in Node 20: it caches the address of the module's memory.
import { ConsoleStdout, File, OpenFile, WASI } from '@bjorn3/browser_wasi_shim';
import { readFileSync } from 'node:fs';

const [file, ...args] = process.argv.slice(2);
const streams = [
  new OpenFile(new File(readFileSync(0))),
  new ConsoleStdout((bytes) => process.stdout.write(bytes)),
  new ConsoleStdout((bytes) => process.stderr.write(bytes)),
];
const wasi = new WASI([file, ...args], [], streams, { debug: false });
const { instance } = await WebAssembly.instantiate(readFileSync(file), { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
