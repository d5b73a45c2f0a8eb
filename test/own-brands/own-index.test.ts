// Index of own brands: finds the brand of a host.
import { expect } from 'chai';
import { OwnIndex } from '../../src/own-brands/own-index.js';
import { finish } from '../../src/platform/concurrency/time-slices.js';
import { someBrand } from '../support/own-brands.js';

describe('the owner of a host among own brands', () => {
  const brands = [
    someBrand('zeta', { domains: ['shared.corp', 'zeta.corp'] }),
    someBrand('acme', { domains: ['shared.corp', 'app.zeta.corp', '10.0.0.7'] }),
    someBrand('undrawn', { domains: ['undrawn.corp'], variants: [] }),
  ];
  const index = new OwnIndex(new Map([['p0', { brands, chars: 0 }]]), (steps) => Promise.resolve(finish(steps)));

  for (const [host, slug, match] of [
    ['shared.corp', 'acme', 'domain'],
    ['www.shared.corp', 'acme', 'subdomain'],
    ['zeta.corp', 'zeta', 'domain'],
    ['app.zeta.corp', 'acme', 'domain'],
    ['a.app.zeta.corp', 'acme', 'subdomain'],
    ['10.0.0.7', 'acme', 'domain'],
  ] as const)
    it(`is found for ${host}`, async () => {
      expect(await index.owner(host)).to.deep.equal({ slug, match });
    });

  for (const host of ['corp', 'othershared.corp', '1.10.0.0.7', 'undrawn.corp'])
    it(`is not found for ${host}`, async () => {
      expect(await index.owner(host)).to.equal(undefined);
    });
});
