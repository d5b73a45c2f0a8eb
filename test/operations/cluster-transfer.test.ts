// Transfer of all data from SQLite to a cluster, and back. The target continues with the same state.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openClusterStores, openServiceStores } from '../../src/platform/stores/cluster-stores.js';
import { openRedis } from '../../src/platform/stores/redis/connection.js';
import { openCommandStores } from '../../src/platform/stores/open-stores.js';
import { FEATURES } from '../../src/features.js';
import { openClusterSide } from '../../src/operations/transfer-cluster.js';
import type { AccountId } from '../../src/accounts/account.js';
import type { AuditEvent } from '../../src/accounts/audit-event.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import { NO_RESPONSES } from '../../src/metering/day-responses.js';
import { DAY_MS, MINUTE_MS } from '../../src/platform/time.js';
import { addDays, utcDay } from '../../src/platform/utc-day.js';
import type { Slug } from '../../src/catalog/entry.js';
import type { CounterName } from '../../src/visitor-counters/counter.js';
import type { Credential } from '../../src/accounts/credential.js';
import type { Stores } from '../../src/platform/stores/stores.js';
import type { Side } from '../../src/operations/transfer.js';
import { someAccount } from '../support/accounts.js';
import { runCli, type CommandResult } from '../support/cli.js';
import { withPatience } from '../support/mongo-stores.js';
import {
  clusterVariables,
  importSmallCatalog,
  sharedAddresses,
  type ClusterAddresses,
} from '../support/service-cluster.js';
import { describeWithServers, startMongo } from '../support/servers.js';
import { embeddedIn } from '../support/stores.js';
import { temporaryDir } from '../support/temporary.js';

const ACCOUNTS = 450;
const TODAY = utcDay(Date.now());
const COUNTER = 'front' as CounterName;
const VISITOR = 'a'.repeat(32);
/** Own brands of an account: the list of brands, and one large drawing. */
const OWN_TEXTS = [
  { id: 'page0', text: '[]' },
  { id: 'drawing0', text: `<svg>${'x'.repeat(100_000)}</svg>` },
];
const eventsOf = (accountId: AccountId, ...ids: readonly string[]): AuditEvent[] =>
  ids.map((id) => ({ id, accountId, at: new Date(), type: 'user_updated', by: { kind: 'system', address: null } }));
const options = { features: FEATURES, now: Date.now, onError: () => undefined };

