// Rolling restart under load. No request fails if the load balancer avoids processes that are shutting down.
import { Agent } from 'node:http';
import { expect } from 'chai';
import { describeWithServers } from '../support/servers.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../support/service-cluster.js';
import { askOnce } from '../support/service-load.js';
import type { ServiceProcess } from '../support/service-process.js';

const CONNECTIONS = 12;
const REQUESTS = process.env.BLAZON_LONG_TESTS === '1' ? 5000 : 800;

/**
 * Processes behind a load balancer. The balancer removes a process after a response with `Connection: close`, and adds
 * it again when it is ready.
 */
interface Pool {
  readonly bases: readonly [string, string];
  readonly restarts: Record<string, number>;
}

interface Tally {
  answered: number;
  readonly failed: unknown[];
}

/** Sends requests to the processes in turn, without retries. Uses one connection to each process. */
async function client(pool: Pool, tally: Tally, { apiKey, isOver }: { apiKey: string; isOver: () => boolean }) {
  const agents = new Map(pool.bases.map((base) => [base, new Agent({ keepAlive: true, maxSockets: 1 })]));
  /**
   * URL of a process that has responded with `Connection: close` → number of its restarts at that time. The client does
   * not use the process until it is restarted.
   */
  const leftAt = new Map<string, number>();
  for (let turn = 0; !isOver(); turn++) {
    const usable = pool.bases.filter((base) => leftAt.get(base) !== pool.restarts[base]);
    const base = usable[turn % usable.length];
    if (base === undefined) throw new Error('both processes are draining');
    const answer = await askOnce(`${base}/v1/svg/acme`, { agent: agents.get(base)!, headers: { 'X-API-Key': apiKey } });
    tally.answered += 1;
    if (answer.status !== 200) tally.failed.push({ base, status: answer.status, body: answer.body });
    if (answer.headers.connection === 'close') leftAt.set(base, pool.restarts[base] ?? 0);
  }
  for (const agent of agents.values()) agent.destroy();
}

describeWithServers('a rolling restart', ['mongod', 'redis-server'], () => {
  let cluster: ServiceCluster;
  before(async () => {
    cluster = await openServiceCluster(await sharedAddresses());
  });
  after(() => cluster.close());

  it('fails no request', async () => {
    const { apiKey } = await cluster.customer();
    const [first, second] = cluster.processes;
    const pool: Pool = { bases: [first.base, second.base], restarts: { [first.base]: 0, [second.base]: 0 } };
    const tally: Tally = { answered: 0, failed: [] };
    let isOver = false;
    const clients = Array.from({ length: CONNECTIONS }, () => client(pool, tally, { apiKey, isOver: () => isOver }));
    const ended = Promise.all(clients);
    const more = async () => {
      const enough = tally.answered + REQUESTS;
      while (tally.answered < enough) await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 10))]);
    };
    async function restart({ child, exit, base }: ServiceProcess): Promise<void> {
      child.kill('SIGTERM');
      expect(await exit).to.equal(0);
      await cluster.start({ PORT: new URL(base).port });
      pool.restarts[base] = (pool.restarts[base] ?? 0) + 1;
    }
    await more();
    for (const process of [first, second]) {
      await restart(process);
      await more();
    }
    isOver = true;
    await ended;
    expect(tally.failed).to.deep.equal([]);
    expect(tally.answered).to.be.at.least(3 * REQUESTS);
  });
});
