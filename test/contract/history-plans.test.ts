// Query plans of the histories: a range of days of one account is read through an index, and nothing else is.
import { expect } from 'chai';
import { createEmbeddedUsageHistory } from '../../src/adapters/embedded/accounts/usage-history.js';
import type { AccountId } from '../../src/domain/account/account.js';
import { NO_RESPONSES } from '../../src/domain/metering/day-responses.js';
import { addDays, utcDay } from '../../src/domain/metering/utc-day.js';
import { memoryAdmissionRecords } from '../support/admission-records.js';
import { someAccount } from '../support/accounts.js';
import { mongoAccountStores } from '../support/mongo-stores.js';
import { queryPlans } from '../support/query-plans.js';
import { recordStores } from '../support/stores.js';
import { describeWithServers, shared } from '../support/servers.js';
import { temporaryDatabase } from '../support/temporary.js';

const DAY = utcDay(Date.UTC(2026, 4, 1));
const RANGE = { from: addDays(DAY, -2), to: DAY };

describe('histories in SQLite', () => {
  it('search usage by the primary key in every statement, and scan nothing', async () => {
    const { db, close } = temporaryDatabase();
    const details = (await queryPlans(db, createEmbeddedUsageHistory)).flatMap((plan) => plan.details);
    expect(details.length).to.be.at.least(4);
    for (const detail of details) expect(detail).to.match(/^SEARCH \w+ USING PRIMARY KEY \(/);
    close();
  });

  it('search responses by a key in every statement, and scan nothing but lists that are given', async () => {
    const { db, close } = temporaryDatabase();
    const id = 'someaccount0' as AccountId;
    const plans = await queryPlans(db, async (noted) => {
      const { responses } = recordStores(noted);
      await responses.add({ id: 'a', day: DAY, accounts: [{ accountId: id, ...NO_RESPONSES }] });
      await responses.range(id, RANGE);
      await responses.prune(DAY);
    });
    const details = plans.flatMap((plan) => plan.details);
    expect(details.length).to.be.at.least(6);
    for (const detail of details)
      expect(detail).to.match(
        /^(SEARCH \w+ USING (PRIMARY KEY|(COVERING )?INDEX) .*\(|LIST SUBQUERY|SCAN json_each VIRTUAL)/,
      );
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

  it('examine the documents that they return, and no others', async () => {
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
