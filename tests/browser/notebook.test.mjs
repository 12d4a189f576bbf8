// SPDX-License-Identifier: MIT
// A world in a real JupyterLab: the view plays, a pointer pulls at cloth in the kernel, nothing connects from the browser but the
// notebook, a cell shows a second view, and the views say that their kernel has ended.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { keepScreenshot, openBrowser } from './page.mjs';

const ROOT = join(import.meta.dirname, '../..');
const PYTHON = join(process.env.WEFT_BUILD ?? join(ROOT, 'build'), 'venv/bin/python');
const READY_MS = 240000; // a busy machine starts a kernel slowly
const CELLS = [
  `import weft_world as weft

world = weft.World(substeps=4, gravity=(0, 0, 0), damping=0.05)
cloth = world.cloth(16, 16, position=(0, 1, 0), pin="none")
start = cloth.positions.copy()
world.show(height="360px")`,
  `print("moved", float(abs(cloth.positions - start).max()) > 0.2, "tick", world.tick > 0)`,
  'world.show(height="240px")',
];

const freePort = () => new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});

/** Starts JupyterLab in a folder of its own that has the notebook. @returns {Promise<string>} its address */
async function startLab(t) {
  const folder = await mkdtemp(join(tmpdir(), 'weft-lab-'));
  const cells = CELLS.map((source, index) => ({ cell_type: 'code', id: `cell-${index}`, metadata: {}, execution_count: null, outputs: [], source }));
  const metadata = { kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' } };
  await writeFile(join(folder, 'world.ipynb'), JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }));
  const port = await freePort();
  const home = Object.fromEntries(['HOME', 'JUPYTER_CONFIG_DIR', 'JUPYTER_DATA_DIR', 'JUPYTER_RUNTIME_DIR', 'JUPYTERLAB_SETTINGS_DIR', 'JUPYTERLAB_WORKSPACES_DIR', 'IPYTHONDIR'].map((name) => [name, join(folder, '.home')]));
  const lab = spawn(PYTHON, ['-m', 'jupyterlab', '--no-browser', '--allow-root', '--ip=127.0.0.1', `--port=${port}`, '--IdentityProvider.token=', '--ServerApp.password=',
    `--ServerApp.root_dir=${folder}`, '--LabApp.expose_app_in_browser=True', '--LabApp.news_url='], { env: { ...process.env, ...home }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [lab.stdout, lab.stderr]) stream.on('data', (data) => { said = (said + data).slice(-4000); });
  t.after(async () => {
    const ended = new Promise((resolve) => { lab.once('exit', resolve); });
    lab.kill('SIGTERM');
    const late = setTimeout(() => lab.kill('SIGKILL'), 10000);
    await ended;
    clearTimeout(late);
    await rm(folder, { recursive: true, force: true });
  });
  const address = `http://127.0.0.1:${port}`;
  for (const end = performance.now() + READY_MS; performance.now() < end; await sleep(500)) {
    if (lab.exitCode !== null) break;
    if (await fetch(`${address}/api`).then(({ ok }) => ok, () => false)) return address;
  }
  throw new Error(`JupyterLab did not start: ${said}`);
}

test('a notebook shows a world of its kernel, and a pointer pulls at it', { timeout: 900000 }, async (t) => {
  const address = await startLab(t);
  const browser = await openBrowser(t, { pictures: 6, weft: false, tools: false });
  const context = await browser.newContext({ viewport: { width: 1280, height: 1000 } });
  const page = await context.newPage();
  page.setDefaultTimeout(READY_MS);
  const sockets = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const exceptions = [];
  page.on('pageerror', ({ message }) => exceptions.push(message));
  await page.goto(`${address}/lab/tree/world.ipynb?reset`);
  await page.locator('.jp-Notebook .jp-Cell').first().waitFor();
  const runCell = async (index) => {
    await page.locator('.jp-Notebook .jp-Cell').nth(index).locator('.cm-content').click();
    await page.keyboard.press('Shift+Enter');
  };
  const world = page.locator('weft-world');
  const tick = (index = 0) => world.nth(index).evaluate((element) => element.tick);

  await t.test('the world is drawn', async () => {
    await page.locator('#jp-main-statusbar', { hasText: 'Python 3 (ipykernel) | Idle' }).waitFor(); // else Shift+Enter asks for a kernel
    await runCell(0);
    await page.waitForFunction(() => document.querySelector('weft-world')?.tick >= 0);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'notebook-shown')}`);
  });

  await t.test('it plays in the kernel', async () => {
    await world.getByRole('button', { name: 'Play' }).click();
    await page.waitForFunction(() => document.querySelector('weft-world').tick > 20);
  });

  await t.test('a pointer pulls at the cloth of the kernel', async () => {
    const box = await world.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + (box.height - 56) / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 120, y - 60, { steps: 12 });
    await page.waitForFunction((from) => document.querySelector('weft-world').tick > from + 60, await tick());
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'notebook-dragged')}`);
    await page.mouse.up();
    await runCell(1);
    await page.locator('.jp-OutputArea-output', { hasText: 'moved True tick True' }).waitFor();
  });

  await t.test('a second view shows the same world, and pausing there pauses both', async () => {
    await runCell(2);
    await page.waitForFunction(() => document.querySelectorAll('weft-world')[1]?.tick > 0);
    await world.nth(1).getByRole('button', { name: 'Pause' }).click();
    await world.nth(0).getByRole('button', { name: 'Play' }).waitFor();
    await page.waitForFunction(() => {
      const [one, other] = document.querySelectorAll('weft-world');
      return one.tick === other.tick;
    });
    await sleep(1000);
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'notebook-two')}`);
  });

  await t.test('the browser has sockets of the notebook only, and no exception', () => {
    assert.ok(sockets.length > 0);
    assert.deepEqual(sockets.filter((url) => !url.includes('/api/')), []);
    assert.deepEqual(exceptions, []);
  });

  await t.test('a kernel that ends is told in the views', async () => {
    for (const { id } of await (await fetch(`${address}/api/kernels`)).json()) {
      await page.evaluate((kernel) => fetch(`/api/kernels/${kernel}/restart`, { method: 'POST', headers: { 'X-XSRFToken': document.cookie.match(/_xsrf=([^;]+)/)?.[1] ?? '' } }), id);
    }
    await page.waitForFunction(() => [...document.querySelectorAll('weft-world')].every((element) => /kernel/i.test(element.shadowRoot.querySelector('.message').textContent)
      || [...element.parentElement.querySelectorAll('[role=status]')].some((notice) => !notice.hidden && /kernel/i.test(notice.textContent))));
    t.diagnostic(`screenshot: ${await keepScreenshot(page, 'notebook-ended')}`);
  });
});
