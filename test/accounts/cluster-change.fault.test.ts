// A process that is killed or paused during an account change, while two other processes serve requests.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { eventually } from '../support/auth.js';
import type { Customer } from '../support/server.js';
import { describeWithServers } from '../support/servers.js';
import {
  finalAnswer,
  openServiceCluster,
  replacedKey,
  sharedAddresses,
  statusOfKey,
  type ClusterAddresses,
  type ServiceCluster,
} from '../support/service-cluster.js';
import { POINTS, type Line, type Order, type Point } from './cluster-change-fixture.js';

const FIXTURE = fileURLToPath(new URL('cluster-change-fixture.js', import.meta.url));
const LONG = process.env.BLAZON_LONG_TESTS === '1';
const ROUNDS = LONG ? 40 : 1;
/** Requests per key and process. */
const TRIES = 5;

interface Changing {
  readonly child: ChildProcess;
  readonly lines: () => Line[];
}

const children = new Set<ChildProcess>();

async function beginChange(order: Order): Promise<Changing> {
  const child = fork(FIXTURE, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  children.add(child);
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await once(child, 'message');
  child.send(order);
  const lines = () => {
    return text
      .split('\n')
      .filter((line) => line.endsWith('}'))
      .map((line) => JSON.parse(line) as Line);
  };
  return { child, lines };
}

const keysOf = (lines: readonly Line[], type: 'decided' | 'answered'): string[] =>
  lines.flatMap((line) => (line.type === type ? [line.apiKey] : []));

describeWithServers('a process that fails in the middle of a change', ['mongod', 'redis-server'], () => {
  let addresses: ClusterAddresses;
  let cluster: ServiceCluster;
  before(async () => {
    addresses = await sharedAddresses();
    cluster = await openServiceCluster(addresses);
  });
  after(() => cluster.close());
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children.clear();
  });

  /** Returns the keys that are accepted. Fails if the two processes disagree. */
  async function working(keys: readonly string[]): Promise<string[]> {
    const found: string[] = [];
    for (const key of keys) {
      const statuses = await Promise.all(
        cluster.processes.flatMap(({ base }) =>
          Array.from({ length: TRIES }, () => finalAnswer(() => statusOfKey(base, key))),
        ),
      );
      expect([...new Set(statuses)], 'at all processes the same').to.have.length(1);
      expect(statuses[0]).to.be.oneOf([200, 401]);
      if (statuses[0] === 200) found.push(key);
    }
    return found;
  }

  /**
   * Creates a customer and checks that both service processes accept the key. Then starts another process, which begins
   * to replace the key, and kills or stops itself at `point`.
   */
  async function changeUntil(point: Point, signal: Order['signal']): Promise<Changing & { customer: Customer }> {
    const customer = await cluster.customer();
    expect(await working([customer.apiKey])).to.have.length(1);
    const changing = await beginChange({ ...addresses, id: customer.id as AccountId, point, signal });
    return { ...changing, customer };
  }

  async function killAt(point: Point, at: number): Promise<void> {
    const { customer, child, lines } = await changeUntil(point, 'SIGKILL');
    const [, signal] = (await once(child, 'close')) as [number | null, string | null];
    expect(signal, point).to.equal('SIGKILL');
    const [decided, answered] = [keysOf(lines(), 'decided'), keysOf(lines(), 'answered')];
    expect([decided.length, answered.length], point).to.deep.equal([1, Number(point === 'after the answer')]);
    const before = await working([customer.apiKey, ...decided]);
    expect(before, `exactly one key works: ${point}`).to.have.length(1);
    const isWritten = POINTS.indexOf(point) >= POINTS.indexOf('after the write');
    expect(before[0] === decided[0], `the new key works: ${point}`).to.equal(isWritten);
    const apiKey = await replacedKey(cluster.processes[at % 2]!.base, customer.accessToken);
    expect(await working([customer.apiKey, ...decided, apiKey]), point).to.deep.equal([apiKey]);
  }

  it('leaves exactly one working key when it is killed between any two steps, and the account is free again', async () => {
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(POINTS.map((point, at) => killAt(point, at + round)));
  });

  async function stopAt(point: Point, at: number): Promise<void> {
    const { customer, child, lines } = await changeUntil(point, 'SIGSTOP');
    await eventually(() => lines().length > 0, 'decision');
    // Waits until the lock of the stopped process has expired. Then replaces the key.
    const apiKey = await replacedKey(cluster.processes[at % 2]!.base, customer.accessToken);
    expect(lines(), `it stands still: ${point}`).to.have.length(1);
    const [stopped = ''] = keysOf(lines(), 'decided');
    expect(await working([customer.apiKey, stopped, apiKey]), point).to.deep.equal([apiKey]);
    child.kill('SIGCONT');
    await once(child, 'close');
    const decided = keysOf(lines(), 'decided');
    const [answered] = keysOf(lines(), 'answered');
    const works = await working([customer.apiKey, apiKey, ...decided]);
    if (point === 'after the write') {
      // The process saved its key and was then stopped. While it was stopped, the service replaced this key.
      expect([answered, decided], point).to.deep.equal([stopped, [stopped]]);
      expect(works, point).to.deep.equal([apiKey]);
    } else {
      // The resumed process does not save its first key, because the service has changed the account meanwhile. It
      // applies its change to the changed account, and saves a second key.
      expect(decided, point).to.have.length(2);
      expect(works, point).to.deep.equal([decided[1]]);
      expect(answered, point).to.equal(decided[1]);
    }
    // Each change has replaced the key that the previous change created. No change used an outdated account.
    const events = await cluster.stores.audit.read(customer.id as AccountId, { limit: 20 });
    const changes = events.filter(({ detail }) => detail?.token === 'API key').map(({ detail }) => detail);
    expect(
      changes.map((detail) => detail?.replaced),
      point,
    ).to.deep.equal([...changes.slice(1).map((detail) => detail?.hint), customer.apiKey.slice(-4)]);
    expect(changes[0]?.hint, point).to.equal(works[0]?.slice(-4));
  }

  it('applies nothing to changes of others after a pause longer than its lock', async () => {
    const points = ['before the mark', 'after the mark', 'after the write'] as const;
    for (let round = 0; round < (LONG ? 10 : 1); round++)
      await Promise.all(points.map((point, at) => stopAt(point, at + round)));
  });
});
