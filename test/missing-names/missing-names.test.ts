// Requested names without a brand: which of them may be counted, and the report about the counts.
import { expect } from 'chai';
import { missingReport, type MissingCount } from '../../src/missing-names/missing-names.js';
import { missingNames } from '../../src/platform/not-found.js';
import type { UtcDay } from '../../src/platform/utc-day.js';

const day = (text: string, ...names: readonly MissingCount[]) => ({ day: text as UtcDay, names });
const name = (text: string, requests: number, accounts = 1): MissingCount => ({
  kind: 'name',
  name: text,
  accounts,
  requests,
});

describe('missing names', () => {
  it('are lower case, with single spaces', () => {
    expect(missingNames('name', '  El  País ', 'ＮＨＫ')).to.deep.equal([
      { kind: 'name', name: 'el país' },
      { kind: 'name', name: 'nhk' },
    ]);
  });

  it('are read up to four times their length, including spaces', () => {
    expect(missingNames('name', `${' '.repeat(236)}acme`)).to.have.length(1);
    expect(missingNames('name', `${' '.repeat(237)}acme`)).to.deep.equal([]);
  });

  it('exclude secret, personal, long or empty text', () => {
    const texts = [
      'blz_4fGk2LmNp4Qr',
      'x'.repeat(33),
      'ada@example.com',
      'one word after another '.repeat(3),
      '?!',
      '',
      ' ',
    ];
    expect(missingNames('name', ...texts)).to.deep.equal([]);
  });

  it('are summed over processes and days, names of most accounts first', () => {
    const report = missingReport([
      day('2026-05-01', name('acme', 500), name('hooli', 3, 2)),
      day('2026-05-01', name('hooli', 2, 1)),
      day('2026-05-02', name('hooli', 1), { kind: 'domain', name: 'acme', accounts: 1, requests: 9 }),
    ]);
    expect(report).to.deep.equal([
      {
        kind: 'name',
        name: 'hooli',
        accounts: 3,
        requests: 6,
        days: [
          { day: '2026-05-02', accounts: 1, requests: 1 },
          { day: '2026-05-01', accounts: 3, requests: 5 },
        ],
      },
      { ...name('acme', 500), days: [{ day: '2026-05-01', accounts: 1, requests: 500 }] },
      {
        ...{ kind: 'domain', name: 'acme', accounts: 1, requests: 9 },
        days: [{ day: '2026-05-02', accounts: 1, requests: 9 }],
      },
    ]);
  });

  it('exclude beginnings that were typed on the way to another', () => {
    const report = missingReport([
      day('2026-05-01', name('merc', 1), name('merced', 1), name('mercedes', 1), name('mer', 5), name('mercury', 1)),
    ]);
    expect(report.map((one) => one.name)).to.have.members(['mercedes', 'mer', 'mercury']);
  });
});
