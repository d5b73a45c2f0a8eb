// Deliveries of two processes through `kill -9`, and through failovers of MongoDB and Redis: none is lost.
import { expect } from 'chai';
import { ask, eventually, from } from '../support/auth.js';
import { describeWithServers, startMongo, startRedis } from '../support/servers.js';
import { openServiceCluster, sharedAddresses, type ServiceCluster } from '../support/service-cluster.js';
import type { ServiceProcess } from '../support/service-process.js';
import { startWebhookReceiver, verified, type Received } from './webhook-receiver.js';

const receiver = await startWebhookReceiver();
const variables = { WEBHOOK_ORIGINS: receiver.origin };
const idOf = ({ headers }: Received) => String(headers['webhook-id']);

async function subscribed(cluster: ServiceCluster) {
  const customer = await cluster.customer();
  const { accessToken: bearer } = customer;
  const path = `/${customer.id}`;
  const body = { url: receiver.origin + path, kinds: ['publishable_key.changed'] };
  const added = await ask(cluster.processes[0], '/auth/webhooks', { bearer, headers: from(), body });
  expect(added.status, added.text).to.equal(201);
  const { secret } = added.body as { secret: string };
  return {
    /** Makes a change. Returns true if it was acknowledged. */
    change: async (process: Pick<ServiceProcess, 'base'>, name: string): Promise<boolean> => {
      const made = await ask(process, '/auth/publishable-keys', { bearer, headers: from(), body: { name } }).catch(
        () => undefined,
      );
      return made?.status === 201;
    },
    requests: () => receiver.requests.filter((one) => one.path === path),
    nameOf: (request: Received) => String(verified(request, secret).data.name),
  };
}

describeWithServers('webhooks of two processes', ['mongod', 'redis-server'], function () {
  this.timeout(180_000);
  after(() => receiver.close());
  afterEach(() => receiver.answerWith(undefined));

  it('are sent again with the same ids after the process that sends them was killed', async () => {
    const cluster = await openServiceCluster({ ...(await sharedAddresses()), variables });
    try {
      const { change, requests, nameOf } = await subscribed(cluster);
      const [first, second] = cluster.processes;
      // Leaves only the first process, so that no other process can send its deliveries.
      await second.kill();
      receiver.answerWith(() => undefined);
      const names = ['Key 0', 'Key 1', 'Key 2'];
      expect(await change(first, names[0]!)).to.equal(true);
      const [aborted] = await eventually(() => (requests().length > 0 ? requests() : undefined), 'request');
      // These events wait, because the request of the first event gets no response.
      for (const name of names.slice(1)) expect(await change(first, name)).to.equal(true);
      await first.kill();
      receiver.answerWith(undefined);
      const before = requests().length;
      await cluster.start();
      const sent = await eventually(() => {
        const found = requests().slice(before);
        return new Set(found.map(nameOf)).size === names.length ? found : undefined;
      }, 'deliveries');
      expect(sent.map(nameOf)).to.deep.equal(names);
      expect(idOf(sent[0]!)).to.equal(idOf(aborted!));
      expect(sent[0]!.body).to.equal(aborted!.body);
      expect(new Set(sent.map(idOf)).size).to.equal(names.length);
    } finally {
      await cluster.close();
    }
  });

  it('are all sent although the primary of MongoDB and Redis fail meanwhile', async () => {
    const [mongo, redis] = await Promise.all([startMongo({ members: 3 }), startRedis({ append: true })]);
    const cluster = await openServiceCluster({ mongodbUri: mongo.uri(), redisUrl: redis.url, variables });
    try {
      const { change, requests, nameOf } = await subscribed(cluster);
      const acknowledged: string[] = [];
      let made = 0;
      const changeSome = async (count: number): Promise<void> => {
        for (let n = 0; n < count; n++) {
          const name = `Key ${made++}`;
          if (await change(cluster.processes[made % 2]!, name)) acknowledged.push(name);
        }
      };
      await changeSome(2);
      await Promise.all([mongo.stepDown(), changeSome(2)]);
      await mongo.primary();
      const node = await mongo.primary();
      await Promise.all([node.kill(), changeSome(2)]);
      await mongo.primary();
      await node.restart();
      await Promise.all([redis.restart(), changeSome(2)]);
      await eventually(async () => {
        const known = acknowledged.length;
        await changeSome(1);
        return acknowledged.length > known;
      }, 'change after the failures');
      const sent = await eventually(() => {
        const names = new Set(requests().map(nameOf));
        return acknowledged.every((name) => names.has(name)) ? requests() : undefined;
      }, 'deliveries');
      const byId = new Map(sent.map((one) => [idOf(one), one.body]));
      for (const one of sent) expect(one.body, 'the same event in each try').to.equal(byId.get(idOf(one)));
      expect(new Set([...byId.values()]).size).to.equal(byId.size);
      expect(acknowledged).to.have.length.above(2);
    } finally {
      await cluster.close();
      await Promise.all([mongo.stop(), redis.stop()]);
    }
  });
});
