// Contract tests that need both MongoDB and Redis, for a single Redis and for Redis Cluster.
import { createAdmissionRecords } from '../../../src/metering/admission-records.redis.js';
import { openRedis } from '../../../src/platform/stores/redis/connection.js';
import { createRedisQuotaAdmissions } from '../../../src/metering/quota-admissions.redis.js';
import type { Clock } from '../../support/clock.js';
import { mongoAccountStores, withPatience } from '../../support/mongo-stores.js';
import { describeWithServers, shared } from '../../support/servers.js';
import { accountStoreContract } from '../../accounts/account-store.contract.js';
import { publishableAdmissionsContract } from '../../metering/publishable-admissions.contract.js';
import { admissionsContract, PLANS, storedLastUse } from '../../metering/quota-admissions.contract.js';
import { usageHistoryContract } from '../../metering/usage-history.contract.js';

const REDIS = {
  Redis: async () => (await shared.redis()).url,
  'Redis Cluster': async () => (await shared.redisCluster()).url,
};

/**
 * Opens the stores of one process with a new MongoDB database. All tests can use the same Redis, because the ids of
 * their accounts differ.
 */
async function openParts(redisUrl: string, now: () => number) {
  const mongo = await mongoAccountStores((await shared.mongo()).uri());
  const redis = await openRedis(redisUrl);
  const { source, ledger, audit, table } = mongo;
  const admissions = createRedisQuotaAdmissions({ redis, accounts: source, ledger, plans: PLANS, now });
  const accounts = mongo.accounts(createAdmissionRecords(redis));
  return {
    accounts,
    audit,
    table,
    admissions,
    flush: admissions.flush,
    lastUse: storedLastUse({ accounts }),
    history: mongo.history((id) => admissions.liveUsage(id)),
    async close() {
      await admissions.close();
      await redis.close();
      await mongo.close();
    },
  };
}

for (const [name, urlOf] of Object.entries(REDIS)) {
  const family = `MongoDB and ${name}`;
  describeWithServers(family, ['mongod', 'redis-server'], () => {
    withPatience();
    for (const suite of [accountStoreContract, admissionsContract, publishableAdmissionsContract, usageHistoryContract])
      suite(family, async ({ now }: Clock) => openParts(await urlOf(), now));
  });
}
