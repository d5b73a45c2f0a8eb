// Contract tests of the port `OwnBrandTexts`: texts by account and id. A text never changes, and is removed with its
// account.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import type { OwnBrandTexts } from '../../src/own-brands/own-brand-texts.js';
import { someAccount } from '../support/accounts.js';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';

const [ONE, TWO] = ['one', 'two'] as [AccountId, AccountId];

export const ownBrandTextsContract = contract<RecordsUnderTest>('OwnBrandTexts', (under) => {
  let texts: OwnBrandTexts;
  beforeEach(() => {
    texts = under.stores.ownBrandTexts;
  });
  const read = async (id: AccountId, ids: readonly string[], from = texts) => [...(await from.get(id, ids))].sort();

  it('returns the texts of one account, also to another process', async () => {
    const { ownBrandTexts: beside } = await under.beside();
    const many = Array.from({ length: 50 }, (_, at) => ({
      id: `t${at}`,
      text: `{"at":${at},"svg":"<svg/>\u{1F600}"}`,
    }));
    await texts.add(ONE, many);
    await texts.add(TWO, [{ id: 't1', text: 'of two' }]);
    expect(await read(ONE, ['t1', 't49', 'none'], beside)).to.deep.equal([
      ['t1', many[1]?.text],
      ['t49', many[49]?.text],
    ]);
    expect(await read(TWO, ['t1', 't49'], beside)).to.deep.equal([['t1', 'of two']]);
    expect([...(await texts.ids(ONE))].sort()).to.deep.equal(many.map(({ id }) => id).sort());
    expect(await read(ONE, [])).to.deep.equal([]);
  });

  it('stores a text of some megabytes', async () => {
    const text = 'ab"<é>'.repeat(500_000);
    await texts.add(ONE, [{ id: 'large', text }]);
    expect((await texts.get(ONE, ['large'])).get('large') === text).to.equal(true);
  });

  it('only removes the named texts of this account', async () => {
    for (const id of [ONE, TWO])
      await texts.add(id, [
        { id: 'a', text: 'a' },
        { id: 'b', text: 'b' },
      ]);
    await texts.remove(ONE, ['a', 'none']);
    await texts.remove(ONE, []);
    expect(await texts.ids(ONE)).to.deep.equal(['b']);
    expect([...(await texts.ids(TWO))].sort()).to.deep.equal(['a', 'b']);
  });

  it('loses all texts of an account with it', async () => {
    const { account } = someAccount();
    await under.stores.accounts.insert({ ...account, deleting: true });
    await texts.add(account.id, [{ id: 'a', text: 'a' }]);
    await texts.add(ONE, [{ id: 'a', text: 'a' }]);
    await under.stores.accounts.remove(account.id);
    expect(await texts.ids(account.id)).to.deep.equal([]);
    expect(await texts.ids(ONE)).to.deep.equal(['a']);
  });
});
