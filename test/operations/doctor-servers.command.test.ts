// `npm run doctor` with misconfigured MongoDB and Redis servers: each finding names the server and tells how to fix the
// problem.
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import type { Finding } from '../../src/platform/doctor-finding.js';
import { eventually } from '../support/auth.js';
import { runCli } from '../support/cli.js';
import { describeWithServers, shared, startMongo, startRedis, startUninitiatedMongo } from '../support/servers.js';
import { clusterVariables } from '../support/service-cluster.js';
import { temporaryDir } from '../support/temporary.js';

/** MongoDB's error code: github.com/mongodb/mongo, src/mongo/base/error_codes.yml */
const UNAUTHORIZED = 13;

describeWithServers('npm run doctor, servers of the cluster', ['mongod', 'redis-server'], () => {
  const { path: DATA_DIR, remove } = temporaryDir();
  after(remove);

  async function examine(addresses: { readonly mongodbUri?: string; readonly redisUrl?: string }) {
    const { mongodbUri = (await shared.mongo()).uri(), redisUrl = (await shared.redis()).url } = addresses;
    const variables = { ...clusterVariables({ mongodbUri, redisUrl }), DATA_DIR };
    const { stdout } = await runCli('doctor', ['--json'], variables);
    const findings = JSON.parse(stdout) as Finding[];
    return (check: string) => findings.find((one) => one.check === check);
  }
  const setOf = async (mongodbUri: string) => (await examine({ mongodbUri }))('mongodb replica set');

  it('counts members that hold data and are healthy, and names the others', async () => {
    const mongo = await startMongo({ members: 3 });
    try {
      const [first, second, third] = mongo.nodes.map(({ port }) => `127.0.0.1:${port}`);
      // Waits until all members are healthy, because a new member of the replica set must first copy the data.
      await eventually(async () => (await setOf(mongo.uri()))?.status === 'ok', 'three healthy members');
      expect((await setOf(mongo.uri()))?.message).to.equal(
        'rs0 has 3 of 3 data-bearing members healthy; a write needs 2 of them.',
      );
      await mongo.nodes[2]?.kill();
      const away = await eventually(async () => {
        const found = await setOf(mongo.uri());
        return found?.status === 'warning' && found;
      }, 'a member that is away');
      expect(away.message)
        .to.include('2 of 3 data-bearing members healthy')
        .and.include(`Not healthy: ${third} (`)
        .and.not.include(first)
        .and.not.include(second);
    } finally {
      await mongo.stop();
    }
  });

  it('names arbiters, and is an error while too few members confirm writes', async () => {
    const mongo = await startMongo({ members: 3, arbiter: true });
    const [, second, arbiter] = mongo.nodes.map(({ port }) => `127.0.0.1:${port}`);
    try {
      const whole = await eventually(async () => {
        const found = await setOf(mongo.uri());
        return found?.message.includes('2 of 2 ') === true && found;
      }, 'two healthy members');
      expect(whole).to.include({ status: 'warning', advice: 'Replace the arbiters with data-bearing members.' });
      expect(whole.message).to.include(`confirm writes: ${arbiter}.`);
      await mongo.nodes[1]?.kill();
      const broken = await eventually(async () => {
        const found = await setOf(mongo.uri());
        return found?.status === 'error' && found;
      }, 'a member that is away');
      expect(broken.message)
        .to.include('1 of 2 data-bearing members healthy; a write needs 2 of them.')
        .and.include(`${second} (`);
    } finally {
      await mongo.stop();
    }
  });

  it('does not claim that members are healthy if its user cannot read that', async () => {
    const mongo = await startMongo({ failPoints: true });
    const client = await MongoClient.connect(mongo.uri());
    try {
      const data = { failCommands: ['replSetGetStatus'], errorCode: UNAUTHORIZED };
      await client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
      const finding = await setOf(mongo.uri());
      expect(finding?.message).to.include('rs0 has 1 data-bearing member with unknown health');
    } finally {
      await client.close();
      await mongo.stop();
    }
  });

  it('recommends rs.initiate() if the replica set is not initiated, for any form of the URL', async () => {
    const mongo = await startUninitiatedMongo();
    try {
      for (const options of ['?replicaSet=rs0', '', '?directConnection=true']) {
        const finding = await setOf(`mongodb://127.0.0.1:${mongo.port}/blazon${options}`);
        expect(finding, options).to.include({ status: 'error' });
        expect(finding?.advice).to.include('rs.initiate()');
      }
    } finally {
      await mongo.stop();
    }
  });

  it('finds nothing wrong with an ACL of Redis without INFO and CONFIG', async () => {
    const redis = await startRedis();
    const control = new Redis(redis.url);
    try {
      await control.call('ACL', 'SETUSER', 'limited', 'on', '>word', '~*', '&*', '+@all', '-info', '-config');
      const of = await examine({ redisUrl: `redis://limited:word@127.0.0.1:${redis.port}` });
      const name = `redis 127.0.0.1:${redis.port}`;
      expect(of('redis')).to.equal(undefined);
      expect(of(name)).to.include({
        status: 'ok',
        message: 'The server works, but does not allow reading its version.',
      });
      expect(of(`${name} clock`)).to.include({ status: 'ok' });
    } finally {
      control.disconnect();
      await redis.stop();
    }
  });

  it('names a Redis that is a replica', async () => {
    const redis = await startRedis();
    const control = new Redis(redis.url);
    try {
      await control.replicaof('127.0.0.1', (await shared.redis()).port);
      const finding = (await examine({ redisUrl: redis.url }))(`redis 127.0.0.1:${redis.port}`);
      expect(finding).to.include({ status: 'error' });
      expect(finding?.message).to.include('The server is a replica and rejects writes.');
    } finally {
      control.disconnect();
      await redis.stop();
    }
  });
});
