// Contract tests of the port `MissingNames`.
import { expect } from 'chai';
import type { MissingCount } from '../../src/missing-names/missing-names.js';
import { ALL_DAYS } from '../../src/platform/day-range.js';
import { addDays, utcDay } from '../../src/platform/utc-day.js';
import { MAX_PROCESSES_OF_DAY } from '../../src/missing-names/missing-name-store.js';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';

const DAY = utcDay(Date.UTC(2026, 4, 1, 12));
const names = (requests: number): readonly MissingCount[] => [
  { kind: 'domain', name: 'example.com', accounts: 1, requests },
  { kind: 'name', name: 'ヤマハ', accounts: 2, requests: 2 },
];

export const missingNamesContract = contract<RecordsUnderTest>('MissingNames', (under) => {
  it("replaces a process's counts of a day, and keeps counts of others", async () => {
    const { missingNames } = under.stores;
    expect(await missingNames.put('a', { day: DAY, names: names(1) })).to.equal(true);
    expect(await missingNames.put('b', { day: DAY, names: [] })).to.equal(true);
    expect(await missingNames.put('a', { day: addDays(DAY, 1), names: names(4) })).to.equal(true);
    expect(await missingNames.put('a', { day: DAY, names: names(3) })).to.equal(true);
    const stored = (await missingNames.range(ALL_DAYS)).map(({ day, names: counted }) => ({ day, names: counted }));
    expect(stored).to.deep.equal([
      { day: DAY, names: names(3) },
      { day: DAY, names: [] },
      { day: addDays(DAY, 1), names: names(4) },
    ]);
    expect(await missingNames.range({ from: DAY, to: DAY })).to.have.length(2);
    expect(await (await under.beside()).missingNames.range(ALL_DAYS)).to.have.length(3);
  });

  it('keeps a bounded number of processes of a day', async () => {
    const { missingNames } = under.stores;
    for (let process = 0; process < MAX_PROCESSES_OF_DAY; process++)
      expect(await missingNames.put(`p${process}`, { day: DAY, names: [] })).to.equal(true);
    expect(await missingNames.put('one more', { day: DAY, names: names(1) })).to.equal(false);
    expect(await missingNames.put('p0', { day: DAY, names: names(1) })).to.equal(true);
    expect(await missingNames.put('one more', { day: addDays(DAY, 1), names: names(1) })).to.equal(true);
    expect(await missingNames.range({ from: DAY, to: DAY })).to.have.length(MAX_PROCESSES_OF_DAY);
  });

  it('deletes earlier days', async () => {
    const { missingNames } = under.stores;
    for (const day of [DAY, addDays(DAY, 1), addDays(DAY, 2)]) await missingNames.put('a', { day, names: [] });
    expect(await missingNames.prune(addDays(DAY, 2))).to.equal(2);
    expect((await missingNames.range(ALL_DAYS)).map(({ day }) => day)).to.deep.equal([addDays(DAY, 2)]);
  });
});
