// SPDX-License-Identifier: MIT
// The option that permits other pages to show this server's page in a frame, and the headers of every response.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run, Weftd, WEFTD } from '../support/weftd.mjs';

const EMPTY = ['--world', 'lab=empty'];

async function saidBy(server, path = '/') {
  const { headers } = await fetch(server.http(path));
  const [, ancestors] = /frame-ancestors ([^;]*)$/.exec(headers.get('content-security-policy'));
  return [ancestors, headers.get('x-frame-options')];
}

test('no page may show this one in a frame unless the option names it, which every answer then says', async (t) => {
  const school = 'https://school.example';
  const cases = [
    [[], ["'none'", 'DENY']],
    [['--frame-ancestors', 'none'], ["'none'", 'DENY']],
    [['--frame-ancestors', 'self'], ["'self'", 'SAMEORIGIN']],
    [['--frame-ancestors', `'self' ${school}`], [`'self' ${school}`, null]], // which cannot be expressed for older browsers
    [['--frame-ancestors', `${school},http://10.0.0.5:8080`, '--frame-ancestors', 'self'], [`${school} http://10.0.0.5:8080 'self'`, null]],
  ];
  for (const [args, wanted] of cases) {
    const server = await Weftd.start(t, [...EMPTY, ...args]);
    for (const path of ['/', '/healthz', '/no/such/thing']) assert.deepEqual(await saidBy(server, path), wanted, `${args.join(' ')}: ${path}`);
    await server.stop();
  }
  const server = await Weftd.start(t, EMPTY, { env: { WEFT_FRAME_ANCESTORS: school } });
  assert.deepEqual(await saidBy(server), [school, null], 'by the variable');
});

test('the option takes self, none and origins, and says so when it got something else', async () => {
  const refused = ['*', 'school.example', 'https://school.example/', 'https://SCHOOL.example', 'https://a.example;', 'https://a.example; script-src *',
    "'unsafe-inline'", 'selfish', ',', 'self,,none', 'none self', `https://a.example https://b.example\r\nX: y`];
  for (const value of refused) {
    const { status, stderr } = await run(WEFTD, [...EMPTY, '--port', '0', '--frame-ancestors', value]);
    assert.notEqual(status, 0, value);
    assert.match(stderr, /--frame-ancestors/, value);
  }
  const many = Array.from({ length: 60 }, (_, at) => `https://school-number-${at}.example`).join(',');
  const { status, stderr } = await run(WEFTD, [...EMPTY, '--port', '0', '--frame-ancestors', many]);
  assert.notEqual(status, 0);
  assert.match(stderr, /more than 1023 characters/);
  assert.match((await run(WEFTD, ['--help'])).stdout, /--frame-ancestors .*WEFT_FRAME_ANCESTORS .*self, none, https:/);
});
