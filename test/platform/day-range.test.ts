// Date ranges of reports: default ranges, limits, and each day exactly once.
import { expect } from 'chai';
import fc from 'fast-check';
import { daysOf, MAX_RANGE_DAYS, reportDays } from '../../src/platform/day-range.js';
import { addDays, parseUtcDay, USAGE_KEPT_DAYS, utcDay, type UtcDay } from '../../src/platform/utc-day.js';
import { AppError, type ErrorDetail } from '../../src/platform/errors.js';

const TODAY = '2026-11-22' as UtcDay;
const ago = (days: number) => addDays(TODAY, -days);

function rejected(from: UtcDay | undefined, to: UtcDay | undefined): readonly ErrorDetail[] | undefined {
  try {
    reportDays({ from, to }, TODAY);
    return undefined;
  } catch (error) {
    return error instanceof AppError && error.code === 'invalid_request' ? error.details : [];
  }
}

describe('UTC days', () => {
  it('are dates of the calendar', () => {
    for (const text of ['2026-11-22', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])
      expect(parseUtcDay(text), text).to.equal(text);
    const others = ['2026-02-29', '2026-02-30', '1900-02-29', '2026-13-01', '2026-00-10', '2026-01-00', '2026-1-1'];
    for (const text of [
      ...others,
      '',
      '20261122',
      '2026-11-22T00:00:00Z',
      ' 2026-11-22',
      '2026-11-22\n',
      '+002026-11-22',
    ])
      expect(parseUtcDay(text), text).to.equal(undefined);
  });

  it('are every day of the calendar, in its order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60_000 }), (days) => {
        const day = addDays('1970-01-01' as UtcDay, days);
        expect(parseUtcDay(day)).to.equal(day);
        expect(addDays(day, 1) > day).to.equal(true);
        expect(addDays(addDays(day, 1), -1)).to.equal(day);
        expect(utcDay(days * 86_400_000 + 86_399_999)).to.equal(day);
      }),
    );
  });
});

describe('the days of a report', () => {
  it('are the last 30, or 30 that end with `to`, as far as they are kept', () => {
    expect(reportDays({}, TODAY)).to.deep.equal({ from: ago(29), to: TODAY });
    expect(reportDays({ to: ago(100) }, TODAY)).to.deep.equal({ from: ago(129), to: ago(100) });
    expect(reportDays({ to: ago(390) }, TODAY)).to.deep.equal({ from: ago(400), to: ago(390) });
    expect(reportDays({ from: ago(365) }, TODAY)).to.deep.equal({ from: ago(365), to: TODAY });
    for (const day of [TODAY, ago(USAGE_KEPT_DAYS)])
      expect(reportDays({ from: day, to: day }, TODAY), 'the first and the last that may be asked for').to.deep.equal({
        from: day,
        to: day,
      });
  });

  it('are rejected with the field and its allowed values', () => {
    const kept = `${ago(USAGE_KEPT_DAYS)}..${TODAY}`;
    for (const [from, to, field, allowed] of [
      [addDays(TODAY, 1), undefined, 'from', kept],
      [undefined, addDays(TODAY, 1), 'to', kept],
      [ago(401), ago(390), 'from', kept],
      [undefined, ago(401), 'to', kept],
      [ago(9), ago(10), 'from', `${ago(375)}..${ago(10)}`],
      [ago(1), ago(390), 'from', `${ago(400)}..${ago(390)}`],
      [ago(366), undefined, 'from', `${ago(365)}..${TODAY}`],
    ] as const) {
      const [detail, ...more] = rejected(from, to) ?? [];
      expect(detail, `${from ?? ''}..${to ?? ''}`).to.deep.include({ field, allowed });
      expect(more).to.deep.equal([]);
    }
  });

  it('include each day from first to last once, or are rejected', () => {
    const offset = fc.option(fc.integer({ min: -5, max: 450 }), { nil: undefined });
    fc.assert(
      fc.property(offset, offset, (first, last) => {
        const [from, to] = [first, last].map((days) => (days === undefined ? undefined : ago(days)));
        const isAllowed =
          [first, last].every((days) => days === undefined || (days >= 0 && days <= USAGE_KEPT_DAYS)) &&
          (first === undefined || (first >= (last ?? 0) && first - (last ?? 0) < MAX_RANGE_DAYS));
        expect(rejected(from, to) === undefined).to.equal(isAllowed);
        if (!isAllowed) return;
        const range = reportDays({ from, to }, TODAY);
        const days = daysOf(range);
        expect(days.length).to.be.within(1, MAX_RANGE_DAYS);
        expect([days[0], days.at(-1)]).to.deep.equal([range.from, range.to]);
        for (const [at, day] of days.entries()) expect(day).to.equal(addDays(range.from, at));
        if (from !== undefined) expect(range.from).to.equal(from);
        if (to !== undefined) expect(range.to).to.equal(to);
      }),
      { numRuns: 300 },
    );
  });
});
