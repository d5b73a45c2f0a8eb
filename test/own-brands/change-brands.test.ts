// Stored texts of own brands after changes that failed, with a real database.
import { expect } from 'chai';
import { createAccountActors } from '../../src/accounts/account-actors.js';
import type { AccountStore } from '../../src/accounts/account-store.js';
import type { Account } from '../../src/accounts/account.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import { SYSTEM } from '../../src/accounts/audit-event.js';
import { createAccountCatalogs } from '../../src/catalog/account-catalogs.js';
import type { Slug } from '../../src/catalog/entry.js';
import { editOf } from '../../src/own-brands/brand-edits.js';
import { createChange, indexOf } from '../../src/own-brands/change-brands.js';
import { editFact, withFacts } from '../../src/own-brands/edit-brand.js';
import { NO_FACTS } from '../../src/own-brands/own-brand.js';
import { createOwnBrandPages } from '../../src/own-brands/own-index.js';
import { createTurns } from '../../src/platform/concurrency/time-slices.js';
import { AppError } from '../../src/platform/errors.js';
import { openTestAccounts, rejection, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';

const SLUG = 'acme' as Slug;

describe('a change of own brands that fails', () => {
  let parts: TestAccounts;
  let account: Account;
  let keyHash: string;
  before(async () => {
    parts = await openTestAccounts();
  });
  after(() => parts.close());
  beforeEach(async () => {
    const made = someAccount();
    account = made.account;
    keyHash = parseApiKey(made.apiKey)!.hash;
    await parts.accounts.insert(account);
  });

  /** Opens catalogs with an empty cache. */
  const catalogs = () =>
    createAccountCatalogs({
      catalog: { find: async () => ({ kind: 'missing' }), peek: () => undefined, drawing: () => '' },
      ownBrands: createOwnBrandPages(parts.ownBrandTexts),
      turns: createTurns(),
      bounds: { pageBytes: 1e6, drawingChars: 1e6 },
    });

  /** Creates a brand, with `save` in place of the account store's own `save`. Returns the error code. */
  async function createWith(save: AccountStore['save']): Promise<unknown> {
    const { accounts, locks, plans, ownBrandTexts } = parts;
    const actors = createAccountActors({ accounts: { ...accounts, save }, locks, now: Date.now });
    const change = createChange({ actors, plans, ownBrandTexts, catalogs: catalogs() });
    const owner = { accountId: account.id, by: SYSTEM, proof: { kind: 'key', keyHash } } as const;
    const facts = { ...NO_FACTS, title: 'Acme' };
    const changed = change(owner, (_, time) =>
      editOf(undefined, withFacts(undefined, { slug: SLUG, facts }, time), { facts: [editFact(SLUG, 'created')] }),
    );
    return rejection(changed);
  }

  it('keeps its texts if only the reply to the write of the account was lost, because the account refers to them', async () => {
    const code = await createWith(async (...saved) => {
      await parts.accounts.save(...saved);
      throw new AppError('unavailable');
    });
    expect(code).to.equal('unavailable');
    const written = (await parts.accounts.find(account.id))!;
    expect((await indexOf(catalogs(), written)).brand(SLUG)?.title).to.equal('Acme');
  });

  it('leaves no text if the account was not written', async () => {
    expect(await createWith(async () => false)).to.equal('conflict');
    expect(await parts.ownBrandTexts.ids(account.id)).to.deep.equal([]);
  });
});
