// Two service processes while MongoDB fails. Each response is correct or 503, and the processes recover without a
// restart.
import { expect } from 'chai';
import { loadThrough, type Fault } from '../../support/outage-load.js';
import { describeWithServers, shared, startMongo, type MongoServers } from '../../support/servers.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../../support/service-cluster.js';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.js';

async function underLoad(cluster: ServiceCluster, cause: Fault): Promise<void> {
  const { accepted, unavailable, used } = await loadThrough(cluster, cause);
  expect(used).to.be.within(accepted, accepted + unavailable);
}

describeWithServers('two processes while MongoDB fails', ['mongod', 'redis-server'], () => {
  describe('three members', () => {
    let servers: MongoServers;
    let cluster: ServiceCluster;
    before(async () => {
      servers = await startMongo({ members: 3 });
      const { redisUrl } = await sharedAddresses();
      cluster = await openServiceCluster({ mongodbUri: servers.uri(), redisUrl });
    });
    after(async () => {
      await cluster.close();
      await servers.stop();
    });

    it('keep serving when the primary steps down', () =>
      underLoad(cluster, async () => {
        await servers.stepDown();
        await servers.primary();
      }));

    it('keep serving when the primary is killed', () =>
      underLoad(cluster, async () => {
        const node = await servers.primary();
        await node.kill();
        await servers.primary();
        await node.restart();
      }));
  });

  describe('a slow network', () => {
    let proxy: TcpProxy;
    let cluster: ServiceCluster;
    before(async () => {
      const addresses = await sharedAddresses();
      proxy = await startTcpProxy((await shared.mongo()).nodes[0]!.port);
      const { pathname } = new URL(addresses.mongodbUri);
      const mongodbUri = `mongodb://127.0.0.1:${proxy.port}${pathname}?directConnection=true`;
      cluster = await openServiceCluster({ ...addresses, through: { mongodbUri } });
    });
    after(async () => {
      await cluster.close();
      await proxy.close();
    });

    for (const delayMs of [150, 1500])
      it(`answers are ${delayMs} ms late`, () =>
        underLoad(cluster, async (answered) => {
          proxy.delayAnswers(delayMs);
          await answered();
          proxy.open();
        }));

    it('answers 503 when nothing arrives', () =>
      underLoad(cluster, async (answered) => {
        proxy.hold();
        await answered();
        proxy.open();
      }));
  });
});
