// Services with a Redis that accepts only TLS connections with a password, for a single Redis and for Redis Cluster.
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { writeIcons } from '../../support/catalog-imports.js';
import { startSecuredRedis, type SecuredRedis } from './secured-redis.js';
import { describeWithServers, shared } from '../../support/servers.js';
import { clusterVariables, finalAnswer, statusOfKey, ICONS } from '../../support/service-cluster.js';
import { endServices, launchService, registerAt, startService } from '../../support/service-process.js';
import { temporaryDir } from '../../support/temporary.js';

const COMMANDS = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));
const REQUESTS = 20;

for (const [name, count] of [
  ['one server', 1],
  ['a cluster', 3],
] as const) {
  describeWithServers(`Redis with TLS and a password: ${name}`, ['mongod', 'redis-server'], function () {
    let redis: SecuredRedis;
    let folder: ReturnType<typeof temporaryDir>;
    const cleaning: (() => void | Promise<void>)[] = [];
    let variables: Readonly<Record<string, string>>;

    before(async function () {
      const started = await startSecuredRedis(count);
      if (started === undefined) return this.skip();
      redis = started;
      folder = temporaryDir();
      cleaning.push(redis.stop, folder.remove);
      const mongodbUri = (await shared.mongo()).uri();
      variables = {
        ...clusterVariables({ mongodbUri, redisUrl: redis.url() }),
        DATA_DIR: folder.path,
        NODE_EXTRA_CA_CERTS: redis.certificate,
      };
    });
    afterEach(endServices);
    after(async () => {
      for (const clean of cleaning) await clean();
    });

    it('serves, counts, and imports a catalog', async () => {
      const icons = writeIcons(folder.path, ICONS.slice(0, 1));
      const imported = launchService(variables, [process.execPath, COMMANDS, 'catalog', 'import', '--folder', icons]);
      expect(await imported.exit, imported.output()).to.equal(0);
      const [one, other] = await Promise.all([startService(variables), startService(variables)]);

      const { apiKey } = await registerAt(one.base);
      let asked = 0;
      for (let at = 0; at < REQUESTS; at++) {
        const { base } = at % 2 === 0 ? one : other;
        const status = await finalAnswer(() => {
          asked++;
          return statusOfKey(base, apiKey);
        });
        expect(status).to.equal(200);
      }
      const usage = await fetch(`${other.base}/v1/usage`, { headers: { 'X-API-Key': apiKey } });
      const { endpoints } = (await usage.json()) as { endpoints: { svg: { used: number } } };
      // If the response of Redis was too late, Redis may have counted a rejected request.
      expect(endpoints.svg.used).to.be.within(REQUESTS, asked);
      expect(await redis.calls('evalsha')).to.be.at.least(REQUESTS);
    });

    if (count > 1) return;

    it('ends with 78 and one line without the password if certificate or password is wrong', async () => {
      const untrusting = launchService({ ...variables, NODE_EXTRA_CA_CERTS: '' });
      const rejected = launchService({ ...variables, REDIS_URL: redis.url('another-password') });
      for (const { exit, output } of [untrusting, rejected]) {
        expect(await exit).to.equal(78);
        expect(output().trim().split('\n')).to.have.length(1);
        expect(output()).to.include('127.0.0.1').and.not.include('another-password');
      }
      expect(untrusting.output()).to.include('certificate');
    });
  });
}
