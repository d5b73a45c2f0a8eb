// Export of an account: one page of records is read at a time, and one export runs at a time.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { auditEvents } from '../../src/accounts/audit-event.js';
import type { Account } from '../../src/accounts/account.js';
import type { AuditLog } from '../../src/accounts/audit-log.js';
import { EXPORT_PAGE, createAccountData, type ExportPart, type AccountData } from '../../src/accounts/account-data.js';
import { AppError } from '../../src/platform/errors.js';
import type { Caller } from '../../src/accounts/sessions.js';
import { openTestAccounts, rejection, someClient, type TestAccounts } from '../support/account-services.js';
import { someSignedIn } from '../support/accounts.js';

const EVENTS = 10 * EXPORT_PAGE;

describe('the export of an account', () => {
  let parts: TestAccounts;
  let own: AccountData;
  let caller: Caller;
  /** Number of records in each page that was read. */
  let read: number[];
  let failAt: number;
  let isFull: boolean;
  beforeEach(async () => {
    parts = await openTestAccounts();
    read = [];
    failAt = Infinity;
    isFull = false;
    caller = await customer();
    const audit: AuditLog = {
      ...parts.audit,
      append: (events) => (isFull ? Promise.reject(new AppError('unavailable')) : parts.audit.append(events)),
      async read(...given) {
        if (read.length === failAt) throw new Error('the store is gone');
        const events = await parts.audit.read(...given);
        read.push(events.length);
        return events;
      },
    };
    own = createAccountData({
      ...parts.accountContext,
      sessions: parts.sessions,
      audit,
      now: Date.now,
    });
  });
  afterEach(() => parts.close());

  async function customer(): Promise<Caller> {
    const { account, session } = someSignedIn();
    await parts.accounts.insert(account);
    await parts.audit.append(eventsOf(account));
    return { account, session };
  }
  function eventsOf(account: Account) {
    const at = Date.now() - EVENTS;
    return Array.from({ length: EVENTS }, (_, index) =>
      auditEvents([{ type: 'authn_login_fail' }], {
        account,
        by: { kind: 'customer', address: null },
        at: new Date(at + index),
      }),
    ).flat();
  }
  const begin = () => own.export(caller, someClient(), []);
  async function eventIds(parts: AsyncIterable<ExportPart>): Promise<string[]> {
    const ids: string[] = [];
    for await (const part of parts) if (part.kind === 'activity') ids.push(...part.events.map(({ id }) => id));
    return ids;
  }

  it('has every event once, newest first, including its own', async () => {
    const ids = await eventIds(await begin());
    expect(ids).to.have.length(EVENTS + 1);
    expect(ids).to.deep.equal([...new Set(ids)].sort().reverse());
  });

  it('is recorded with the time and the network of the customer', async () => {
    await begin();
    const [event] = await parts.audit.read(caller.account.id, { limit: 1 });
    const { type, by, at } = event!;
    expect({ type, by }).to.deep.equal({
      type: 'sensitive_read',
      by: { kind: 'customer', address: '192.0.2.0/24' },
    });
    expect(Date.now() - at.getTime()).to.be.within(0, 60_000);
  });

  it('does not start if it cannot be recorded, and can then be requested again', async () => {
    isFull = true;
    for (let count = 0; count < 2; count++) expect(await rejection(begin())).to.equal('unavailable');
    isFull = false;
    const exported = await begin();
    expect(await begin().catch((error: unknown) => error)).to.include({
      code: 'rate_limited',
      retryAfterSeconds: 10,
    });
    await exported.return();
  });

  it('lets other work run between two pages', async () => {
    let [turns, hasEnded] = [0, false];
    const ids = eventIds(await begin()).finally(() => (hasEnded = true));
    for (; !hasEnded; turns++) await nextTurn();
    expect(turns).to.be.at.least(EVENTS / EXPORT_PAGE - 1);
    await ids;
  });

  it('reads each page only when it is requested', async () => {
    const exported = await begin();
    await exported.next();
    expect(read).to.deep.equal([]);
    for (let page = 1; page <= 5; page++) {
      const { value } = await exported.next();
      expect(value).to.have.property('events').with.length(EXPORT_PAGE);
      expect(read).to.deep.equal(Array.from({ length: page }, () => EXPORT_PAGE + 1));
    }
    await exported.return();
    expect(read).to.have.length(5);
  });

  it('runs once at a time per account, until it ends, is abandoned, or fails', async () => {
    const endings: readonly ((exported: AsyncGenerator<ExportPart, void>) => Promise<unknown>)[] = [
      eventIds,
      (exported) => exported.return(),
      async (exported) => {
        failAt = read.length;
        expect(await rejection(eventIds(exported))).to.match(/the store is gone/);
        failAt = Infinity;
      },
    ];
    for (const end of endings) {
      const exported = await begin();
      await exported.next();
      const before = (await parts.audit.read(caller.account.id, { limit: 1 }))[0]?.id;
      expect(await rejection(begin())).to.equal('rate_limited');
      expect(
        (await parts.audit.read(caller.account.id, { limit: 1 }))[0]?.id,
        'what is rejected is not on record',
      ).to.equal(before);
      await (await own.export(await customer(), someClient(), [])).next();
      await end(exported);
    }
    expect(await Promise.all([rejection(begin()), rejection(begin())]), 'of two at once').to.have.members([
      'no rejection',
      'rate_limited',
    ]);
  });
});
