// Contract tests of the port `LogoReports`.
import { expect } from 'chai';
import type { Slug } from '../../src/catalog/entry.js';
import { MAX_COMMENTS, MAX_REPORTED_ENTRIES, type NewReport } from '../../src/logo-reports/logo-reports.js';
import { contract } from '../platform/stores/contract.js';
import type { RecordsUnderTest } from '../platform/stores/records.js';

const at = (minute: number): Date => new Date(Date.UTC(2026, 4, 1, 12, minute));
const report = (slug: string, minute: number, others: Partial<NewReport> = {}): NewReport => ({
  ...{ slug: slug as Slug, reason: 'outdated', comment: null, at: at(minute) },
  ...others,
});

export const logoReportsContract = contract<RecordsUnderTest>('LogoReports', (under) => {
  it('counts reports by reason, and lists the entry with the latest report first', async () => {
    const { logoReports } = under.stores;
    await logoReports.add(report('github', 0, { comment: 'The cat is gone.' }));
    await logoReports.add(report('stripe', 1, { reason: 'wrong-brand' }));
    await logoReports.add(report('github', 2));
    const expected = [
      {
        ...{ slug: 'github', reasons: { outdated: 2 } },
        comments: [{ text: 'The cat is gone.', at: at(0) }],
        ...{ firstAt: at(0), lastAt: at(2) },
      },
      { slug: 'stripe', reasons: { 'wrong-brand': 1 }, comments: [], firstAt: at(1), lastAt: at(1) },
    ];
    expect(await logoReports.list()).to.deep.equal(expected);
    expect(await (await under.beside()).logoReports.list()).to.deep.equal(expected);
  });

  it('loses no report of several at once', async () => {
    const { logoReports } = under.stores;
    const other = (await under.beside()).logoReports;
    await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 ? other : logoReports).add(report('github', at))));
    const [github] = await logoReports.list();
    expect(github?.reasons).to.deep.equal({ outdated: 6 });
  });

  it('keeps the newest comments', async () => {
    const { logoReports } = under.stores;
    for (let minute = 0; minute < MAX_COMMENTS + 2; minute++)
      await logoReports.add(report('github', minute, { comment: `comment ${minute}` }));
    const [github] = await logoReports.list();
    expect(github?.comments).to.have.length(MAX_COMMENTS);
    expect(github?.comments[0]?.text).to.equal(`comment ${MAX_COMMENTS + 1}`);
  });

  it('stores a bounded number of entries', async function () {
    this.timeout(120_000);
    const { logoReports } = under.stores;
    const slugs = Array.from({ length: MAX_REPORTED_ENTRIES }, (_, at) => `entry-${at}`);
    for (let from = 0; from < slugs.length; from += 50)
      await Promise.all(slugs.slice(from, from + 50).map((slug) => logoReports.add(report(slug, 0))));
    expect(await logoReports.add(report('one-more', 1))).to.equal(false);
    expect(await logoReports.add(report('entry-0', 1))).to.equal(true);
    expect(await logoReports.list()).to.have.length(MAX_REPORTED_ENTRIES);
  });

  it('removes the reports about an entry', async () => {
    const { logoReports } = under.stores;
    await logoReports.add(report('github', 0));
    expect(await logoReports.remove('github' as Slug)).to.equal(true);
    expect(await logoReports.remove('github' as Slug)).to.equal(false);
    expect(await logoReports.list()).to.deep.equal([]);
  });
});
