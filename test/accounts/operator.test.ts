// Accounts that the operator creates and finds, and their latest security events.
import { expect } from 'chai';
import { auditEvents, type AuditFact } from '../../src/accounts/audit-event.js';
import { makeResetLink } from '../../src/accounts/changes/email-links.js';
import { openTestAccounts, rejection, type TestAccounts } from '../support/account-services.js';
import { clockAt, MINUTE_MS } from '../support/clock.js';
import { OPERATOR } from '../support/accounts.js';

describe('the operator', () => {
  const clock = clockAt();
  let parts: TestAccounts;
  beforeEach(async () => {
    parts = await openTestAccounts({ now: clock.now, mails: 'by the job' });
  });
  afterEach(() => parts.close());

  it('creates an account that is not signed in, with a reset link of half an hour', async () => {
    const { account, resetLink } = await parts.operator.create('Ada@example.com', 'pro');
    expect(await parts.accounts.find(account.id)).to.deep.equal(account);
    expect(account).to.deep.include({ operatorTier: 'pro', emailVerified: false, sessions: [] });
    expect(resetLink.expiresAt).to.deep.equal(new Date(clock.now() + 30 * MINUTE_MS));
    const events = await parts.audit.read(account.id, { limit: 10 });
    expect(events.map(({ type, detail, by }) => ({ type, detail, by }))).to.deep.equal([
      { type: 'authn_token_created', detail: { token: 'link', purpose: 'reset-password' }, by: OPERATOR },
      { type: 'user_created', detail: { tier: 'pro', key: account.key?.hint }, by: OPERATOR },
    ]);
    expect(await rejection(parts.operator.create('ADA@example.com', 'free'))).to.equal('email_taken');
  });

  it('finds an account by its id, and by its address in any spelling', async () => {
    const { account } = await parts.operator.create('Jose@example.com', 'free');
    for (const name of [account.id, 'Jose@example.com', ' JOSE@Example.com ', 'jose@example.com'])
      expect((await parts.operator.find(name)).id, name).to.equal(account.id);
    expect(await rejection(parts.operator.find('nobody@example.com'))).to.equal('not_found');
    expect(await rejection(parts.operator.find('AccountId012'))).to.equal('not_found');
  });

  it('sees the ten latest events of an account, without events of own brands', async () => {
    const { account } = await parts.operator.create('ada@example.com', 'free');
    for (let count = 0; count < 12; count++) {
      clock.advance(MINUTE_MS);
      await parts.actors.run(account.id, OPERATOR, makeResetLink);
    }
    const since = clock.now();
    const brand: AuditFact = { type: 'user_updated', detail: { ownBrand: 'acme', change: 'created' } };
    const at = new Date(since + 1);
    await parts.audit.append(auditEvents([brand, brand], { account, by: OPERATOR, at }));
    const events = await parts.operator.recentEvents(account.id);
    expect(events.map((event) => [event.type, event.at.getTime()])).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => ['authn_token_created', since - index * MINUTE_MS]),
    );
  });
});
