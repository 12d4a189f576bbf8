// SPDX-License-Identifier: MIT
// A Vite application that shows a world and runs the engine of the package.
import 'weft-world';
import { loadEngine } from 'weft-world/engine';

document.querySelector('weft-world').src = new URLSearchParams(location.search).get('src');

const engine = await loadEngine();
const world = engine.createWorld();
world.join(1);
world.submit(1, JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cloth.spawn', params: { columns: 4, rows: 4 } }));
world.tick();
document.body.dataset.particles = String(world.positions().count);
