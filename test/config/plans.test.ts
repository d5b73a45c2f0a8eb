// config/plans.json: errors name the allowed values.
import { expect } from 'chai';
import { plansSchema, readPlans } from '../../config/plans.js';

describe('plans', () => {
  const { free, ...others } = readPlans();
  const wrong: readonly [unknown, string, string][] = [
    [[], '', 'must be an object with the fields free, pro, enterprise, internal'],
    [others, 'free', 'must be an object with the fields daily, burstPerSecond, ownBrands, siteIcons'],
    [{ free, ...others, gold: free }, '', 'has gold; allowed: free, pro, enterprise, internal'],
    [
      { ...others, free: { ...free, daily: { ...free.daily, svg: '1000' } } },
      'free.daily.svg',
      'must be a whole number of at least 0, or null for no limit',
    ],
    [
      { ...others, free: { ...free, daily: { ...free.daily, svg: -1 } } },
      'free.daily.svg',
      'must be a whole number of at least 0, or null for no limit',
    ],
    [
      { ...others, free: { ...free, daily: { ...free.daily, svg: 0.5 } } },
      'free.daily.svg',
      'must be a whole number of at least 0, or null for no limit',
    ],
    [
      { ...others, free: { ...free, daily: { ...free.daily, gif: 1 } } },
      'free.daily',
      'has gif; allowed: svg, png, webp, catalog, search, domain, batch',
    ],
    [
      { ...others, free: { ...free, burstPerSecond: 0 } },
      'free.burstPerSecond',
      'must be a whole number of at least 1, or null for no limit',
    ],
    [
      { ...others, free: { daily: free.daily } },
      'free.burstPerSecond',
      'must be a whole number of at least 1, or null for no limit',
    ],
  ];
  for (const [content, place, message] of wrong) {
    it(`say of ${place || 'the file'}: ${message}`, () => {
      const [issue] = plansSchema.safeParse(content).error?.issues ?? [];
      expect([issue?.path.join('.'), issue?.message]).to.deep.equal([place, message]);
    });
  }
});
