import { expect } from 'chai';
import { BUCKETS } from '../../../../src/domain/metering/plan.js';
import {
  bucketEntries,
  isUsageCounter,
  keyCounter,
  remaining,
  tighterQuota,
  usedOf,
} from '../../../../src/domain/metering/usage-counter.js';

describe('usage counters', () => {
  const key = keyCounter('ab'.repeat(8));

  it('are the buckets, and one for each publishable key', () => {
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

  it('give the quota of which less is left', () => {
    const bucket = { limit: 10, used: 4 };
    expect(tighterQuota(bucket, undefined)).to.deep.equal({ ...bucket, of: 'bucket' });
    expect(tighterQuota(bucket, { limit: 5, used: 1 })).to.deep.equal({ limit: 5, used: 1, of: 'key' });
    expect(tighterQuota(bucket, { limit: 100, used: 94 })).to.deep.equal({ ...bucket, of: 'bucket' });
    expect(tighterQuota(bucket, { limit: null, used: 9 })).to.deep.equal({ ...bucket, of: 'bucket' });
    expect(tighterQuota({ limit: null, used: 4 }, { limit: 5, used: 9 })).to.deep.equal({
      limit: 5,
      used: 9,
      of: 'key',
    });
    expect(remaining({ limit: 5, used: 9 })).to.equal(0);
    expect(remaining({ limit: null, used: 9 })).to.equal(Infinity);
  });
});
