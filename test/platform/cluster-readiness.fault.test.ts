// Readiness of a process whose database servers are connected but reject writes.
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { eventually } from '../support/auth.js';
import {
  describeWithServers,
  startMongo,
  startRedis,
  type MongoServers,
  type RedisServer,
} from '../support/servers.js';
import { clusterVariables, importSmallCatalog, type ClusterAddresses } from '../support/service-cluster.js';
import { endServices, launchService, startService, type ServiceProcess } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

interface Readiness {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
}

describeWithServers('/readyz of the cluster', ['mongod', 'redis-server'], () => {
  let mongo: MongoServers;
  let redis: RedisServer;
  let control: Redis;
  let service: ServiceProcess;
  let addresses: ClusterAddresses;
  const { path: DATA_DIR, remove } = temporaryDir();
  before(async () => {
    [mongo, redis] = await Promise.all([startMongo({ members: 3, arbiter: true }), startRedis()]);
    control = new Redis(redis.url);
    addresses = { mongodbUri: mongo.uri(), redisUrl: redis.url };
    await importSmallCatalog(addresses);
    service = await startService({ ...clusterVariables(addresses), DATA_DIR });
  });
  after(async () => {
    await endServices();
    control.disconnect();
    await Promise.all([mongo.stop(), redis.stop()]);
    remove();
  });

  async function readiness(): Promise<Readiness & { readonly code: number }> {
    const response = await fetch(`${service.base}/readyz`);
    return { ...((await response.json()) as Readiness), code: response.status };
  }
  const READY = { mongodb: 'ok', redis: 'ok', catalog: 'ok', search: 'ok' };
  const becomes = (checks: Readiness['checks']) =>
    eventually(async () => {
      const { code, status, checks: found } = await readiness();
      if (JSON.stringify(found) !== JSON.stringify(checks)) return false;
      const isReady = checks === READY;
      expect({ code, status }).to.deep.equal(
        isReady ? { code: 200, status: 'ready' } : { code: 503, status: 'unavailable' },
      );
      return true;
    }, JSON.stringify(checks));

  it('is 503 with the name and the reason while Redis rejects writes', async () => {
    await becomes(READY);
    await control.config('SET', 'min-replicas-to-write', '1');
    await becomes({ ...READY, redis: 'Redis rejects writes right now (NOREPLICAS).' });
    await control.config('SET', 'min-replicas-to-write', '0');
    await becomes(READY);
  });

  it('is 503 while no majority confirms writes, even with a primary', async () => {
    await becomes(READY);
    mongo.nodes[1]?.pause();
    await becomes({ ...READY, mongodb: 'The majority of the MongoDB replica set does not confirm writes right now.' });
    mongo.nodes[1]?.resume();
    await becomes(READY);
  });

  it('writes once a second at most, however often it is requested', async () => {
    const writes = async () => Number(/cmdstat_set:calls=(\d+)/.exec(await control.info('commandstats'))?.[1] ?? 0);
    const [before, beganMs] = [await writes(), performance.now()];
    for (let asked = 0; asked < 100; asked++) await readiness();
    const seconds = (performance.now() - beganMs) / 1000;
    expect((await writes()) - before).to.be.at.most(1 + Math.ceil(seconds));
  });

  it('exits with 78 and one line when a process starts while Redis rejects writes', async () => {
    await control.config('SET', 'min-replicas-to-write', '1');
    try {
      const { exit, output } = launchService({ ...clusterVariables(addresses), DATA_DIR, PORT: '0' });
      expect(await exit).to.equal(78);
      expect(output()).to.match(/^REDIS_URL: [^\n]*NOREPLICAS[^\n]*\n$/);
    } finally {
      await control.config('SET', 'min-replicas-to-write', '0');
    }
  });
});
