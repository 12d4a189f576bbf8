// SPDX-License-Identifier: MIT
// The machines of a cluster: network namespaces, each with an address on one bridge. Packets from one machine to
// another can be dropped or refused, in both directions or in one, and a machine's link can be made slow.
//
// The namespace of the run itself holds the bridge. It has two addresses: CONTROL, by which the run controls the nodes
// and which no fault touches, and that of the machine `clients`.

import { writeFile } from 'node:fs/promises';
import { command } from './command.mjs';

export const ADDRESSES = {
  clients: '10.77.0.2', node1: '10.77.0.11', node2: '10.77.0.12', node3: '10.77.0.13', database1: '10.77.0.21', database2: '10.77.0.22',
};
export const MACHINES = Object.keys(ADDRESSES).filter((name) => name !== 'clients');
const CONTROL = '10.77.0.1';

// Once its link is back, a connection that was cut off is tried again each second, where the kernel has that setting,
// and not after a time that doubles.
const RETRY_MOST = '/proc/sys/net/ipv4/tcp_rto_max_ms';
const RETRY_MOST_MS = '1000';

const within = (machine, program, args, options) => command('nsenter', [`--net=/run/netns/${machine}`, program, ...args], options);

export class Network {
  /** @type {Map<string, {from: string, to: string, manner: string}[]>} the packets that each machine drops or refuses */
  #blocks = new Map(MACHINES.map((machine) => [machine, []]));
  /** @type {Map<string, Promise<void>>} the last change of the rules of each machine, which the next one waits for */
  #written = new Map();
  /** @type {Map<string, number>} how often each link was made slow */
  #slowed = new Map();
  #delays = false;

  static async create() {
    const network = new Network();
    await command('ip', ['-batch', '-'], {
      input: `link set lo up
link add weft type bridge
address add ${CONTROL}/24 dev weft
address add ${ADDRESSES.clients}/24 dev weft
link set weft up
`,
    });
    await writeFile(RETRY_MOST, RETRY_MOST_MS).catch(() => {});
    await Promise.all(MACHINES.map((machine) => network.#add(machine)));
    network.#delays = await command('tc', ['qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '1ms']).then(() => true, () => false);
    if (network.#delays) await command('tc', ['qdisc', 'del', 'dev', 'lo', 'root']);
    return network;
  }

  async #add(machine) {
    await command('ip', ['netns', 'add', machine]);
    await command('ip', ['-batch', '-'], {
      input: `link add ${machine} type veth peer name eth0 netns ${machine}\nlink set ${machine} master weft\nlink set ${machine} up\n`,
    });
    await command('ip', ['-netns', machine, '-batch', '-'], { input: `address add ${ADDRESSES[machine]}/24 dev eth0\nlink set eth0 up\nlink set lo up\n` });
    await within(machine, 'sh', ['-c', `[ ! -e ${RETRY_MOST} ] || echo ${RETRY_MOST_MS} >${RETRY_MOST}`]);
    await within(machine, 'nft', ['-f', '-'], {
      input: `table inet faults {
  chain arrives { type filter hook input priority 0; }
  chain leaves { type filter hook output priority 0; }
}
`,
    });
  }

  /**
   * Lets nothing through from one machine to another, until the returned function is called.
   * @param {string} from @param {string} to @param {'drop' | 'reset'} manner in silence, or by refusing each segment
   * @returns {Promise<() => Promise<void>>}
   */
  async block(from, to, manner) {
    const place = to === 'clients' ? from : to;
    const rule = { from, to, manner };
    this.#blocks.get(place).push(rule);
    await this.#write(place);
    return async () => {
      const rules = this.#blocks.get(place);
      rules.splice(rules.indexOf(rule), 1);
      await this.#write(place);
    };
  }

  #write(machine) {
    const written = (this.#written.get(machine) ?? Promise.resolve()).then(() => this.#replaceRules(machine));
    this.#written.set(machine, written);
    return written;
  }

  async #replaceRules(machine) {
    const verdict = { drop: 'drop', reset: 'meta l4proto tcp reject with tcp reset' };
    const rules = this.#blocks.get(machine).map(({ from, to, manner }) => (to === 'clients'
      ? `add rule inet faults leaves ip daddr ${ADDRESSES[to]} ${verdict[manner]}`
      : `add rule inet faults arrives ip saddr ${ADDRESSES[from]} ${verdict[manner]}`));
    await within(machine, 'nft', ['-f', '-'], { input: ['flush chain inet faults arrives', 'flush chain inet faults leaves', ...rules, ''].join('\n') });
  }

  /**
   * Makes a machine's link slow in both directions, until the returned function is called: late by so much where the kernel has
   * `netem`, narrow otherwise, which delays packets that wait behind others.
   * @param {string} machine @param {{delayMs: number, kilobits: number}} how
   * @returns {Promise<() => Promise<void>>}
   */
  async slow(machine, { delayMs, kilobits }) {
    const how = this.#delays
      ? ['netem', 'delay', `${delayMs}ms`, `${Math.round(delayMs / 4)}ms`]
      : ['tbf', 'rate', `${kilobits}kbit`, 'burst', '2kb', 'latency', '3s'];
    const on = ['qdisc', 'replace', 'dev'], off = ['qdisc', 'del', 'dev'];
    const slowed = (this.#slowed.get(machine) ?? 0) + 1;
    this.#slowed.set(machine, slowed);
    await command('tc', [...on, machine, 'root', ...how]);
    await within(machine, 'tc', [...on, 'eth0', 'root', ...how]);
    return async () => {
      if (this.#slowed.get(machine) !== slowed) return; // a later call made the link slow again, and undoes that itself
      await command('tc', [...off, machine, 'root']);
      await within(machine, 'tc', [...off, 'eth0', 'root']);
    };
  }
}
