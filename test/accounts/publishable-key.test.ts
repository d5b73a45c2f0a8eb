import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { newApiKey, parseApiKey } from '../../src/accounts/api-key.js';
import { keyId } from '../../src/accounts/key-format.js';
import { defaultKeyLimit } from '../../src/accounts/plan.js';
import { readPlans } from '../../config/plans.js';
import {
  newPublishableKey,
  parsePublishableKey,
  PUBLISHABLE_KEY_ID_PATTERN,
  PUBLISHABLE_KEY_PATTERN,
  publishableKeyRule,
} from '../../src/accounts/publishable-key.js';

const ID = '7hGk2LmNp4Qr' as AccountId;
const SETTINGS = { name: 'Website', origins: ['example.com'], dailyLimit: 5 };

describe('the default daily limit of a publishable key', () => {
  const { free } = readPlans();
  const limitOf = (pictures: Pick<typeof free.daily, 'svg' | 'png' | 'webp'>) =>
    defaultKeyLimit({ ...free, daily: { ...free.daily, ...pictures } });

  it('is half of the daily pictures, rounded down, and at least one', () => {
    expect(limitOf({ svg: 100, png: 20, webp: 3 })).to.equal(61);
    expect(limitOf({ svg: null, png: 20, webp: 2 }), 'one is unlimited').to.equal(11);
    expect(limitOf({ svg: 1, png: 0, webp: 0 })).to.equal(1);
    expect(limitOf({ svg: 0, png: 0, webp: 0 })).to.equal(1);
    expect(limitOf({ svg: null, png: null, webp: null }), 'all are').to.equal(null);
  });
});

describe('a publishable key', () => {
  const key = newPublishableKey(ID, SETTINGS, new Date(1));

  it('contains its account, and is distinguished from an API key', () => {
    expect(key.raw).to.match(PUBLISHABLE_KEY_PATTERN);
    const parsed = parsePublishableKey(key.raw);
    expect(parsed?.accountId).to.equal(ID);
    expect(keyId(parsed!.hash)).to.equal(key.id).and.to.match(PUBLISHABLE_KEY_ID_PATTERN);
    expect(publishableKeyRule(key)).to.deep.equal({ keyHash: parsed!.hash, origins: ['example.com'], dailyLimit: 5 });
    expect(parseApiKey(key.raw)).to.equal(undefined);
    expect(parsePublishableKey(newApiKey(ID).raw)).to.equal(undefined);
    expect(parsePublishableKey(key.raw.replace('blzp_', 'blz_'))).to.equal(undefined);
  });

  it('is rejected for any other character', () => {
    for (let at = 0; at < key.raw.length; at++) {
      const other = key.raw[at] === 'x' ? 'y' : 'x';
      expect(parsePublishableKey(key.raw.slice(0, at) + other + key.raw.slice(at + 1)), String(at)).to.equal(undefined);
    }
    expect(parsePublishableKey(`${key.raw}0`)).to.equal(undefined);
    expect(parsePublishableKey('')).to.equal(undefined);
  });

  it('differs each time', () => {
    const keys = Array.from({ length: 100 }, () => newPublishableKey(ID, SETTINGS, new Date(1)));
    expect(new Set(keys.map(({ raw }) => raw)).size).to.equal(100);
    expect(new Set(keys.map(({ id }) => id)).size).to.equal(100);
  });
});
