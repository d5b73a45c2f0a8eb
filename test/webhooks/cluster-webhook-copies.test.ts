// Webhooks in copies of all data: `migrate`, `backup` and `restore` keep the endpoints, deliveries and queues.
import { join } from 'node:path';
import { expect } from 'chai';
import { FEATURES } from '../../src/features.js';
import { openClusterStores } from '../../src/platform/stores/cluster-stores.js';
import { openCommandStores } from '../../src/platform/stores/open-stores.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import { newDelivery, tried } from '../../src/webhooks/delivery.js';
import { addEndpoint, endpointIn } from '../../src/webhooks/endpoint.js';
import { newSecret } from '../../src/webhooks/signing-secret.js';
import { someAccount } from '../support/accounts.js';
import { runCli, type CommandResult } from '../support/cli.js';
import { withPatience } from '../support/mongo-stores.js';
import {
  clusterVariables,
  importSmallCatalog,
  sharedAddresses,
  type ClusterAddresses,
} from '../support/service-cluster.js';
import { describeWithServers } from '../support/servers.js';
import { embeddedIn } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const options = { features: FEATURES, now: Date.now, onError: () => undefined };

describeWithServers('copies of webhooks', ['mongod', 'redis-server'], () => {
  withPatience();
  let root: ReturnType<typeof temporaryDir>;
  let addresses: ClusterAddresses;
  beforeEach(async () => {
    root = temporaryDir();
    addresses = await sharedAddresses();
  });
  afterEach(() => root.remove());

  const folder = (name: string) => join(root.path, name);
  const openEmbedded = (name: string) => openCommandStores(embeddedIn(folder(name)), options);
  const done = ({ status, stdout, stderr }: CommandResult): string => {
    expect(status, stderr).to.equal(0);
    return stdout;
  };

  /** Stores an account with an endpoint, a delivered and a pending delivery, and a queue whose requests fail. */
  async function filled(stores: Stores) {
    const { account } = someAccount();
    const settings = { url: 'https://example.com/hook', kinds: ['webhook.test'], description: 'Team' } as const;
    const added = addEndpoint(account, settings, newSecret(['any secret']).stored, AT);
    await stores.accounts.insert(added.account);
    const [first, second] = ['1', '2'].map((end) =>
      newDelivery(added.result, {
        ...{ id: `evt_${end.padStart(18, '0')}`, kind: 'webhook.test', atMs: AT.getTime(), data: { webhookId: end } },
      }),
    );
    const { webhookDeliveries } = stores;
    await webhookDeliveries.add([first!, second!]);
    const lastTry = { at: AT, httpStatus: 204, durationMs: 3, response: 'ok', retryAfterMs: undefined };
    await webhookDeliveries.save({ ...tried(first!, lastTry, 0), version: 2 });
    const [queue] = await webhookDeliveries.claim(AT, { limit: 1, claimMs: 1000 });
    await webhookDeliveries.release({ ...queue!, failingSince: AT });
    return { id: account.id, endpointId: added.result.id };
  }

  /** Returns everything that is stored about the webhooks of an account. Claims the account's queues to read them. */
  async function stored(
    { accounts, webhookDeliveries }: Stores,
    { id, endpointId }: Awaited<ReturnType<typeof filled>>,
  ) {
    const account = await accounts.find(id);
    return {
      endpoint: account && endpointIn(account, endpointId),
      deliveries: await webhookDeliveries.list(id, { limit: 10 }),
      queues: await webhookDeliveries.claim(AT, { limit: 10, claimMs: 1000 }),
    };
  }

  it('have the same rows after a migration to the cluster, and after a restored backup', async () => {
    await importSmallCatalog({ mongodbUri: '', redisUrl: '' }, folder('old'));
    const old = await openEmbedded('old');
    const ids = await filled(old);
    await old.close();
    done(await runCli('backup', [folder('copy.sqlite')], { DATA_DIR: folder('old') }));
    done(await runCli('restore', [folder('copy.sqlite')], { DATA_DIR: folder('new') }));
    const variables = { ...clusterVariables(addresses), DATA_DIR: folder('old') };
    const report = done(await runCli('migrate', ['--to', 'cluster'], variables));
    expect(report).to.match(/^webhook deliveries +2 +2 /m);
    expect(report).to.match(/^webhook queues +1 +1 /m);

    const opened = [
      await openEmbedded('old'),
      await openEmbedded('new'),
      await openClusterStores({ ...addresses, ...options }),
    ];
    const copies = [];
    for (const stores of opened) {
      copies.push(await stored(stores, ids));
      await stores.close();
    }
    const [first, ...others] = copies;
    expect(first?.endpoint).to.include({ url: 'https://example.com/hook', description: 'Team' });
    expect(first?.deliveries.map(({ status }) => status)).to.deep.equal(['pending', 'delivered']);
    expect(first?.queues.map(({ id, failingSince }) => [id, failingSince])).to.deep.equal([[ids.endpointId, AT]]);
    for (const copy of others) expect(copy).to.deep.equal(first);
  });
});
