// Visitor counters of real processes that are killed, stopped, or disconnected from Redis.
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { runCli } from '../support/cli.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../support/service-cluster.js';
import { describeWithServers } from '../support/servers.js';
import { serviceFolder, type ServiceProcess, startService } from '../support/service-process.js';

const COUNTER = '/v1/public/visitor-counter/example';

interface Counts {
  readonly total: number;
  readonly today: number;
  readonly uniqueToday: number;
}

const visits = (base: string, count: number, from = 0) =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const headers = { 'User-Agent': `Mozilla/5.0 (X11; Linux x86_64) Firefox/${from + index}.0` };
      const response = await fetch(`${base}${COUNTER}/hits`, { method: 'POST', headers });
      expect(response.status).to.equal(200);
      return (await response.json()) as Counts;
    }),
  );
const countsOf = async (base: string): Promise<Counts> => (await (await fetch(base + COUNTER)).json()) as Counts;

describe('visitor counters of an embedded service', () => {
  const dataDir = serviceFolder();
  const start = (): Promise<ServiceProcess> => startService({ DATA_DIR: dataDir() });

  it('survive kill -9, except unwritten counts', async () => {
    const first = await start();
    await visits(first.base, 30);
    await eventually(async () => {
      const { stdout } = await runCli('counters', ['show', 'example', '--json'], { DATA_DIR: dataDir() });
      return (JSON.parse(stdout) as Counts).total === 30;
    }, 'write');
    await visits(first.base, 20, 30);
    await first.kill();
    const { base } = await start();
    const { total, today, uniqueToday } = await countsOf(base);
    expect(total).to.be.within(30, 50);
    expect([today, uniqueToday]).to.deep.equal([total, total]);
    await visits(base, 30);
    expect(await countsOf(base), 'the same visitors').to.deep.include({ total: total + 30, uniqueToday });
  });

  it('are complete after SIGTERM', async () => {
    const first = await start();
    await visits(first.base, 20);
    first.child.kill('SIGTERM');
    expect(await first.exit).to.equal(0);
    expect(await countsOf((await start()).base)).to.deep.include({ total: 20, today: 20, uniqueToday: 20 });
  });
});

describeWithServers('visitor counters of a cluster', ['mongod', 'redis-server'], () => {
  let cluster: ServiceCluster;
  before(async () => {
    cluster = await openServiceCluster(await sharedAddresses());
  });
  after(() => cluster.close());

  it('are shared by all processes, and lose nothing when one is killed', async () => {
    const [one, other] = cluster.processes;
    const counts = (await Promise.all([visits(one.base, 40), visits(other.base, 40, 20)])).flat();
    expect(new Set(counts.map(({ total }) => total)).size).to.equal(80);
    await one.kill();
    expect(await countsOf(other.base)).to.deep.include({ total: 80, today: 80, uniqueToday: 60 });
  });
});
