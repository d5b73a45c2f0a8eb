// Services whose Redis accepts only TLS connections with a password: alone, and as a cluster.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { from } from '../support/auth.js';
import { secretWatch } from '../support/secret-guard.js';
import { tokensIn } from '../support/secret-shapes.js';
import { startSecuredRedis, type SecuredRedis } from './secured-redis.js';
import { describeWithServers, shared } from '../support/servers.js';
import { clusterVariables, finalAnswer, statusOfKey, ICONS } from '../support/service-cluster.js';
import { endServices, launchService, startService } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

const COMMANDS = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
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
      const icons = join(folder.path, 'icons');
      mkdirSync(icons);
      writeFileSync(
        join(icons, `${ICONS[0]}.svg`),
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h20v24z"/></svg>',
      );
      const imported = launchService(variables, [process.execPath, COMMANDS, 'catalog', 'import', '--folder', icons]);
      expect(await imported.exit, imported.output()).to.equal(0);
      const [one, other] = await Promise.all([startService(variables), startService(variables)]);

      const registered = await fetch(`${one.base}/auth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...from() },
        body: JSON.stringify({ email: 'tls@example.com', password: PASSWORD }),
      });
      const text = await registered.text();
      secretWatch.remember(tokensIn(text));
      const { apiKey } = JSON.parse(text) as { readonly apiKey: string };
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
      // One that Redis had no time to answer may be counted.
      expect(endpoints.svg.used).to.be.within(REQUESTS, asked);
      expect(await redis.calls('evalsha')).to.be.at.least(REQUESTS);
    });

    if (count > 1) return;

    it('ends with 78 and one line without the password where certificate or password is wrong', async () => {
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
