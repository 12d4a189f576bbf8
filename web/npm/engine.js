// SPDX-License-Identifier: MIT
// The package's engine in WebAssembly, and what reads and replays capsules with it.
export { CapsuleError, CapsuleReplay, readCapsule } from '../client/engine/capsule.js';
export { EngineError, loadEngine } from '../client/engine/engine.js';
