// SPDX-License-Identifier: MIT
// The page of a server that requires a token: it asks for the token, explains errors, logs in and out; and the content
// security policy blocks nothing that the page needs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run, Weftd, WEFTCTL } from '../support/weftd.mjs';
import { keepScreenshot, openBrowser, openPage } from './page.mjs';

const READY_MS = 60000;

test('the page asks for a token, keeps it where no script reads it, and logs out', { timeout: 180000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-login-'));
  t.after(() => rm(folder, { recursive: true }));
  const tokens = join(folder, 'tokens');
  const token = (await run(WEFTCTL, ['token', 'make', 'editor', '<b>class</b>', '--tokens', tokens])).stdout.trim();
  const server = await Weftd.start(t, ['--world', 'main=cloth', '--tokens', tokens]);
  const browser = await openBrowser(t);
  const page = await (await browser.newContext()).newPage();
  const refused = [];
  page.on('console', (message) => /Content Security Policy|WebAssembly/.test(message.text()) && refused.push(message.text()));
  await page.goto(server.http('/'));
  const form = page.getByRole('dialog', { name: 'Access token required' });
  await form.waitFor({ timeout: READY_MS });
  await form.getByLabel('Token').fill('weft_wrong');
  await form.getByRole('button', { name: 'Log in' }).click();
  await form.getByText('This is no valid token.').waitFor();
  assert.equal(await form.getByText('This is no valid token.').locator('*').count(), 0, 'text only');
  await form.getByLabel('Token').fill(token);
  await Promise.all([page.waitForNavigation({ timeout: READY_MS }), form.getByRole('button', { name: 'Log in' }).click()]);
  await page.waitForFunction(() => window.weft, null, { timeout: READY_MS });
  await page.evaluate(() => window.weft.ready);
  assert.deepEqual(await page.evaluate(() => [window.weft.client.hello.role, document.cookie, location.search]), ['editor', '', '']);
  assert.equal(await form.isVisible(), false);
  const removed = await page.evaluate(() => window.weft.client.call('object.list'));
  assert.ok(removed.objects.length > 0);
  await Promise.all([page.waitForNavigation({ timeout: READY_MS }), page.getByRole('button', { name: 'Log out' }).click()]);
  await form.waitFor({ timeout: READY_MS });
  assert.deepEqual(refused, []);
});

/** A page of another site with Weft's page in a frame. @returns {Promise<{url: string, frame: (src: string) => void}>} */
async function outerSite(t) {
  let src = '';
  const outer = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(`<!doctype html><title>School</title><iframe src="${src}" width="900" height="560"></iframe>`));
  outer.listen(0, '127.0.0.1');
  await once(outer, 'listening');
  t.after(() => outer.close());
  return { url: `http://localhost:${outer.address().port}`, frame: (wanted) => { src = wanted; } }; // 127.0.0.1 is another site than localhost
}

const framed = async (page, url) => {
  await page.goto(url);
  return (await page.waitForSelector('iframe')).contentFrame();
};

test('in a page of another site the login holds over TLS, and where no cookie can be kept that is said', { timeout: 240000 }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-login-'));
  t.after(() => rm(folder, { recursive: true }));
  const [tokens, key, cert] = ['tokens', 'key.pem', 'cert.pem'].map((name) => join(folder, name));
  const token = (await run(WEFTCTL, ['token', 'make', 'editor', 'class', '--tokens', tokens])).stdout.trim();
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', key, '-out', cert, '-days', '2',
    '-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'], { stdio: 'ignore' });
  const outer = await outerSite(t);
  const args = ['--world', 'main=rope', '--tokens', tokens, '--frame-ancestors', outer.url];
  const [secure, plain] = [await Weftd.start(t, [...args, '--tls-cert', cert, '--tls-key', key]), await Weftd.start(t, args)];
  const browser = await openBrowser(t, { args: ['--ignore-certificate-errors'] }); // also for WebSockets in workers
  const enter = async (frame) => {
    await frame.locator('#token').fill(token, { timeout: READY_MS });
    await frame.getByRole('button', { name: 'Log in' }).click();
  };

  const page = await (await browser.newContext({ ignoreHTTPSErrors: true, viewport: { width: 1280, height: 720 } })).newPage();
  outer.frame(`https://127.0.0.1:${secure.port}/`);
  const inside = await framed(page, outer.url);
  await enter(inside);
  await inside.waitForFunction(() => window.weft?.client.hello?.role === 'editor', null, { timeout: READY_MS });
  const again = await framed(page, outer.url);
  await again.waitForFunction(() => window.weft?.client.hello?.role === 'editor', null, { timeout: READY_MS });
  const [kept] = (await page.context().cookies()).filter(({ name }) => name === '__Host-weft');
  assert.deepEqual([kept.sameSite, kept.secure, kept.httpOnly, kept.partitionKey], ['None', true, true, 'http://localhost'], 'of that site alone');
  // Another site cannot use the cookie: neither in its own frame, nor by requests.
  const elsewhere = await outerSite(t);
  await page.goto(elsewhere.url.replace('localhost', 'other.localhost'));
  assert.equal(await page.evaluate(async (url) => (await fetch(url, { credentials: 'include' }).then(() => 'read', () => 'refused')), `https://127.0.0.1:${secure.port}/metrics`), 'refused');
  assert.equal(await page.evaluate((url) => new Promise((resolve) => {
    const socket = new WebSocket(url, ['weft.v1']);
    socket.onopen = () => resolve('open');
    socket.onerror = () => resolve('refused');
  }), `wss://127.0.0.1:${secure.port}/`), 'refused');

  outer.frame(`http://127.0.0.1:${plain.port}/?embed`);
  const anew = await (await browser.newContext({ viewport: { width: 1280, height: 720 } })).newPage();
  const bare = await framed(anew, outer.url);
  await enter(bare);
  await bare.getByText('The token is correct, but an embedded page can keep you logged in only over HTTPS.').waitFor();
  assert.equal(await bare.getByRole('link', { name: 'open the world in its own window' }).getAttribute('href'), `http://127.0.0.1:${plain.port}/`);
  t.diagnostic(`screenshot: ${await keepScreenshot(anew, 'login-no-cookie')}`);
});

test('from the network and without TLS the browser has nothing to complain of', { timeout: 240000 }, async (t) => {
  const server = await Weftd.start(t, ['--world', 'main=rope', '--host', '0.0.0.0', '--insecure-public']);
  const browser = await openBrowser(t, { args: ['--host-resolver-rules=MAP 10.1.2.3 127.0.0.1'] });
  const page = await openPage(browser, `http://10.1.2.3:${server.port}/`);
  assert.equal(await page.evaluate(() => window.isSecureContext), false, 'as from another machine');
  await page.goto(`http://10.1.2.3:${server.port}/reference.html`);
  await page.locator('#methods section').first().waitFor();
  assert.deepEqual(page.complaints, []);
});
