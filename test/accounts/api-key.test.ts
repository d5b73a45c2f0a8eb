// API key format.
import { expect } from 'chai';
import fc from 'fast-check';
import type { AccountId } from '../../src/accounts/account.js';
import { API_KEY_LENGTH, newApiKey, parseApiKey } from '../../src/accounts/api-key.js';
import { randomBase62 } from '../../src/platform/text/base62.js';

describe('API key', () => {
  const accountId = 'AccountId012' as AccountId;

  it('contains its account id and has a stable hash', () => {
    const key = newApiKey(accountId);
    expect(key.raw).to.match(/^blz_[0-9A-Za-z]{51}$/);
    expect(key.raw).to.have.length(API_KEY_LENGTH);
    expect(parseApiKey(key.raw)).to.deep.equal({ accountId, hash: key.hash });
    expect(key.hash).to.match(/^[0-9a-f]{64}$/);
    expect(key.hint).to.equal(key.raw.slice(-4));
  });

  it('ends with the CRC-32 of all before, Base62', () => {
    // The checksums were computed with another implementation (zlib.crc32 of Python).
    expect(parseApiKey(`blz_${'0'.repeat(45)}3xvsbk`)).to.have.property('accountId', '0'.repeat(12));
    expect(parseApiKey(`blz_${'0'.repeat(45)}000000`)).to.equal(undefined);
    const valid = newApiKey('000000000000' as AccountId).raw;
    const others = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].filter(
      (letter) => letter !== valid[20],
    );
    for (const letter of others) expect(parseApiKey(valid.slice(0, 20) + letter + valid.slice(21))).to.equal(undefined);
  });

  it('rejects every other string', () => {
    fc.assert(fc.property(fc.string({ maxLength: 80 }), (text) => parseApiKey(text) === undefined));
    const { raw } = newApiKey(accountId);
    for (const wrong of [
      '',
      raw.slice(1),
      `${raw}0`,
      raw.toUpperCase(),
      raw.replace('blz_', 'abc_'),
      ` ${raw}`,
      `${raw}\n`,
    ]) {
      expect(parseApiKey(wrong), wrong).to.equal(undefined);
    }
  });

  it('uses every character of the alphabet about equally', () => {
    const text = randomBase62(62_000);
    const counts = new Map<string, number>();
    for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    expect(counts.size).to.equal(62);
    for (const count of counts.values()) expect(count).to.be.within(800, 1200);
  });
});
