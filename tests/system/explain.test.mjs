// SPDX-License-Identifier: MIT
// Error messages for mistyped variables, scenes, addresses and certificates, and messages to the operator when a client is
// refused or the server is asked to end.

import assert from 'node:assert/strict';
import { access, chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sleep, until } from '../support/wait.mjs';
import { ROOT, run, Weftd, WEFTCTL, WEFTD } from '../support/weftd.mjs';

async function folder(t) {
  const path = await mkdtemp(join(tmpdir(), 'weft-explain-'));
  t.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('a variable WEFT_… that is not known is warned of, with the name that is near', async (t) => {
  const env = { WEFT_PROT: '1', WEFT_MAX_CLIENT: '3', WEFT_XYZZY_QUUX: '', WEFT_LOG_FROMAT: 'json' };
  const server = await Weftd.start(t, ['--world', 'lab=empty'], { env });
  await until(() => server.stderr.split('has no effect').length === 5, 'four warnings');
  assert.match(server.stderr, /warn config: the variable WEFT_PROT is not known and has no effect; did you mean WEFT_PORT\?/);
  assert.match(server.stderr, /WEFT_MAX_CLIENT .*did you mean WEFT_MAX_CLIENTS\?/);
  assert.match(server.stderr, /WEFT_LOG_FROMAT .*did you mean WEFT_LOG_FORMAT\?/);
  assert.match(server.stderr, /WEFT_XYZZY_QUUX is not known and has no effect; weftd --help lists/);
  const { stderr } = await run(WEFTCTL, ['--version'], { env: { WEFT_TOKNE: 'x' } });
  assert.equal(stderr, 'weftctl: the variable WEFT_TOKNE is not known and has no effect; did you mean WEFT_TOKEN?\n');
});

test('no variable is warned of that weftd or weftctl reads', async () => {
  const help = (await run(WEFTD, ['--help'])).stdout + (await run(WEFTCTL, ['--help'])).stdout + (await run(WEFTCTL, ['help', 'token'])).stdout;
  const names = new Set(help.match(/WEFT_[A-Z_]+/g));
  assert.ok(names.has('WEFT_URL') && names.has('WEFT_PORT') && names.has('WEFT_TOKEN'));
  // None of these variables has a value, so none has an effect.
  const { stderr } = await run(WEFTCTL, ['--version'], { env: Object.fromEntries([...names].map((name) => [name, ''])) });
  assert.equal(stderr, '');
});

const SCENES = {
  comma: ['{\n  "title": "t",\n  "commands": [\n    {"method": "plant.spawn"},\n  ]\n}\n', 5, 3, /not valid JSON/],
  cut: ['{"title": "t",\n "commands": [', 2, 15, /not valid JSON/],
  member: ['{"title": "ä ö", "commands": [\n  {"method": "cloth.spawn",\n   "params": {"columns": 3, "rowz": 4}}\n]}', 3, 37, /did you mean rows/],
  value: ['{"title": "ä ö", "commands": [{"method": "cloth.spawn", "params": {"columns": 1, "rows": 3}}]}', 1, 79, /columns must be/],
  missing: ['{"commands": [\n\n\t{"params": {"columns": 3}, "method": "cloth.spawn"}]}', 3, 13, /rows is missing/],
  method: ['{"commands": [{"method":\n "cloth.spwan"}]}', 2, 2, /did you mean cloth\.spawn/],
  unknown: ['{\n\n"comands": []}', 3, 12, /has title, description, chapter, order and commands/],
  running: ['{"commands": [\n  {"method": "plant.spawn"}, {"method": "plant.spawn"},\n    {"method": "object.remove", "params": {"object": 77}}]}', 3, 5, /no object 77/],
};

test('what is wrong with a scene is told with its line and column, at the start and by scene.load', async (t) => {
  const scenes = await folder(t);
  await writeFile(join(scenes, 'empty.json'), '{"commands": []}');
  for (const [name, [text]] of Object.entries(SCENES)) await writeFile(join(scenes, `${name}.json`), text);
  const server = await Weftd.start(t, ['--scenes', scenes, '--world', 'lab=empty', '--paused']);
  const client = await server.connect('lab');
  for (const [name, [, line, column, why]] of Object.entries(SCENES)) {
    const where = `scene "${name}", line ${line}, column ${column}: `;
    await assert.rejects(client.call('scene.load', { name }), ({ message }) => message.startsWith(where) && why.test(message), where);
    const { status, stderr } = await run(WEFTD, ['--port', '0', '--scenes', scenes, '--world', `lab=${name}`]);
    assert.equal(status, 2);
    assert.ok(stderr.includes(where) && why.test(stderr), `${where} in ${stderr}`);
  }
  assert.equal((await client.call('world.get')).scene, 'empty');
});

test('who is refused for an origin or a name is told of in the log, but not each time', async (t) => {
  const server = await Weftd.start(t, ['--world', 'lab=empty']);
  for (let i = 0; i < 20; i++) assert.equal((await fetch(server.http('/'), { headers: { Origin: 'http://evil.example' } })).status, 403);
  await until(() => server.stderr.includes('evil.example'), 'the log to tell');
  await sleep(200);
  const told = server.stderr.split('\n').filter((line) => line.includes('refused'));
  assert.equal(told.length, 1, told.join('\n'));
  assert.match(told[0], /warn net: refused a page of the origin "http:\/\/evil\.example" from 127\.0\.0\.1; --origin allows it/);
});

test('a signal is logged before the end, and so is the end', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    const server = await Weftd.start(t, ['--world', 'lab=empty']);
    assert.equal((await server.end(signal)).code, 0);
    assert.match(server.stderr, new RegExp(`info app: ${signal}: ending[^]*info app: ended`));
  }
});

