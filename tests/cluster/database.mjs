// SPDX-License-Identifier: MIT
// PostgreSQL for the nodes: a primary, whose commits wait for a standby, on two machines; either may take the other's place.
//
// Each has its files on a small file system in memory of its own, which can be filled. Both begin as copies of one folder
// (the template), so that a run need not wait for initdb.
//
// The database has a witness: triggers that note which address has written to a world while which epoch was in force, and every
// row that the table of owners ever had. The server does not know of it.

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { appendFile, mkdir, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { BUILD, WEFTD } from '../support/programs.mjs';
import { clockOf } from './clock.mjs';
import { command, Process, WORK } from './command.mjs';
import { ADDRESSES } from './network.mjs';

const VERSIONS = '/usr/lib/postgresql';
const version = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => a - b).at(-1) : undefined;
const program = (name) => join(VERSIONS, version, 'bin', name);
// PostgreSQL refuses to run as root.
const group = execFileSync('id', ['-g', 'nobody'], { encoding: 'utf8' }).trim();
const AS_NOBODY = ['setpriv', '--reuid=nobody', `--regid=${group}`, '--clear-groups', 'env', `HOME=${WORK}`];
const ROOM = '144m';
const START_MS = 30000;
const LOOK_MS = 100;
const SETTLE_MS = 300; // until all processes of a server have read a setting that was changed

export const ADDRESS = `postgres://weft@${ADDRESSES.database1}:5432,${ADDRESSES.database2}:5432/weft?target_session_attrs=read-write`;

// Syncing to the disk does not matter here: processes are killed, not the machine.
const SETTINGS = `
listen_addresses = '*'
fsync = off
shared_buffers = 16MB
max_connections = 60
autovacuum = off
wal_keep_size = 32MB
min_wal_size = 2MB
max_wal_size = 24MB
wal_sender_timeout = 3s
wal_receiver_timeout = 3s
wal_receiver_status_interval = 1s
wal_retrieve_retry_interval = 200ms
`;

const WITNESS = `
CREATE SCHEMA witness;
CREATE TABLE witness.writer(world BIGINT NOT NULL, epoch BIGINT NOT NULL, address TEXT NOT NULL);
CREATE TABLE witness.owner(at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(), world BIGINT NOT NULL, epoch BIGINT NOT NULL, node TEXT, url TEXT);
CREATE FUNCTION witness.wrote() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
  INSERT INTO witness.writer SELECT DISTINCT fresh.world, owner.epoch, host(inet_client_addr()) FROM fresh JOIN public.owner USING (world)
    WHERE NOT EXISTS (SELECT FROM witness.writer noted WHERE noted.world = fresh.world AND noted.epoch = owner.epoch AND noted.address = host(inet_client_addr()));
  RETURN NULL;
END $$;
CREATE TRIGGER wrote AFTER INSERT ON entry REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION witness.wrote();
CREATE TRIGGER wrote AFTER INSERT ON hash REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION witness.wrote();
CREATE FUNCTION witness.owned() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
  INSERT INTO witness.owner(world, epoch, node, url) VALUES(NEW.world, NEW.epoch, NEW.node, NEW.url);
  RETURN NULL;
END $$;
CREATE TRIGGER owned AFTER INSERT OR UPDATE ON owner FOR EACH ROW EXECUTE FUNCTION witness.owned();
`;