describeWithServers('a transfer', ['mongod', 'redis-server'], () => {
  withPatience();
  let root: ReturnType<typeof temporaryDir>;
  let addresses: ClusterAddresses;
  beforeEach(async () => {
    root = temporaryDir();
    addresses = await sharedAddresses();
  });
  afterEach(() => root.remove());

  const folder = (name: string) => join(root.path, name);
  const variables = (dataDir: string) => ({ ...clusterVariables(addresses), DATA_DIR: dataDir });
  const migrate = (dataDir: string, ...words: string[]) => runCli('migrate', words, variables(dataDir));
  const openCluster = () => openClusterStores({ ...addresses, ...options });
  const openEmbedded = (dataDir: string) => openCommandStores(embeddedIn(dataDir), options);

  /** Stores data of every kind. Returns the credential of the first account, which has used seven pictures today. */
  async function filled(dataDir: string): Promise<Credential> {
    await importSmallCatalog({ mongodbUri: '', redisUrl: '' }, dataDir);
    const stores = await openEmbedded(dataDir);
    const made = Array.from({ length: ACCOUNTS }, (_, index) =>
      someAccount({ tier: index % 2 === 0 ? 'free' : 'pro', suspended: index === 3 }),
    );
    for (const { account } of made) await stores.accounts.insert(account);
    const [{ account, apiKey }] = made as [ReturnType<typeof someAccount>];
    const credential = { accountId: account.id, keyHash: parseApiKey(apiKey)!.hash };
    for (let count = 0; count < 7; count++)
      await stores.admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
    const event = { id: 'evt_1', type: 'invoice.paid', customerId: 'cus_1', createdAt: new Date() };
    await stores.paymentEvents.add(event, new Date());
    const accounts = [{ accountId: account.id, ...NO_RESPONSES }];
    for (const day of [TODAY, addDays(TODAY, -1)]) await stores.responses.add({ id: `batch ${day}`, day, accounts });
    const names = [{ kind: 'domain', name: 'example.com', accounts: 1, requests: 2 }] as const;
    await stores.missingNames.put('first', { day: TODAY, names });
    await stores.ownBrandTexts.add(account.id, OWN_TEXTS);
    await stores.visitorCounters.seed(COUNTER, 41);
    await stores.visitorCounters.hit(COUNTER, VISITOR);
    await stores.catalog.withdraw('bolt' as Slug, 'asked for', new Date());
    await stores.close();
    return credential;
  }

  async function everyAccount(stores: Stores) {
    return stores.accounts.list({ limit: 2 * ACCOUNTS });
  }

  function expectEqual({ status, stdout, stderr }: CommandResult): void {
    expect(status, stderr).to.equal(0);
    const rows = stdout.split('\n').filter((row) => row.includes('…'));
    expect(rows).to.have.length.above(10);
    for (const row of rows) expect(row).to.match(/… equal$/);
  }

  it('copies everything to the cluster and back, and reports its comparisons', async () => {
    const credential = await filled(folder('old'));
    const migrated = await migrate(folder('old'), '--to', 'cluster');
    expectEqual(migrated);
    expect(migrated.stdout).to.match(new RegExp(`^accounts +${ACCOUNTS} +${ACCOUNTS} `, 'm'));
    const [old, cluster] = [await openEmbedded(folder('old')), await openCluster()];
    expect(await everyAccount(cluster)).to.deep.equal(await everyAccount(old));
    const admission = await cluster.admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
    expect(admission).to.have.nested.property('quota.used', 8);
    expect(await cluster.visitorCounters.read(COUNTER)).to.include({ total: 42, today: 1 });
    expect(await cluster.catalog.state()).to.include({ entries: 2 });
    expect((await cluster.catalog.find('bolt' as Slug)).kind).to.equal('withdrawn');
    expect(await cluster.paymentEvents.unfinished()).to.equal(1);
    const ids = OWN_TEXTS.map(({ id }) => id);
    const texts = await cluster.ownBrandTexts.get(credential.accountId, ids);
    expect([...texts]).to.have.deep.members(OWN_TEXTS.map(({ id, text }) => [id, text]));
    expect(await cluster.missingNames.range(ALL_DAYS)).to.deep.equal(await old.missingNames.range(ALL_DAYS));
    await Promise.all([old.close(), cluster.close()]);

    expectEqual(await migrate(folder('new'), '--to', 'embedded'));
    const back = await openEmbedded(folder('new'));
    const counted = await back.admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
    expect(counted).to.have.nested.property('quota.used', 9);
    expect(await everyAccount(back)).to.have.length(ACCOUNTS);
    expect(await back.ownBrandTexts.ids(credential.accountId)).to.have.members(['page0', 'drawing0']);
    expect((await back.catalog.find('acme' as Slug)).kind).to.equal('entry');
    await back.close();
    expect(readdirSync(folder('new')).filter((name) => name.startsWith('.incoming'))).to.deep.equal([]);
  });

  it('copies the usage that a killed process has counted but not written', async () => {
    const credential = await filled(folder('old'));
    expectEqual(await migrate(folder('old'), '--to', 'cluster'));
    // Simulates a process that was killed a minute ago. Redis has its counts, and a mark that they are not yet written
    // to MongoDB.
    const redis = await openRedis(addresses.redisUrl);
    const { accountId } = credential;
    const day = Math.floor(Date.now() / DAY_MS);
    await redis.send('hset', `{${accountId}}:usage`, `${day}:svg`, 20, `${day}:rev`, 20);
    await redis.send('zadd', 'usage:dirty:3', Date.now() - MINUTE_MS, `${accountId} killed`);
    await redis.close();

    expectEqual(await migrate(folder('new'), '--to', 'embedded'));
    const back = await openEmbedded(folder('new'));
    const counted = await back.admissions.admit({ ...credential, bucket: 'svg', charge: 'count' });
    expect(counted).to.have.nested.property('quota.used', 21);
    await back.close();
  });

  it('writes nothing with --dry-run, and names obstacles', async () => {
    await filled(folder('old'));
    const rehearsed = await migrate(folder('old'), '--to', 'cluster', '--dry-run');
    expect(rehearsed).to.include({ status: 0, stderr: '' });
    expect(rehearsed.stdout).to.match(new RegExp(`^ +${ACCOUNTS} accounts$`, 'm'));
    expect(rehearsed.stdout).to.include('Ready to migrate');
    const cluster = await openServiceStores({ ...addresses, ...options });
    expect(await everyAccount(cluster)).to.deep.equal([]);
    const busy = await migrate(folder('old'), '--to', 'cluster', '--dry-run');
    expect(busy.stdout).to.match(/Not possible yet: REDIS_URL: 1 process is using it/);
    await cluster.close();
  });

  it('is rejected while a process of either side serves', async () => {
    await filled(folder('old'));
    const cluster = await openServiceStores({ ...addresses, ...options });
    const served = await migrate(folder('old'), '--to', 'cluster');
    expect(served).to.include({ status: 78, stdout: '' });
    expect(served.stderr).to.match(/^REDIS_URL: 1 process is using it/);
    expect((await migrate(folder('new'), '--to', 'embedded')).stderr).to.match(/^REDIS_URL: 1 process is using it/);
    await cluster.close();
    const { openServiceStores: openService } = await import('../../src/platform/stores/embedded-stores.js');
    const service = await openService({ dataDir: folder('old'), ...options });
    expect((await migrate(folder('old'), '--to', 'cluster')).stderr).to.match(/^DATA_DIR: a Blazon process is using/);
    await service.close();
    // The rejected attempts must not leave data that blocks another transfer.
    expectEqual(await migrate(folder('old'), '--to', 'cluster'));
  });

  it('replaces no accounts in the cluster, and no database in DATA_DIR unless it may keep it', async () => {
    await filled(folder('old'));
    expectEqual(await migrate(folder('old'), '--to', 'cluster'));
    const again = await migrate(folder('old'), '--to', 'cluster');
    expect(again).to.include({ status: 78, stdout: '' });
    expect(again.stderr).to.match(/^MONGODB_URI: the database already has accounts/);
    const taken = await migrate(folder('old'), '--to', 'embedded');
    expect(taken).to.include({ status: 78, stdout: '' });
    expect(taken.stderr).to.match(/^DATA_DIR: .+ exists\. .+ --replace/);
    expectEqual(await migrate(folder('old'), '--to', 'embedded', '--replace'));
    expect(readdirSync(folder('old')).filter((name) => name.startsWith('replaced-'))).to.have.length(1);
  });

  it('restores a backup into the cluster, and backs the cluster up', async () => {
    await filled(folder('old'));
    const file = join(root.path, 'one.sqlite');
    expect((await runCli('backup', [file], { DATA_DIR: folder('old') })).status).to.equal(0);
    expectEqual(await runCli('restore', [file], variables(folder('scratch'))));
    const other = join(root.path, 'other.sqlite');
    expect((await runCli('backup', [other], variables(folder('scratch')))).status).to.equal(0);
    expect((await runCli('restore', [other], { DATA_DIR: folder('restored') })).status).to.equal(0);
    const [first, last] = [await openEmbedded(folder('old')), await openEmbedded(folder('restored'))];
    expect(await everyAccount(last)).to.deep.equal(await everyAccount(first));
    await Promise.all([first.close(), last.close()]);
  });

  it('replaces a cluster by a backup with --replace, and keeps its collections under other names', async () => {
    const restored = await filled(folder('old'));
    const file = join(root.path, 'one.sqlite');
    expect((await runCli('backup', [file], { DATA_DIR: folder('old') })).status).to.equal(0);
    const before = await openCluster();
    const { account, apiKey } = someAccount();
    await before.accounts.insert(account);
    const lost: Credential = { accountId: account.id, keyHash: parseApiKey(apiKey)!.hash };
    const count = { bucket: 'svg', charge: 'count' } as const;
    // After these requests, Redis has a record of both accounts. `lost`, which the restore will remove, also has usage.
    // `restored` is not in the database before the restore, so its request is rejected. Its record says that the
    // account does not exist.
    expect(await before.admissions.admit({ ...lost, ...count })).to.have.property('rejected', null);
    expect(await before.admissions.admit({ ...restored, ...count })).to.have.property('rejected', 'key');
    await before.visitorCounters.seed('gone' as CounterName, 5);
    await before.close();

    const refused = await runCli('restore', [file], variables(folder('scratch')));
    expect(refused).to.include({ status: 78, stdout: '' });
    expect(refused.stderr).to.match(/^MONGODB_URI: the database already has accounts\. .+ --replace/);
    const replaced = await runCli('restore', [file, '--replace'], variables(folder('scratch')));
    expectEqual(replaced);
    const prefix = /The previous database is now in the collections that start with (replaced-\S+-)\./.exec(
      replaced.stdout,
    )?.[1];

    const after = await openCluster();
    expect(await everyAccount(after)).to.have.length(ACCOUNTS);
    expect(await after.admissions.admit({ ...lost, ...count })).to.have.property('rejected', 'key');
    expect(await after.admissions.admit({ ...restored, ...count })).to.have.nested.property('quota.used', 8);
    expect(await after.visitorCounters.read(COUNTER)).to.include({ total: 42 });
    expect(await after.visitorCounters.read('gone' as CounterName)).to.not.include({ total: 5 });
    await after.close();
    const client = await MongoClient.connect(addresses.mongodbUri);
    const kept = await client.db().collection(`${prefix}accounts`).find().toArray();
    expect(kept.map(({ _id }) => String(_id))).to.deep.equal([account.id]);
    const indexes = await client.db().collection('accounts').indexes();
    expect(indexes.map(({ name }) => name)).to.include('email');
    await client.close();
    // A second restore must work: the database is no longer marked as incomplete, and the renamed collections do not
    // block it.
    expectEqual(await runCli('restore', [file, '--replace'], variables(folder('scratch'))));
  });

  it('backs up every event of a running cluster, including events in account documents', async () => {
    const accounts = [someAccount().account, someAccount().account].sort((one, other) => (one.id < other.id ? -1 : 1));
    const dying = await openCluster();
    for (const { id } of accounts) await dying.audit.append(eventsOf(id, 'b', 'c'));
    for (const account of accounts) await dying.accounts.insert(account, eventsOf(account.id, 'a', 'd'));
    // Simulates a process that ended while it moved events to the audit log: one event is in the audit log and in the
    // account document.
    await dying.close();
    const client = await MongoClient.connect(addresses.mongodbUri);
    const carried = await client
      .db()
      .collection('accounts')
      .countDocuments({ 'events.1': { $exists: true } });
    expect(carried).to.equal(2);
    const running = await openCluster();
    await running.audit.append(eventsOf(accounts[0]!.id, 'a'));
    const file = join(root.path, 'one.sqlite');
    const { status, stderr } = await runCli('backup', [file], variables(folder('scratch')));
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '2 accounts\n8 security events\n' });
    expect((await runCli('restore', [file], { DATA_DIR: folder('restored') })).status).to.equal(0);
    const embedded = await openEmbedded(folder('restored'));
    for (const { id } of accounts)
      expect((await embedded.audit.read(id, { limit: 10 })).map((event) => event.id)).to.deep.equal([
        'd',
        'c',
        'b',
        'a',
      ]);
    await Promise.all([embedded.close(), running.close(), client.close()]);
  });

  it('reads a consistent snapshot of accounts, their events and own brands', async () => {
    const running = await openCluster();
    const { account } = someAccount();
    await running.ownBrandTexts.add(account.id, OWN_TEXTS);
    await running.accounts.insert({ ...account, ownBrands: { pages: 'page0', count: 1, changes: 1 } });
    const side = await openClusterSide(addresses);
    const read = (from: Side, name: string, after: string) =>
      from.tables.find((table) => table.name === name)!.read(after, 1);
    await side.atOneMoment(async (still) => {
      expect(await read(still, 'accounts', '')).to.have.nested.property('[0].ownBrands.pages', 'page0');
      // While the transfer reads the snapshot, the running service removes the account's brands and records an event.
      await running.accounts.save(
        { ...account, version: account.version + 1, ownBrands: null },
        eventsOf(account.id, 'later'),
      );
      await running.ownBrandTexts.remove(account.id, ['page0', 'drawing0']);
      const first = `${account.id}:drawing0`;
      expect(await read(still, 'texts of own brands', '')).to.have.nested.property('[0].id', first);
      expect(await read(still, 'texts of own brands', first)).to.have.nested.property('[0].id', `${account.id}:page0`);
      expect(await read(still, 'security events', '')).to.deep.equal([]);
    });
    expect(await read(side, 'texts of own brands', '')).to.deep.equal([]);
    expect(await read(side, 'security events', '')).to.have.nested.property('[0].id', `${account.id}:later`);
    await Promise.all([side.close(), running.close()]);
  });

  it("explains what to do when MongoDB's snapshots expire before the backup ends", async () => {
    const mongo = await startMongo({ failPoints: true });
    const mongodbUri = mongo.uri();
    const of = { ...clusterVariables({ ...addresses, mongodbUri }), DATA_DIR: folder('scratch') };
    const client = await MongoClient.connect(mongodbUri);
    try {
      const data = { failCommands: ['find'], namespace: `${client.db().databaseName}.accounts`, errorCode: 239 };
      await client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'alwaysOn', data });
      const file = join(root.path, 'one.sqlite');
      const { status, stderr } = await runCli('backup', [file], of);
      expect(status).to.equal(1);
      expect(stderr).to.match(/^\S+one.sqlite cannot be written: .+ minSnapshotHistoryWindowInSeconds.+\n$/);
      expect(existsSync(file)).to.equal(false);
    } finally {
      await client.close();
      await mongo.stop();
    }
  });

  it('needs a cluster, and a database', async () => {
    const alone = await runCli('migrate', ['--to', 'cluster'], { DATA_DIR: folder('old') });
    expect(alone).to.include({ status: 78, stdout: '' });
    expect(alone.stderr).to.match(/^MONGODB_URI, REDIS_URL: must be set to the cluster/);
    const empty = await migrate(folder('none'), '--to', 'cluster');
    expect(empty.stderr).to.match(/^DATA_DIR: there is no database/);
    expect(existsSync(join(folder('none'), 'blazon.sqlite'))).to.equal(false);
    writeFileSync(folder('file'), '');
    expect((await migrate(folder('file'), '--to', 'cluster')).status).to.equal(78);
  });
});