test('a file of tokens that is not there is said to be so, and nothing is made', async (t) => {
  const path = await folder(t);
  for (const subcommand of [['list'], ['revoke', 'ffffffff']]) {
    const { status, stderr } = await run(WEFTCTL, ['token', ...subcommand, '--tokens', join(path, 'tokens')]);
    assert.equal(status, 2, subcommand[0]);
    assert.match(stderr, /there is no file of tokens .*tokens": No such file or directory; weftctl token make makes it/);
  }
  assert.deepEqual(await readdir(path), []);
  assert.equal((await run(WEFTCTL, ['token', 'make', 'viewer', '--tokens', join(path, 'tokens')])).status, 0);
  assert.equal((await run(WEFTCTL, ['token', 'list', '--tokens', join(path, 'tokens')])).status, 0);
});

test('a certificate or key that cannot be used is told with its option, its file and the reason', async (t) => {
  const path = await folder(t);
  const at = (name) => join(path, name);
  const openssl = async (...args) => assert.equal((await run('openssl', args)).status, 0);
  await openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', at('key'), '-out', at('cert'), '-subj', '/CN=localhost', '-days', '2');
  await openssl('ecparam', '-genkey', '-name', 'prime256v1', '-noout', '-out', at('other'));
  await openssl('genrsa', '-out', at('rsa'), '2048');
  await openssl('ec', '-in', at('key'), '-aes128', '-passout', 'pass:word', '-out', at('locked'));
  await openssl('pkcs8', '-topk8', '-in', at('key'), '-passout', 'pass:word', '-out', at('locked8'));
  await writeFile(at('empty'), '');
  await writeFile(at('text'), 'certificate');
  await writeFile(at('junk'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
  const wrong = [
    ['cert', 'none', '--tls-key', 'none', /No such file or directory/], ['none', 'key', '--tls-cert', 'none', /No such file or directory/],
    ['.', 'key', '--tls-cert', '.', /not a regular file/], ['cert', 'empty', '--tls-key', 'empty', /empty/], ['empty', 'key', '--tls-cert', 'empty', /empty/],
    ['text', 'key', '--tls-cert', 'text', /no certificate in PEM form/], ['cert', 'text', '--tls-key', 'text', /no private key in PEM form/],
    ['junk', 'key', '--tls-cert', 'junk', /cannot be used: /], ['key', 'cert', '--tls-cert', 'key', /swapped/], ['cert', 'cert', '--tls-key', 'cert', /swapped/],
    ['cert', 'other', '--tls-key', 'other', /not the key of the certificate/], ['cert', 'rsa', '--tls-key', 'rsa', /not the key of the certificate/],
    ['cert', 'locked', '--tls-key', 'locked', /passphrase/], ['cert', 'locked8', '--tls-key', 'locked8', /passphrase/],
  ];
  for (const [cert, key, option, file, why] of wrong) {
    const { status, stderr } = await run(WEFTD, ['--port', '0', '--world', 'lab=empty', '--tls-cert', at(cert), '--tls-key', at(key)]);
    assert.equal(status, 2, `${cert} and ${key}`);
    const sentence = stderr.trim().split('\n').at(-1);
    assert.ok(sentence.startsWith(`weftd: ${option}: "${at(file)}": `), sentence);
    assert.match(sentence, why);
  }
  await openssl('req', '-x509', '-key', at('key'), '-out', at('old'), '-subj', '/CN=localhost', '-days', '-1').catch(() => {}); // newer versions only
  if (await access(at('old')).then(() => true, () => false)) {
    const server = await Weftd.start(t, ['--world', 'lab=empty', '--tls-cert', at('old'), '--tls-key', at('key')]);
    assert.match(server.stderr, /--tls-cert: the certificate in .* has expired/);
  }
  if (process.getuid() !== 0) {
    await chmod(at('key'), 0);
    assert.match((await run(WEFTD, ['--port', '0', '--tls-cert', at('cert'), '--tls-key', at('key')])).stderr, /--tls-key.*Permission denied/);
  }
});

test('an address says which scheme is wanted, and that of the page is taken', async (t) => {
  for (const url of ['ftp://127.0.0.1:1/', '127.0.0.1:8080', 'localhost', 'http:/127.0.0.1']) {
    const { status, stderr } = await run(WEFTCTL, ['call', 'world.get', '--url', url]);
    assert.equal(status, 2);
    assert.match(stderr, /url must begin with ws:\/\/, or wss:\/\/ where the server has TLS/);
    assert.ok(stderr.includes(`got "${url}"`));
  }
  const server = await Weftd.start(t, ['--world', 'main=empty', '--world', 'lab=empty', '--paused']);
  const worldOf = async (path) => JSON.parse((await run(WEFTCTL, ['call', 'world.get', '--url', server.http(path)])).stdout).world;
  assert.equal(await worldOf('/'), 'main');
  assert.equal(await worldOf('/?world=lab'), 'lab');
  assert.equal(await worldOf('/?view=1,2&world=lab#people'), 'lab');
  assert.equal(await worldOf('/?embed'), 'main');
  assert.equal(await worldOf('/worlds/lab'), 'lab');
  const tls = await run(WEFTCTL, ['call', 'world.get', '--url', server.http('/').replace('http', 'https')]);
  assert.match(tls.stderr, /if it has no TLS, say ws:\/\/ in place of wss:\/\//);
});

test('the help says which lists take commas', async () => {
  const { stdout } = await run(WEFTD, ['--help']);
  for (const option of ['world', 'origin', 'allow-host', 'frame-ancestors']) {
    assert.match(stdout, new RegExp(`--${option} .*separated by commas`), option);
  }
  // After the fix, the server starts.
  const { stderr } = await run(WEFTD, ['--port', '0', '--world', 'a=empty,b=nowhere', '--origin', 'https://a.example,https://b.example', '--allow-host', 'a,b', '--frame-ancestors', 'https://a.example,https://b.example', '--scenes', join(ROOT, 'server/scenes')]);
  assert.match(stderr, /no scene "nowhere"/);
});
