// Two service processes while Redis fails. Each response is correct or 503, and the processes recover without a
// restart.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { loadThrough, type Fault } from '../../support/outage-load.js';
import { describeWithServers, shared, startRedis, type RedisServer } from '../../support/servers.js';
import { openServiceCluster, type ServiceCluster } from '../../support/service-cluster.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

describeWithServers('two processes while Redis fails', ['mongod', 'redis-server'], () => {
  let server: RedisServer;
  let proxy: TcpProxy;
  let control: Redis;
  let cluster: ServiceCluster;
  before(async () => {
    server = await startRedis();
    proxy = await startTcpProxy(server.port);
    control = new Redis(server.url);
    control.on('error', () => undefined);
    cluster = await openServiceCluster({
      mongodbUri: (await shared.mongo()).uri(),
      redisUrl: server.url,
      through: { redisUrl: `redis://127.0.0.1:${proxy.port}` },
    });
  });
  after(async () => {
    await cluster.close();
    control.disconnect();
    await proxy.close();
    await server.stop();
  });

  interface Outage {
    readonly cause: Fault;
    /**
     * True if the outage loses counts that were not yet stored in MongoDB. The usage is then lower than the number of
     * accepted requests.
     */
    readonly losesCounts: boolean;
  }

  const OUTAGES: Readonly<Record<string, Outage>> = {
    'it restarts empty': {
      losesCounts: true,
      async cause(answered) {
        await server.kill();
        await answered();
        await server.restart();
      },
    },
    'nothing arrives': {
      losesCounts: false,
      async cause(answered) {
        proxy.hold();
        await answered();
        proxy.open();
      },
    },
    'connections are cut in the middle of commands': {
      losesCounts: false,
      async cause(answered) {
        for (let round = 0; round < 12; round++) {
          proxy.cut();
          await sleep(50 + Math.random() * 100);
        }
        await answered();
      },
    },
    'its memory is full': {
      losesCounts: false,
      async cause(answered) {
        await control.config('SET', 'maxmemory', '1mb');
        await answered();
        await control.config('SET', 'maxmemory', '0');
      },
    },
  };

  for (const [name, { cause, losesCounts }] of Object.entries(OUTAGES))
    it(name, async () => {
      const { accepted, unavailable, used } = await loadThrough(cluster, cause);
      expect(used, 'nothing is counted twice').to.be.at.most(accepted + unavailable);
      if (!losesCounts) expect(used, 'all that was accepted is counted').to.be.at.least(accepted);
    });
});