const psql = (machine, sql, { user = 'postgres', database = 'weft', timeout = 10000 } = {}) =>
  command(program('psql'), ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set=ON_ERROR_STOP=1', '-h', join(WORK, machine), '-U', user, '-d', database], { input: sql, timeout });

/** One server of PostgreSQL on a machine. */
class Server {
  /** @type {Process | null} */
  process = null;

  constructor(machine) {
    this.machine = machine;
    this.room = join(WORK, machine);
    this.folder = join(this.room, 'data');
    this.ballast = join(this.room, 'ballast');
  }

  async mount() {
    await mkdir(this.room, { recursive: true });
    await command('mount', ['-t', 'tmpfs', '-o', `size=${ROOM},mode=755`, 'tmpfs', this.room]);
    await command('chown', ['nobody', this.room]);
  }

  /** Adds settings to those of before. @param {string} text */
  set(text) {
    return appendFile(join(this.folder, 'postgresql.auto.conf'), `${text}\n`);
  }

  async reload() {
    this.process?.signal('SIGHUP', false);
  }

  start() {
    const line = [...AS_NOBODY, ...clockOf(this.machine), program('postgres'), '-D', this.folder, '-c', `unix_socket_directories=${this.room}`];
    this.process = new Process(this.machine, this.machine, line);
  }

  get runs() {
    return this.process !== null && this.process.exit === null;
  }

  /** Waits until the server answers, and starts it again if it ends meanwhile. */
  async ready(patienceMs = START_MS) {
    const end = performance.now() + patienceMs;
    for (;;) {
      if (!this.runs) this.start();
      try {
        return await psql(this.machine, 'SELECT 1', { database: 'postgres', timeout: 2000 });
      } catch (error) {
        if (performance.now() > end) throw new Error(`PostgreSQL on ${this.machine} does not answer: ${error.message}`, { cause: error });
      }
      await sleep(LOOK_MS);
    }
  }

  /** Ends all its processes at once. */
  async kill() {
    const { process } = this;
    if (!process || process.exit) return;
    await process.end('SIGKILL');
    this.signalAll('SIGKILL'); // those of sessions notice it by themselves, unless they are stopped; a new server waits for that
  }

  // All processes that run in the server's folder.
  #pids() {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => folderOf(pid) === this.folder);
  }

  /** @param {'SIGSTOP' | 'SIGCONT' | 'SIGKILL'} signal for all its processes */
  signalAll(signal) {
    for (const pid of this.#pids()) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error; // it has ended meanwhile
      }
    }
  }

  /** Takes all room that is left on the server's disk. */
  async fill() {
    const { bavail, bsize } = await statfs(this.room);
    await command('fallocate', ['-l', String(bavail * bsize), this.ballast]).catch(() => {}); // another one was faster
  }

  async empty() {
    await rm(this.ballast, { force: true });
  }
}

function folderOf(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null; // the process has ended
  }
}

// While a standby waits for the first answer of a primary that has stopped, no timeout of PostgreSQL ends the wait: only these
// probes find out, once the machines reach each other again, that the connection is gone.
const KEEPALIVES = 'keepalives_idle=2 keepalives_interval=1 keepalives_count=3';

/** Makes the folder that both servers begin with, in `folder`: tables as the server makes them, and the witness. */
export async function makeTemplate(folder) {
  const server = new Server('database1');
  await server.mount();
  await command('setpriv', [...AS_NOBODY.slice(1), program('initdb'), '-D', server.folder, '-U', 'postgres', '--auth=trust', '--no-sync', '--wal-segsize=1', '--encoding=UTF8', '--locale=C']);
  await appendFile(join(server.folder, 'postgresql.conf'), SETTINGS);
  await appendFile(join(server.folder, 'pg_hba.conf'), 'host all all 10.77.0.0/24 trust\nhost replication all 10.77.0.0/24 trust\n');
  server.start();
  await server.ready();
  await psql(server.machine, "CREATE ROLE weft LOGIN; CREATE DATABASE weft OWNER weft TEMPLATE template0 ENCODING 'UTF8';", { database: 'postgres' });
  await makeTables(`postgres://weft@/weft?host=${server.room}`);
  await psql(server.machine, WITNESS);
  await server.process.end('SIGINT');
  await rm(folder, { recursive: true, force: true });
  await command('cp', ['-a', server.folder, folder]);
}

