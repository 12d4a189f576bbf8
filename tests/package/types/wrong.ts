// SPDX-License-Identifier: MIT
// Mistakes that the types of the package find: each line with an expected error would fail to compile without it.
import { WeftClient } from 'weft-world/client';

const client = new WeftClient('ws://127.0.0.1:8080/worlds/main');
// @ts-expect-error there is no such method
await client.call('cloth.spwan', { columns: 20, rows: 20 });
// @ts-expect-error there is no such parameter
await client.call('cloth.spawn', { colums: 20, rows: 20 });
// @ts-expect-error a number, not a text
await client.call('cloth.spawn', { columns: '20', rows: 20 });
// @ts-expect-error three numbers are a place
await client.call('rope.spawn', { from: [0, 1], to: [0, 2, 0], particles: 20 });
// @ts-expect-error it needs to know where
await client.call('mesh.spawn');
// @ts-expect-error the result has no such member
(await client.call('cloth.spawn', { columns: 20, rows: 20 })).particle.toFixed();
// @ts-expect-error there is no such event
client.on('frames', () => {});
// @ts-expect-error the event has no such member
client.on('grab.started', ({ particel }) => particel);
