// Two service processes while MongoDB fails: right answers or 503 in time, and recovery without a restart.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { loadThrough } from '../support/outage-load.js';
import { describeWithServers, shared, startMongo, type MongoServers } from '../support/servers.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../support/service-cluster.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const ELECTION_LIMIT_MS = 30_000;

async function underLoad(cluster: ServiceCluster, cause: () => Promise<unknown>): Promise<void> {
  const { accepted, unavailable, used } = await loadThrough(cluster, cause);
  expect(used).to.be.within(accepted, accepted + unavailable);
}

async function withNode<Result>(port: number, act: (client: MongoClient) => Promise<Result>): Promise<Result> {
  const options = { serverSelectionTimeoutMS: 500 };
  const client = await MongoClient.connect(`mongodb://127.0.0.1:${port}/?directConnection=true`, options);
  try {
    return await act(client);
  } finally {
    await client.close();
  }
}

describeWithServers('two processes while MongoDB fails', ['mongod', 'redis-server'], function () {
  this.timeout(120_000);

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

    const isPrimary = (port: number): Promise<boolean> =>
      withNode(
        port,
        async (client) => (await client.db('admin').command({ hello: 1 })).isWritablePrimary === true,
      ).catch(() => false);
    async function primary() {
      const deadlineMs = performance.now() + ELECTION_LIMIT_MS;
      while (performance.now() < deadlineMs) {
        for (const node of servers.nodes) if (await isPrimary(node.port)) return node;
        await sleep(50);
      }
      throw new Error('there is no primary');
    }

    it('the primary steps down', () =>
      underLoad(cluster, async () => {
        const { port } = await primary();
        await withNode(port, (client) =>
          // With `force`: under load the others are always a little behind.
          client.db('admin').command({ replSetStepDown: 5, secondaryCatchUpPeriodSecs: 1, force: true }),
        );
        await primary();
      }));

    it('the primary is killed', () =>
      underLoad(cluster, async () => {
        const node = await primary();
        await node.kill();
        await primary();
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
        underLoad(cluster, async () => {
          proxy.delayAnswers(delayMs);
          await sleep(2500);
          proxy.open();
        }));

    it('nothing arrives', () =>
      underLoad(cluster, async () => {
        proxy.hold();
        await sleep(2500);
        proxy.open();
      }));
  });
});
