// SPDX-License-Identifier: MIT
// The manual pages, completions and the service's configuration file name every option, command and method; the Debian
// packages' unit agrees with them.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const build = process.env.WEFT_BUILD ?? join(ROOT, 'build');
const folder = mkdtempSync(join(tmpdir(), 'weft-manual-'));
after(() => rmSync(folder, { recursive: true, force: true }));
execFileSync(process.execPath, [join(ROOT, 'server/tools/manual.mjs'), build, folder], { env: { ...process.env, WEFT_PORT: 'wrong' }, stdio: 'pipe' });

const source = (path) => readFileSync(join(ROOT, path), 'utf8');
const made = (name) => readFileSync(join(folder, name), 'utf8');
const config = source('server/host/config/config.c');
const daemonOptions = [...config.matchAll(/\b(?:OPTION|WHOLE)\(\s*"([a-z-]+)",\s*"(WEFT_\w+)"/g)].map(([, name, variable]) => ({ name, variable }));
const controlOptions = [...source('server/tools/client/settings.c').matchAll(/^ {4}\{"([a-z0-9-]+)", (?:"|NULL)/gm)].map(([, name]) => name);
const commands = [...source('server/tools/weftctl.c').matchAll(/&command_(\w+)/g)].map(([, name]) => name);
const methods = JSON.parse(source('proto/weft.openrpc.json')).methods;
const plain = (text) => text.replaceAll('\\-', '-');

test('the page of weftd and the configuration file have every option and variable', () => {
  assert.ok(daemonOptions.length > 35, `${daemonOptions.length} options`);
  const page = plain(made('weftd.1'));
  for (const { name, variable } of daemonOptions) {
    assert.match(page, new RegExp(`^\\\\fB--${name}\\\\fR.*\\\\fB${variable}\\\\fR$`, 'm'), name);
    assert.match(made('weftd.default'), new RegExp(`^#${variable}=`, 'm'), variable);
    assert.match(made('weftd.bash'), new RegExp(`[' ]--${name}[' ]`), name);
  }
  assert.doesNotMatch(made('weftd.default'), /^[^#\n]/m, 'nothing is set in it');
});

test('the page of weftctl has every command and option, the page of methods every method', () => {
  assert.ok(commands.length >= 10 && controlOptions.length >= 20 && methods.length > 70);
  const page = plain(made('weftctl.1'));
  for (const name of commands) assert.match(page, new RegExp(`^\\.SS ${name}$`, 'm'));
  for (const name of controlOptions) assert.match(page, new RegExp(`^\\\\fB--${name}\\\\fR`, 'm'));
  for (const { name, summary } of methods) assert.ok(plain(made('weft-methods.7')).includes(`.SS ${name}\n.nf\n${name}: ${summary.split('\n')[0]}`), name);
});

test('groff has nothing to say against the pages', (t) => {
  if (spawnSync('groff', ['--version']).status !== 0) return t.skip('groff is not installed');
  for (const name of ['weftd.1', 'weftctl.1', 'weft-methods.7']) {
    const { status, stderr } = spawnSync('groff', ['-k', '-man', '-Tutf8', '-ww', '-z', join(folder, name)], { encoding: 'utf8' });
    assert.deepEqual([status, stderr.split('\n').filter((line) => line && !/can't break line|cannot (adjust|break)/.test(line))], [0, []], name);
  }
});

/** The completions that bash offers for the last of these words. @param {string[]} words */
function complete(...words) {
  const script = `. "$0/${words[0]}.bash"; compopt() { :; }; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _${words[0]}; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', script, folder, ...words], { encoding: 'utf8', cwd: join(ROOT, 'server/scenes') });
  assert.deepEqual([status, stderr], [0, ''], words.join(' '));
  return stdout.trim().split('\n');
}

test('bash completes options, commands, their first arguments, methods, their params and files', () => {
  assert.deepEqual(complete('weftd', '--tls'), ['--tls-cert', '--tls-key']);
  assert.deepEqual(complete('weftd', '--tokens', 'default.js'), ['default.json']);
  assert.deepEqual(complete('weftd', '--port', '8'), ['']);
  assert.deepEqual(complete('weftctl', 'sal'), ['salvage']);
  assert.deepEqual(complete('weftctl', 'help', 'wat'), ['watch']);
  assert.deepEqual(complete('weftctl', '--world', 'lab', 'call', 'rope.s'), ['rope.spawn']);
  assert.deepEqual(complete('weftctl', 'call', 'cloth.spawn', 'colum'), ['columns=']);
  assert.deepEqual(complete('weftctl', 'call', 'cloth.spawn', 'columns=4', 'sel'), ['selfCollision=']);
  assert.deepEqual(complete('weftctl', 'node', ''), ['list', 'drain', 'undrain']);
  assert.deepEqual(complete('weftctl', '--url', 'ws://a/', 'node', 'dr'), ['drain']);
  assert.deepEqual(complete('weftctl', 'store', ''), ['copy']);
  assert.deepEqual(complete('weftctl', 'token', ''), ['make', 'list', 'revoke']);
  assert.deepEqual(complete('weftctl', 'replay', '--ver'), ['--version', '--verify']);
  assert.deepEqual(complete('weftctl', 'watch', '--verif'), ['']);
  assert.deepEqual(complete('weftctl', 'run', 'hex'), ['hex-flag.json']);
});

test('a missing folder or program is told, with the usage', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'server/tools/manual.mjs'), build], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [2, 'usage: node server/tools/manual.mjs BUILD FOLDER\n']);
});

test('the unit of the Debian package keeps worlds and scenes where the packages say, as the user that they make', () => {
  const unit = source('docker/debian/weftd.service');
  const [, user] = /^User=(\w+)$/m.exec(unit);
  assert.match(source('docker/debian/weftd.sysusers'), new RegExp(`^u ${user} - `, 'm'));
  const folders = /^StateDirectory=(.*)$/m.exec(unit)[1].split(' ');
  assert.ok(folders.includes(/^Environment=WEFT_DATA=\/var\/lib\/(.*)$/m.exec(unit)[1]));
  assert.ok(folders.includes(/ln -s \/var\/lib\/(\S+) \$\(INSTALLED\)\/scenes\/saved/.exec(source('docker/debian/rules'))[1]));
  for (const [, variable] of unit.matchAll(/^Environment=(\w+)=/gm)) assert.ok(daemonOptions.some((option) => option.variable === variable), variable);
});

test('the unit is exposed no more than 2.5, as systemd rates it', (t) => {
  const { status, stdout, stderr, error } = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', '--no-pager', join(ROOT, 'docker/debian/weftd.service')], { encoding: 'utf8' });
  if (error || /unrecognized option/.test(stderr)) return t.skip('no systemd-analyze that rates files');
  assert.equal(status, 0, stdout.trim().split('\n').at(-1));
});

test('a version that is none is refused for the changelog of the Debian packages', () => {
  const { status, stderr } = spawnSync(join(ROOT, 'docker/changelog.sh'), ['next'], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [2, 'changelog.sh VERSION, such as 0.1.0\n']);
});
