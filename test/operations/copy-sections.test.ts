// Copying of sections: the size of rows limits how many are read and written at once.
import { expect } from 'chai';
import type { Section, SectionRow } from '../../src/platform/stores/sections.js';
import { compareSections, copySections } from '../../src/operations/copy-sections.js';
import { FEATURES } from '../../src/features.js';
import { tableSections } from '../../src/platform/stores/table-sections.js';

describe('a copy of sections', () => {
  function section(rows: SectionRow[], atOnce?: number) {
    const limits: number[] = [];
    const writes: number[] = [];
    const made: Section = {
      ...{ name: 'drawings', table: 'drawings', count: async () => rows.length },
      ...(atOnce !== undefined && { atOnce }),
      async read(after, limit) {
        limits.push(limit);
        return rows.filter(({ id }) => id > after).slice(0, limit);
      },
      async write(some) {
        writes.push(some.length);
        rows.push(...some);
      },
    };
    return { made, limits, writes };
  }
  const rows = Array.from({ length: 50 }, (_, at) => ({ id: String(at).padStart(2, '0') }));

  it('has no more rows in memory than the section allows, and copies all', async () => {
    const [source, target] = [section([...rows], 20), section([])];
    await copySections([source.made], [target.made], () => undefined);
    expect(source.limits).to.deep.equal([20, 20, 20]);
    expect(target.writes).to.deep.equal([20, 20, 10]);
    const [compared] = await compareSections([source.made], [target.made], () => undefined);
    expect(compared).to.deep.include({ isEqual: true });
    expect(Math.max(...source.limits)).to.equal(20);
  });

  it('copies twenty texts of own brands at a time, each with up to a megabyte', async () => {
    const sections = await tableSections(FEATURES, { table: () => ({}) as never });
    expect(sections.find(({ table }) => table === 'ownBrandTexts')?.atOnce).to.equal(20);
  });
});
