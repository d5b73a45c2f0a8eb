// The contract suites that need MongoDB and Redis together, on a single Redis and on Redis Cluster.
import { readPlans } from '../../config/plans.js';
import { createAdmissionRecords } from '../../src/adapters/redis/accounts/admission-records.js';
import { openRedis } from '../../src/adapters/redis/connection.js';
import { createRedisQuotaAdmissions } from '../../src/adapters/redis/accounts/quota-admissions.js';
import type { Plans } from '../../src/domain/metering/plan.js';
import { mongoAccountStores, withPatience } from '../support/mongo-stores.js';
import { describeWithServers, shared } from '../support/servers.js';
import { writtenAtOnce } from '../support/written-at-once.js';
import { accountStoreContract } from './account-store.contract.js';
import { publishableAdmissionsContract } from './publishable-admissions.contract.js';
import { admissionsContract, PLANS, storedLastUse, type OpenAdmissions } from './quota-admissions.contract.js';
import { usageHistoryContract } from './usage-history.contract.js';

const REDIS = {
  Redis: async () => (await shared.redis()).url,
  'Redis Cluster': async () => (await shared.redisCluster()).url,
};

/** As one process has them, over a MongoDB database of its own. Accounts have ids of their own in Redis. */
async function openParts(redisUrl: string, plans: Plans, now: () => number) {
  const mongo = await mongoAccountStores((await shared.mongo()).uri());
  const redis = await openRedis(redisUrl);
  const { source, ledger } = mongo;
  const admissions = createRedisQuotaAdmissions({ redis, accounts: source, ledger, plans, now });
  const accounts = mongo.accounts(createAdmissionRecords(redis));
  return {
    mongo,
    accounts,
    admissions,
    flush: admissions.flush,
    lastUse: storedLastUse({ accounts }),
    writtenAtOnce: writtenAtOnce(admissions),
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
    accountStoreContract(family, async ({ now }) => {
      const parts = await openParts(await urlOf(), readPlans(), now);
      const { mongo, accounts: store, writtenAtOnce: admissions } = parts;
      return { store, audit: mongo.audit, admissions, close: () => parts.close() };
    });

    const openAdmissions: OpenAdmissions = async ({ now }) => openParts(await urlOf(), PLANS, now);
    admissionsContract(family, openAdmissions);
    publishableAdmissionsContract(family, openAdmissions);

    usageHistoryContract(family, async ({ now }) => {
      const parts = await openParts(await urlOf(), readPlans(), now);
      const { mongo, accounts, admissions, writtenAtOnce } = parts;
      return {
        history: mongo.history((id) => admissions.liveUsage(id)),
        accounts,
        admissions: writtenAtOnce,
        close: () => parts.close(),
      };
    });
  });
}
