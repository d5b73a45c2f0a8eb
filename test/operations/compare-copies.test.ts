// Comparison after a transfer: it finds a single different row, names the table, and makes the command fail.
import { expect } from 'chai';
import { runIn } from '../../src/platform/command-line/command.js';
import { printReport } from '../../src/operations/transfer-report.command.js';
import type { Entry } from '../../src/catalog/entry.js';
import type { CatalogStore } from '../../src/catalog/catalog-store.js';
import type { Tables } from '../../src/platform/stores/tables.js';
import type { Comparison } from '../../src/operations/copy-tables.js';
import { compareAll, type Side } from '../../src/operations/transfer.js';
import { FEATURES } from '../../src/features.js';
import { recordExportTables } from '../../src/platform/stores/record-export-tables.js';

const ROWS = ['a', 'b', 'c'].map((id) => ({ id, deep: { list: [1, { number: 2 }] }, at: new Date(0) }));
type Row = (typeof ROWS)[number];
type Change = (rows: readonly Row[]) => readonly Row[];

/** Name of a change → function that changes only the middle row. */
const CHANGES: Readonly<Record<string, Change>> = {
  'another value, deep inside of a row': ([first, second, third]) =>
    [first, { ...second, deep: { list: [1, { number: 3 }] } }, third] as Row[],
  'another time': ([first, second, third]) => [first, { ...second, at: new Date(1) }, third] as Row[],
  'another id': ([first, second, third]) => [first, { ...second, id: 'bb' }, third] as Row[],
  'a row fewer': ([first, , third]) => [first, third] as Row[],
};

const ENTRY = { slug: 'acme', title: 'Acme', variants: [{ etag: 'one' }], setIcons: [{ body: 'two' }] };
const CATALOG = {
  entries: [ENTRY],
  drawings: { one: '<svg/>', two: '<g/>' } as Readonly<Record<string, string>>,
  redirects: [['old', 'acme']],
  sources: [{ id: 'folder', version: '1' }],
  withdrawals: [{ slug: 'bolt', reason: 'asked for', withdrawnAt: '2026-05-01T00:00:00Z' }],
};
const CATALOG_CHANGES: Readonly<Record<keyof typeof CATALOG, Partial<typeof CATALOG>>> = {
  entries: { entries: [{ ...ENTRY, title: 'Akme' }] },
  drawings: { drawings: { ...CATALOG.drawings, one: '<svg />' } },
  redirects: { redirects: [['old', 'bolt']] },
  sources: { sources: [{ id: 'folder', version: '2' }] },
  withdrawals: { withdrawals: [{ ...CATALOG.withdrawals[0]!, reason: 'another' }] },
};

interface Differing {
  readonly table?: string;
  readonly change?: Change;
  readonly catalog?: Partial<typeof CATALOG>;
}

async function sideWith({ table, change = (rows) => rows, catalog = {} }: Differing = {}): Promise<Side> {
  const tables = ((definition: { readonly name: string }) => {
    const rows = definition.name === table ? change(ROWS) : ROWS;
    return {
      count: async () => rows.length,
      find: async ({ where }: { readonly where: { readonly id: { readonly gt: string } } }) =>
        rows.filter(({ id }) => id > where.id.gt),
    };
  }) as unknown as Tables;
  const stored = { ...CATALOG, ...catalog };
  return {
    tables: await recordExportTables(FEATURES, { table: tables }),
    catalog: {
      async *entries() {
        yield* stored.entries as unknown as Entry[];
      },
      drawing: async (etag: string) => stored.drawings[etag],
      redirects: async () => stored.redirects,
      sources: async () => stored.sources,
      withdrawals: async () => stored.withdrawals,
    } as unknown as CatalogStore,
  };
}

async function differing(side: Side, other: Side): Promise<readonly string[]> {
  const comparisons = await compareAll(side, other, () => undefined);
  return comparisons.filter(({ isEqual }) => !isEqual).map(({ what }) => what);
}

const { tables: TABLES } = await sideWith();

describe('the comparison after a transfer', () => {
  const tables = TABLES.map(({ name, table }) => ({ name, table }));

  it('finds nothing in equal sides', async () => {
    expect(tables).to.have.length.above(7);
    expect(await differing(await sideWith(), await sideWith())).to.deep.equal([]);
  });

  for (const [what, change] of Object.entries(CHANGES))
    it(`names each table with ${what}, on either side`, async () => {
      for (const { name, table } of tables) {
        expect(await differing(await sideWith(), await sideWith({ table, change }))).to.deep.equal([name]);
        expect(await differing(await sideWith({ table, change }), await sideWith())).to.deep.equal([name]);
      }
    });

  for (const [name, catalog] of Object.entries(CATALOG_CHANGES))
    it(`names one of the ${name} of the catalog that differs`, async () => {
      expect(await differing(await sideWith(), await sideWith({ catalog }))).to.deep.equal([name]);
    });

  it('names a drawing that only an icon of a set has', async () => {
    const catalog = { drawings: { ...CATALOG.drawings, two: '<g />' } };
    expect(await differing(await sideWith(), await sideWith({ catalog }))).to.deep.equal(['drawings']);
  });

  it('fails the command, and the report names the table', async () => {
    const report = async (comparisons: readonly Comparison[]) => {
      const printed: string[] = [];
      const errors: string[] = [];
      const terminal = {
        variables: {},
        print: (line: string) => void printed.push(line),
        printError: (line: string) => void errors.push(line),
      };
      const status = await runIn(terminal, async () => printReport({ comparisons }));
      return { status, errors, unequal: printed.filter((line) => line.includes(' and ')) };
    };
    const equal = await compareAll(await sideWith(), await sideWith(), () => undefined);
    expect(await report(equal)).to.deep.equal({ status: 0, errors: [], unequal: [] });
    const catalog = CATALOG_CHANGES.withdrawals;
    const { status, errors, unequal } = await report(
      await compareAll(await sideWith(), await sideWith({ catalog }), () => undefined),
    );
    expect(status).to.equal(1);
    expect(errors).to.have.length(1).with.nested.property('[0]').that.includes('The copy differs from the source');
    expect(unequal)
      .to.have.length(1)
      .with.nested.property('[0]')
      .that.matches(/^withdrawals /);
  });
});
