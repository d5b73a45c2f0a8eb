import { expect } from 'chai';
import { BUCKETS } from '../../src/accounts/plan.js';
import {
  bucketEntries,
  exceededQuota,
  isUsageCounter,
  keyCounter,
  remaining,
  shownQuota,
  usedOf,
  type QuotaUse,
} from '../../src/metering/usage-counter.js';

describe('usage counters', () => {
  const key = keyCounter('ab'.repeat(8));

  it('include the buckets, and one for each publishable key', () => {
    expect(key).to.equal(`key-${'ab'.repeat(8)}`);
    expect([...BUCKETS, key].every(isUsageCounter)).to.equal(true);
    expect(isUsageCounter('rev')).to.equal(false);
    expect(bucketEntries({ svg: 3, [key]: 2 })).to.deep.equal([['svg', 3]]);
    const { used, usedByKey } = usedOf({ svg: 3, [key]: 2 });
    expect(used)
      .to.have.all.keys(...BUCKETS)
      .and.to.include({ svg: 3, png: 0 });
    expect(usedByKey).to.deep.equal({ ['ab'.repeat(8)]: 2 });
  });

  it('show the API key its bucket, and a publishable key its own limit only', () => {
    const bucket = { limit: 10, used: 4 };
    expect(shownQuota({ bucket, key: undefined })).to.deep.equal({ ...bucket, of: 'bucket' });
    for (const key of [
      { limit: 100, used: 94 },
      { limit: null, used: 9 },
    ])
      expect(shownQuota({ bucket, key })).to.deep.equal({ ...key, of: 'key' });
  });

  it('name the limit that is exceeded; a publishable key with one leaves the last tenth to the API key', () => {
    const bucket = { limit: 20, used: 17 };
    const exceeded = (key: QuotaUse | undefined, units: number) => exceededQuota({ bucket, key }, units)?.of;
    expect([exceeded(undefined, 3), exceeded(undefined, 4)]).to.deep.equal([undefined, 'bucket']);
    const limited = { limit: 5, used: 3 };
    expect([exceeded(limited, 1), exceeded(limited, 2), exceeded(limited, 3)]).to.deep.equal([
      undefined,
      'account',
      'key',
    ]);
    expect(exceededQuota({ bucket, key: limited }, 3)).to.deep.equal({ of: 'key', limit: 5, used: 3 });
    expect(exceededQuota({ bucket, key: limited }, 2)).to.deep.equal({ of: 'account', limit: 20, used: 17 });
    expect(exceededQuota({ bucket, key: undefined }, 4)).to.deep.equal({ of: 'bucket', limit: 20, used: 17 });
    const endless = { limit: null, used: 17 };
    expect(exceededQuota({ bucket: endless, key: { limit: 1000, used: 0 } }, 1000)).to.equal(undefined);
    const unlimited = { limit: null, used: 3 };
    expect([exceeded(unlimited, 3), exceeded(unlimited, 4)]).to.deep.equal([undefined, 'account']);
    expect(exceededQuota({ bucket: { limit: 9, used: 8 }, key: limited }, 1), 'a tenth, rounded down').to.equal(
      undefined,
    );
  });

  it('count the remaining requests', () => {
    expect(remaining({ limit: 5, used: 9 })).to.equal(0);
    expect(remaining({ limit: null, used: 9 })).to.equal(Infinity);
  });
});
