// Rules for withdrawn entries, with a real store.
import { expect } from 'chai';
import { embeddedCatalog } from '../../src/catalog/stores.embedded.js';
import type { Slug } from '../../src/catalog/entry.js';
import type { CatalogStore } from '../../src/catalog/catalog-store.js';
import { createCatalogListing } from '../../src/catalog/catalog-listing.js';
import { createWithdrawals, type Withdrawals } from '../../src/catalog/withdrawals.js';
import { publishEntries } from '../support/catalog-imports.js';
import { someEntry } from '../support/entries.js';
import { temporaryDatabase } from '../support/temporary.js';

const NOON_MS = Date.UTC(2026, 2, 1, 12);
const slug = (text: string): Slug => text as Slug;

describe('withdrawals', () => {
  let store: CatalogStore;
  let withdrawals: Withdrawals;
  let close: () => void;
  beforeEach(async () => {
    const database = temporaryDatabase();
    close = database.close;
    store = embeddedCatalog(database.db, () => NOON_MS);
    withdrawals = createWithdrawals({ store, now: () => NOON_MS });
    await publishEntries(store, [someEntry('hooli'), someEntry('initech')]);
  });
  afterEach(() => close());

  const rejection = async (outcome: Promise<unknown>) => {
    const error = (await outcome.catch((reason: unknown) => reason)) as { code: string; message: string };
    return [error.code, error.message];
  };

  it('trims the reason, and replaces it when the entry is withdrawn again', async () => {
    await withdrawals.withdraw(slug('hooli'), ' asked by its owner ');
    expect(await store.find(slug('hooli'))).to.include({ reason: 'asked by its owner' });
    await withdrawals.withdraw(slug('hooli'), 'trademark');
    expect((await store.withdrawals()).map(({ reason }) => reason)).to.deep.equal(['trademark']);
  });

  it('counts characters of the reason, not UTF-16 units', async () => {
    await withdrawals.withdraw(slug('hooli'), '🤗'.repeat(300));
    expect(await rejection(withdrawals.withdraw(slug('hooli'), '🤗'.repeat(301)))).to.deep.equal([
      'invalid_request',
      'Enter a reason with 1 to 300 characters. It is shown to users.',
    ]);
  });

  it('finds the withdrawal of a renamed entry, and rejects a second one of the former slug', async () => {
    await withdrawals.withdraw(slug('hooli'), 'trademark');
    await publishEntries(store, [someEntry('hooli-inc'), someEntry('initech')], { redirects: { hooli: 'hooli-inc' } });
    expect(await rejection(withdrawals.withdraw(slug('hooli'), 'x'))).to.deep.equal([
      'invalid_request',
      'hooli is already withdrawn.',
    ]);
    expect(await rejection(createCatalogListing(store).find(slug('hooli-inc')))).to.deep.equal([
      'gone',
      'hooli-inc was withdrawn on 2026-03-01: trademark',
    ]);
    await withdrawals.restore(slug('hooli-inc'));
    expect(await store.withdrawals()).to.deep.equal([]);
  });

  it('rejects restoring an entry that is served, and a slug without an entry', async () => {
    expect(await rejection(withdrawals.restore(slug('hooli')))).to.deep.equal(['not_found', 'hooli is not withdrawn.']);
    expect(await rejection(withdrawals.restore(slug('holi')))).to.deep.equal([
      'not_found',
      'There is no entry "holi"; did you mean hooli?',
    ]);
  });
});
