// Publishable keys of a signed-in customer: their usage, and how often they can be created and changed.
import { expect } from 'chai';
import { createPublishableKeys } from '../../src/accounts/publishable-keys.js';
import type { RateLimit } from '../../src/accounts/rate-limits.js';
import { openTestAccounts, rejection, someClient, type TestAccounts } from '../support/account-services.js';
import { someSignedIn } from '../support/accounts.js';
import { DAY_MS } from '../support/clock.js';

const SETTINGS = { name: 'Website', origins: [] };

describe('the publishable keys of a customer', () => {
  let parts: TestAccounts;
  let consumed: RateLimit[];
  let used: Promise<Record<string, number>>;
  beforeEach(async () => {
    parts = await openTestAccounts({ mails: 'by the job' });
    consumed = [];
    used = Promise.resolve({});
  });
  afterEach(() => parts.close());

  async function signedIn() {
    const { account, session } = someSignedIn();
    await parts.accounts.insert(account);
    const rateLimits = {
      ...parts.rateLimits,
      consume: (limits: readonly RateLimit[]) => (consumed.push(...limits), parts.rateLimits.consume(limits)),
    };
    const service = createPublishableKeys({ ...parts, rateLimits, usage: { byKey: () => used } });
    const stored = async () => (await parts.accounts.find(account.id))!;
    return { service, by: { caller: { account, session }, client: someClient() }, stored };
  }

  it('can be created a hundred times and changed a thousand times a day', async () => {
    const { service, by } = await signedIn();
    const { key } = await service.create(by, SETTINGS);
    await service.edit(by, key.id, { name: 'Shop' });
    expect(consumed.map(({ rules }) => rules)).to.deep.equal([
      [{ limit: 100, windowMs: DAY_MS }],
      [{ limit: 1000, windowMs: DAY_MS }],
    ]);
    const keys = new Set(consumed.map((limit) => limit.key));
    expect(keys.size).to.equal(2);
    const other = await signedIn();
    await other.service.create(other.by, SETTINGS);
    expect(keys.has(consumed.at(-1)!.key), 'of another account').to.equal(false);
  });

  it("have today's number of requests in lists and after changes", async () => {
    const { service, by, stored } = await signedIn();
    const [one, other] = [await service.create(by, SETTINGS), await service.create(by, SETTINGS)];
    used = Promise.resolve({ [other.key.id]: 7, gone: 1 });
    const account = await stored();
    const views = await service.list({ ...by.caller, account });
    expect(views.map(({ key: { id }, usedToday }) => [id, usedToday])).to.deep.equal([
      [one.key.id, 0],
      [other.key.id, 7],
    ]);
    expect(await service.edit(by, other.key.id, { name: 'Shop' })).to.include({ usedToday: 7 });
    expect(await service.edit(by, 'f'.repeat(16), { name: 'Shop' })).to.equal(undefined);
  });

  it('stay unchanged if their usage cannot be read', async () => {
    const { service, by, stored } = await signedIn();
    const { key } = await service.create(by, SETTINGS);
    used = Promise.reject(new Error('the counters are gone'));
    expect(await rejection(service.edit(by, key.id, { name: 'Shop' }))).to.match(/counters are gone/);
    expect((await stored()).publishableKeys).to.deep.equal([key]);
  });

  it('are recorded with the network of the customer', async () => {
    const { service, by, stored } = await signedIn();
    const { key } = await service.create(by, SETTINGS);
    await service.edit(by, key.id, { name: 'Shop' });
    expect(await service.revoke(by, key.id)).to.equal(true);
    expect(await service.revoke(by, key.id)).to.equal(false);
    const events = await parts.audit.read((await stored()).id, { limit: 9 });
    expect(events.map(({ type }) => type)).to.deep.equal([
      'authn_token_revoked',
      'user_updated',
      'authn_token_created',
    ]);
    for (const event of events) expect(event.by).to.deep.equal({ kind: 'customer', address: '192.0.2.0/24' });
  });
});
