// Displayed number of search results.
import { expect } from 'chai';
import { dashboardModule } from '../support/dashboard-module.js';

type FoundCount = (
  page: { total: number; facets: { category: { value: string; count: number }[]; license: [] } },
  noun: readonly [string, string],
) => string;

describe('the number of entries found', () => {
  it('has cloud services apart', async () => {
    const { foundCount } = await dashboardModule<{ foundCount: FoundCount }>('components/found-count.ts');
    const said = (total: number, services: number) =>
      foundCount({ total, facets: { category: [{ value: 'cloud-service', count: services }], license: [] } }, [
        'brand',
        'brands',
      ]);
    expect(said(6328, 939)).to.equal('5,389 brands and 939 cloud services');
    expect(said(2, 1)).to.equal('1 brand and 1 cloud service');
    expect(said(3, 3)).to.equal('3 cloud services');
    expect(said(3, 0)).to.equal('3 brands');
    expect(said(0, 0)).to.equal('0 brands');
  });
});
