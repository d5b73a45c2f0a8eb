// Copying of tables: large rows are read and written in smaller groups.
import { expect } from 'chai';
import type { ExportTable, ExportRow } from '../../src/platform/stores/export-tables.js';
import { compareTables, copyTables } from '../../src/operations/copy-tables.js';
import { FEATURES } from '../../src/features.js';
import { recordExportTables } from '../../src/platform/stores/record-export-tables.js';

describe('a copy of tables', () => {
  function table(rows: ExportRow[], atOnce?: number) {
    const limits: number[] = [];
    const writes: number[] = [];
    const made: ExportTable = {
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

  it('has no more rows in memory than the table allows, and copies all', async () => {
    const [source, target] = [table([...rows], 20), table([])];
    await copyTables([source.made], [target.made], () => undefined);
    expect(source.limits).to.deep.equal([20, 20, 20]);
    expect(target.writes).to.deep.equal([20, 20, 10]);
    const [compared] = await compareTables([source.made], [target.made], () => undefined);
    expect(compared).to.deep.include({ isEqual: true });
    expect(Math.max(...source.limits)).to.equal(20);
  });

  it('copies twenty texts of own brands at a time, each with up to a megabyte', async () => {
    const tables = await recordExportTables(FEATURES, { table: () => ({}) as never });
    expect(tables.find(({ table }) => table === 'ownBrandTexts')?.atOnce).to.equal(20);
  });
});
