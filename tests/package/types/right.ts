// SPDX-License-Identifier: MIT
// What users of the package write, which must compile.
import { type WeftWorldElement, WeftClient, WeftError } from 'weft-world';
import { METHODS } from 'weft-world/protocol';
import { loadEngine, readCapsule } from 'weft-world/engine';

const client = new WeftClient('ws://127.0.0.1:8080/worlds/main', { worker: true });
const { object } = await client.call('cloth.spawn', { columns: 20, rows: 20, position: [0, 2, 0] });
const id: number = object;
client.on('frame', ({ tick, positions }) => positions.fill(tick));
client.on('particle.pinned', (event) => event.object.toFixed());
if (METHODS['cloth.spawn'].role === 'editor') await client.call('world.pause').catch((error: unknown) => error instanceof WeftError && error.code);

const element = document.createElement('weft-world');
const same: WeftWorldElement = element;
element.src = 'local:cloth';
element.camera = [0, 2, 8, 0, 1, 0];
element.addEventListener('tick', ({ detail }) => detail.time.toFixed(id));
element.addEventListener('error', ({ message }) => message.trim());
const { running } = await same.call('world.get');
running satisfies boolean;
document.querySelector('weft-world')?.play();

const engine = await loadEngine();
engine.createWorld({ name: 'mine' }).tick();
(await readCapsule(new Uint8Array())).lastTick.toFixed();
