// Times of last use of keys: stored at most once a minute, and never replaced by an earlier time.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account-id.js';
import { createKeyUses, type KeyUse } from '../../src/metering/key-uses.js';
import { MINUTE_MS } from '../support/clock.js';

const KEY = { accountId: 'AAAAAAAAAAAA' as AccountId, keyHash: 'a'.repeat(64) };

describe('uses of keys', () => {
  it('are recorded once a minute, even if a clock that was ahead dated the last one', () => {
    const uses = createKeyUses(10);
    const noted = [0, 1, MINUTE_MS - 1, MINUTE_MS, MINUTE_MS + 1, -MINUTE_MS].map((atMs) => uses.note(KEY, atMs));
    expect(noted).to.deep.equal([true, false, false, true, false, true]);
  });

  it('are written again after a failure, the newest of each key only', async () => {
    const uses = createKeyUses(10);
    const other = { ...KEY, keyHash: 'b'.repeat(64) };
    uses.note(KEY, 0);
    uses.note(other, 0);
    const failed = uses.write(async () => {
      // Records another use while the first use is being written.
      uses.note(KEY, 2 * MINUTE_MS);
      await Promise.reject(new Error('the store is away'));
    });
    expect(await failed.catch((error: unknown) => (error as Error).message)).to.equal('the store is away');
    const written: KeyUse[] = [];
    await uses.write((list) => void written.push(...list));
    expect(written).to.deep.equal([
      { ...KEY, lastUsedAt: new Date(2 * MINUTE_MS) },
      { ...other, lastUsedAt: new Date(0) },
    ]);
    await uses.write(() => expect.fail('nothing is left'));
  });
});