// A server without worlds of its own makes them.
async function makeTables(address) {
  const server = spawn(WEFTD, ['--port', '0', '--store', address, '--world', 'none=empty'], {
    env: { ...process.env, WEFT_WEB: join(BUILD, 'web') }, stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => { server.once('close', resolve); });
  let text = '';
  const ready = new Promise((resolve) => { server.stdout.on('data', (part) => /:\d+\//.test(text += part) && resolve()); });
  await Promise.race([ready, ended]);
  server.kill();
  await ended;
}

export class Database {
  servers = { database1: new Server('database1'), database2: new Server('database2') };
  #primary = this.servers.database1;
  #standby = this.servers.database2;
  /** Whether the standby has all commits, and may be promoted. */
  isSafe = false;

  get primary() {
    return this.#primary;
  }

  get standby() {
    return this.#standby;
  }

  /** @param {string} template of makeTemplate */
  static async start(template) {
    const database = new Database();
    for (const server of Object.values(database.servers)) {
      await server.mount();
      await command('cp', ['-a', template, server.folder]);
    }
    await database.#becomeStandby(database.standby);
    await database.primary.set("synchronous_standby_names = 'standby'");
    for (const server of Object.values(database.servers)) server.start();
    await Promise.all(Object.values(database.servers).map((server) => server.ready()));
    await database.#attached();
    return database;
  }

  async #becomeStandby(server) {
    const other = server === this.#primary ? this.#standby : this.#primary;
    await server.set(`primary_conninfo = 'host=${ADDRESSES[other.machine]} user=postgres application_name=standby ${KEEPALIVES}'\nsynchronous_standby_names = ''`);
    await writeFile(join(server.folder, 'standby.signal'), '', { mode: 0o644 });
  }

  // Waits until commits wait for the standby, and the standby has all earlier commits.
  async #attached() {
    await this.#until("SELECT sync_state = 'sync' FROM pg_stat_replication WHERE state = 'streaming'");
    await sleep(SETTLE_MS);
    const position = (await this.query('SELECT pg_current_wal_flush_lsn()')).trim();
    await this.#until(`SELECT flush_lsn >= '${position}' AND sync_state = 'sync' FROM pg_stat_replication WHERE state = 'streaming'`);
    this.isSafe = true;
  }

  async #until(condition, patienceMs = START_MS) {
    const end = performance.now() + patienceMs;
    while ((await this.query(condition, 2000).catch(() => '')).trim() !== 't') {
      if (performance.now() > end) throw new Error(`the standby does not follow the primary: ${condition}`);
      await sleep(LOOK_MS);
    }
  }

  /** The primary's answer to a statement of its superuser. */
  query(sql, timeout) {
    return psql(this.#primary.machine, sql, { timeout });
  }

  /** Makes commits wait for the standby no longer, without the knowledge of the nodes. */
  async stopWaiting() {
    await this.#primary.set("synchronous_standby_names = ''");
    await this.#primary.reload();
    await sleep(SETTLE_MS);
  }

  /** The standby becomes the primary. The former one is not touched. */
  async promote() {
    this.isSafe = false;
    await psql(this.#standby.machine, 'SELECT pg_promote(true, 30)', { database: 'postgres', timeout: 35000 });
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
  }

  /** Makes a new standby on the former primary's machine, whose files are given up; commits then wait for it. */
  async addStandby() {
    const { folder, machine } = this.#standby;
    await this.#standby.kill();
    await this.#standby.empty();
    const copy = ['-h', ADDRESSES[this.#primary.machine], '-U', 'postgres', '-D', folder, '--checkpoint=fast', '--no-sync', '--wal-method=stream'];
    for (const end = performance.now() + START_MS; ;) { // the machines may be cut off from each other
      await rm(folder, { recursive: true, force: true });
      const fault = await command('nsenter', [`--net=/run/netns/${machine}`, ...AS_NOBODY, program('pg_basebackup'), ...copy], { timeout: 10000 }).then(() => null, (error) => error);
      if (!fault) break;
      if (performance.now() > end) throw fault;
      await sleep(LOOK_MS);
    }
    await truncate(join(folder, 'postgresql.auto.conf'));
    await this.#becomeStandby(this.#standby);
    this.#standby.start();
    await this.#standby.ready();
    await this.#primary.set("synchronous_standby_names = 'standby'");
    await this.#primary.reload();
    await this.#attached();
  }

  /** Makes both servers run, and the standby follow. */
  async heal() {
    for (const server of Object.values(this.servers)) {
      await server.empty();
      await server.ready();
    }
    await this.#attached();
  }

  /** The rows of a query. @returns {Promise<object[]>} */
  async rows(sql) {
    const text = await this.query(`SELECT coalesce(json_agg(found), '[]') FROM (${sql}) found`, 60000);
    return JSON.parse(text);
  }
}
