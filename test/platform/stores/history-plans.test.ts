// Query plans of the histories. Reading some days of an account must use an index and read no other rows.
import { expect } from 'chai';
import { createEmbeddedUsageHistory } from '../../../src/metering/usage-history.sqlite.js';
import type { AccountId } from '../../../src/accounts/account.js';
import { NO_RESPONSES } from '../../../src/metering/day-responses.js';
import { addDays, utcDay } from '../../../src/platform/utc-day.js';
import { memoryAdmissionRecords } from '../../support/admission-records.js';
import { someAccount } from '../../support/accounts.js';
import { mongoAccountStores } from '../../support/mongo-stores.js';
import { queryPlans } from '../../support/query-plans.js';
import { recordStores } from '../../support/stores.js';
import { describeWithServers, shared } from '../../support/servers.js';
import { temporaryDatabase } from '../../support/temporary.js';

const DAY = utcDay(Date.UTC(2026, 4, 1));
const RANGE = { from: addDays(DAY, -2), to: DAY };

describe('records and histories in SQLite', () => {
  it('are only found by keys and indexes', async () => {
    const { db, close } = temporaryDatabase();
    const [id, now] = ['someaccount0' as AccountId, new Date()];
    const plans = await queryPlans(db, async (noted) => {
      createEmbeddedUsageHistory(noted);
      const { accounts, audit, paymentEvents, responses } = recordStores(noted);
      for (const work of ['expiry', 'mail', 'billing', 'deletion'] as const) await accounts.due(work, now, 10);
      await accounts.findByEmail('a');
      await accounts.findByCustomer('a');
      await accounts.passwordOf('a');
      await accounts.list({ limit: 10 });
      await audit.read(id, { limit: 10 });
      await audit.prune(now);
      await paymentEvents.claim(now, { limit: 10, claimMs: 1 });
      await paymentEvents.latest({ limit: 10, customerId: 'a' });
      await paymentEvents.unfinished();
      await paymentEvents.prune(now);
      await responses.add({ id: 'a', day: DAY, accounts: [{ accountId: id, ...NO_RESPONSES }] });
      await responses.range(id, RANGE);
      await responses.prune(DAY);
    });
    const details = plans.flatMap((plan) => plan.details);
    expect(details.length).to.be.at.least(25);
    const allowed = [
      /^SEARCH \w+ USING (COVERING )?(INDEX|PRIMARY KEY)/,
      /^SCAN paymentEvents USING (COVERING )?INDEX paymentEvents_(due|received)$/,
      /^(MULTI-INDEX OR|INDEX \d|LIST SUBQUERY|USE TEMP B-TREE|CO-ROUTINE|SCAN \(subquery|SCAN json_each VIRTUAL)/,
    ];
    for (const detail of details)
      expect(
        allowed.some((one) => one.test(detail)),
        detail,
      ).to.equal(true);
    close();
  });
});

describeWithServers('histories in MongoDB', ['mongod'], () => {
  interface Profiled {
    readonly ns: string;
    readonly planSummary: string;
    readonly docsExamined: number;
    readonly keysExamined: number;
  }

  it('only examine the documents that they return', async () => {
    const stores = await mongoAccountStores((await shared.mongo()).uri());
    const { db } = stores.mongo;
    const accounts = stores.accounts(memoryAdmissionRecords());
    const ids: AccountId[] = [];
    for (let count = 0; count < 5; count++) {
      const { account } = someAccount();
      await accounts.insert(account);
      ids.push(account.id);
    }
    for (let offset = -9; offset <= 0; offset++) {
      const day = addDays(DAY, offset);
      await stores.ledger.write(ids.map((accountId) => ({ accountId, day, rev: 1, used: { svg: 1 } })));
      const counted = ids.map((accountId) => ({ accountId, ...NO_RESPONSES }));
      await stores.responses.add({ id: day, day, accounts: counted });
    }
    await db.setProfilingLevel('all');
    expect(await stores.history(async () => []).range(ids[2]!, RANGE)).to.have.length(3);
    expect(await stores.responses.range(ids[2]!, RANGE)).to.have.length(3);
    await db.setProfilingLevel('off');
    const queries = await db.collection<Profiled>('system.profile').find({ op: 'query' }).toArray();
    const seen = queries.map(({ ns, planSummary, docsExamined }) => [ns.split('.')[1], planSummary, docsExamined]);
    expect(seen).to.have.deep.members([
      ['usage', 'IXSCAN { accountId: 1, day: 1 }', 3],
      ['responses', 'IXSCAN { _id: 1 }', 3],
    ]);
    await stores.close();
  });
});
