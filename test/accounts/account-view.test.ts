// The operator's view of an account, as JSON and as text.
import { expect } from 'chai';
import { accountLines, accountTable, detailedViewOf, viewOf } from '../../src/accounts/account-view.command.js';
import type { Account } from '../../src/accounts/account.js';
import { auditEvents } from '../../src/accounts/audit-event.js';
import { BUCKETS } from '../../src/accounts/plan.js';
import { newPublishableKey } from '../../src/accounts/publishable-key.js';
import type { UsageReport } from '../../src/accounts/account-usage.js';
import type { UtcDay } from '../../src/platform/utc-day.js';
import { billingOf, signedInto, someAccount } from '../support/accounts.js';
import { DAY_MS, MINUTE_MS } from '../support/clock.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12, 30, 45));
const later = (ms: number) => new Date(AT.getTime() + ms);

describe("the operator's view of an account", () => {
  const { account: fresh, apiKey } = someAccount({ email: 'Ada@example.com', at: AT });
  const hint = apiKey.slice(-4);
  const ended = signedInto(fresh, later(-7 * DAY_MS)).account;
  const { account: signedIn, session } = signedInto(ended, AT);
  const settings = { name: 'Shop', origins: ['example.com', '*.example.org'], dailyLimit: 5 };
  const shop = { ...newPublishableKey(fresh.id, settings, AT), lastUsedAt: later(MINUTE_MS) };
  const open = newPublishableKey(fresh.id, { name: 'Any', origins: [], dailyLimit: null }, later(1));
  const full: Account = {
    ...signedIn,
    sessions: [...ended.sessions, { ...session, userAgent: 'Firefox', address: '192.0.2.0/24' }],
    key: { ...fresh.key!, lastUsedAt: later(2 * MINUTE_MS) },
    publishableKeys: [shop, open],
    ownBrands: { pages: 'a', count: 3, changes: 7 },
    tier: 'pro',
    billing: billingOf('1', { currentPeriodEnd: later(DAY_MS) }),
  };
  const endpoints = Object.fromEntries(
    BUCKETS.map((bucket, index) => [bucket, { used: index, limit: index === 0 ? null : 100 * index }]),
  ) as UsageReport['endpoints'];
  const usage = { date: '2026-05-01' as UtcDay, endpoints } as UsageReport;
  const events = auditEvents([{ type: 'authn_login_fail' }], {
    account: fresh,
    by: { kind: 'customer', address: '192.0.2.0/24' },
    at: later(MINUTE_MS),
  }).concat(
    auditEvents([{ type: 'authn_login_lock' }], { account: fresh, by: { kind: 'operator', address: null }, at: AT }),
  );
  const lines = (account: Account, at = AT) => accountLines(detailedViewOf({ account, events, usage }, at));

  it('has every field without hashes and whole keys', () => {
    const { raw: rawShop, ...shopRest } = shop;
    const { raw: rawOpen, ...openRest } = open;
    expect(viewOf(full, AT)).to.deep.equal({
      id: full.id,
      email: 'Ada@example.com',
      emailVerified: false,
      tier: 'pro',
      tierSource: 'stripe',
      subscription: full.billing?.subscription,
      customerId: 'cus_1',
      status: 'active',
      createdAt: AT,
      key: { hint, createdAt: AT, lastUsedAt: later(2 * MINUTE_MS) },
      publishableKeys: [
        { ...shopRest, hint: rawShop.slice(-4) },
        { ...openRest, hint: rawOpen.slice(-4) },
      ],
      liveSessions: 1,
      ownBrands: 3,
      pendingMails: 1,
    });
    const { usageToday, sessions, recentEvents, ...rest } = detailedViewOf({ account: full, events, usage }, AT);
    expect(rest).to.deep.equal(viewOf(full, AT));
    expect(usageToday).to.deep.equal({ date: '2026-05-01', endpoints });
    expect(sessions).to.deep.equal([
      {
        id: session.id,
        createdAt: AT,
        lastUsedAt: AT,
        expiresAt: later(7 * DAY_MS),
        userAgent: 'Firefox',
        address: '192.0.2.0/24',
      },
    ]);
    expect(recentEvents[1]).to.deep.equal({
      at: AT,
      type: 'authn_login_lock',
      message: 'The operator suspended the account.',
      by: { kind: 'operator', address: null },
      detail: null,
    });
  });

  it('has the status, and the tier that applies at the time', () => {
    expect(viewOf({ ...full, suspended: true }, AT).status).to.equal('suspended');
    expect(viewOf({ ...full, suspended: true, deleting: true }, AT).status).to.equal('being deleted');
    const ending = { ...full, billing: billingOf('1', { endsAt: later(DAY_MS) }) };
    expect(viewOf(ending, later(DAY_MS - 1))).to.include({ tier: 'pro', tierSource: 'stripe' });
    expect(viewOf(ending, later(DAY_MS))).to.include({ tier: 'free', tierSource: 'none' });
    expect(viewOf(fresh, AT)).to.deep.include({ customerId: null, subscription: null, ownBrands: 0, liveSessions: 0 });
  });

  it('is printed with its keys, usage, sessions and events', () => {
    expect(lines(full)).to.deep.equal([
      `Ada@example.com (${full.id})`,
      '  tier pro (stripe)   status active   e-mail not verified   since 2026-05-01',
      '  customer cus_1   subscription pro per month, active, until 2026-05-02 12:30',
      `  key …${hint}, last used 2026-05-01 12:32   unsent e-mails 1   own brands 3`,
      `  publishable key ${shop.id}   …${shop.raw.slice(-4)}   Shop   example.com *.example.org   5 per day   last used 2026-05-01 12:31`,
      `  publishable key ${open.id}   …${open.raw.slice(-4)}   Any   all pages   no daily limit   never used`,
      '  usage today (2026-05-01, UTC)',
      ...BUCKETS.map((bucket, index) => {
        const used = index === 0 ? '0 (no limit)' : `${index} of ${100 * index}`;
        return `    ${bucket.padEnd(8)} ${used}`;
      }),
      `  session ${session.id}   until 2026-05-08 12:30   192.0.2.0/24   Firefox`,
      '  2026-05-01 12:31   A wrong password was entered, at sign-in or to confirm a change.   192.0.2.0/24',
      '  2026-05-01 12:30   The operator suspended the account.   operator',
    ]);
    const bare = lines({ ...signedIn, key: null, emailVerified: true, operatorTier: 'internal', tier: 'internal' });
    expect(bare.slice(1, 3)).to.deep.equal([
      '  tier internal (operator)   status active   e-mail verified   since 2026-05-01',
      '  key none   unsent e-mails 1   own brands 0',
    ]);
    expect(bare).to.include(`  session ${session.id}   until 2026-05-08 12:30   -   -`);
    expect(lines(fresh)[1]).to.equal('  tier free   status active   e-mail not verified   since 2026-05-01');
  });

  it('is printed with the end of the subscription, its price and a pause of its payments', () => {
    const subscription = (given: Parameters<typeof billingOf>[1]) =>
      lines({ ...full, billing: billingOf('1', { currentPeriodEnd: later(DAY_MS), ...given }) })[2];
    expect(subscription({ endsAt: later(2 * DAY_MS) })).to.include('pro per month, active, ends 2026-05-03 12:30');
    expect(subscription({ plan: null })).to.include('sub_1 (price without a plan), active, until 2026-05-02 12:30');
    expect(subscription({ status: 'past_due', collectionPause: { resumesAt: null } })).to.match(
      /pro per month, past_due, until 2026-05-02 12:30, payment collection paused$/,
    );
    expect(lines({ ...full, billing: { ...billingOf('1'), subscription: null } })[2]).to.equal(
      '  customer cus_1   subscription none',
    );
  });

  it('is a row of a table, with the number of requests only if the accounts are sorted by it', () => {
    const view = viewOf(full, AT);
    const cells = (rows: string[]) => rows.map((row) => row.split(/ {2,}/).map((cell) => cell.trim()));
    expect(cells(accountTable([view, viewOf({ ...fresh, key: null }, AT)]))).to.deep.equal([
      ['ID', 'E-MAIL', 'TIER', 'STATUS', 'KEY', 'CREATED'],
      [full.id, 'Ada@example.com', 'pro', 'active', `…${hint}`, '2026-05-01'],
      [fresh.id, 'Ada@example.com', 'free', 'active', 'none', '2026-05-01'],
    ]);
    expect(
      cells(
        accountTable([
          { ...view, requests: 7 },
          { ...viewOf(fresh, AT), requests: 0 },
        ]),
      ),
    ).to.deep.equal([
      ['ID', 'E-MAIL', 'TIER', 'STATUS', 'KEY', 'CREATED', 'LAST USE', 'REQUESTS'],
      [full.id, 'Ada@example.com', 'pro', 'active', `…${hint}`, '2026-05-01', '2026-05-01', '7'],
      [fresh.id, 'Ada@example.com', 'free', 'active', `…${hint}`, '2026-05-01', 'never', '0'],
    ]);
  });
});
