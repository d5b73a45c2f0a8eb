// Contract tests of the port `JobSlots`: claims, concurrency, time, rejection.
import { expect } from 'chai';
import type { JobSlots } from '../../../src/platform/jobs/job-slots.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../support/clock.js';
import { contract } from '../stores/contract.js';
import type { RecordsUnderTest } from '../stores/records.js';

const CLAIM_MS = 10 * MINUTE_MS;
/** Number of concurrent claims of one slot. With more, a claim would take longer than the database's time limit. */
const CLAIMS = 20;

export const jobSlotsContract = contract<RecordsUnderTest>('JobSlots', (under) => {
  let slotMs: number;
  let slots: JobSlots;
  beforeEach(() => {
    slotMs = under.clock.now();
    slots = under.stores.jobSlots;
  });
  const slot = (job = 'tidy', offsetMs = 0) => ({ job, slotMs: slotMs + offsetMs });

  it('is claimed by exactly one of many, for each job and slot', async () => {
    const { jobSlots: beside } = await under.beside();
    for (const each of [slot(), slot('mail'), slot('tidy', HOUR_MS)]) {
      const outcomes = await Promise.all(
        Array.from({ length: CLAIMS }, (_, index) => (index % 2 ? slots : beside).claim(each, CLAIM_MS)),
      );
      expect(outcomes.filter((won) => won)).to.have.length(1);
    }
  });

  it('is claimed again after its time, not before', async () => {
    expect(await slots.claim(slot(), CLAIM_MS)).to.equal(true);
    under.clock.advance(CLAIM_MS - 1);
    expect(await slots.claim(slot(), CLAIM_MS)).to.equal(false);
    under.clock.advance(1);
    const outcomes = await Promise.all(Array.from({ length: CLAIMS }, () => slots.claim(slot(), CLAIM_MS)));
    expect(outcomes.filter((won) => won)).to.have.length(1);
    under.clock.advance(CLAIM_MS - 1);
    expect(await slots.claim(slot(), CLAIM_MS)).to.equal(false);
    under.clock.advance(1);
    expect(await slots.claim(slot(), CLAIM_MS)).to.equal(true);
  });

  it('cannot be claimed once finished, with or without an error', async () => {
    for (const [job, error] of [
      ['tidy', null],
      ['mail', 'no server'],
    ] as const) {
      await slots.claim(slot(job), CLAIM_MS);
      await slots.finish(slot(job), error);
    }
    under.clock.advance(HOUR_MS);
    expect(await slots.claim(slot('tidy'), CLAIM_MS)).to.equal(false);
    expect(await slots.claim(slot('mail'), CLAIM_MS)).to.equal(false);
  });

  it('is not claimed late, after a later slot was finished', async () => {
    for (const offsetMs of [0, MINUTE_MS]) {
      expect(await slots.claim(slot('tidy', offsetMs), CLAIM_MS)).to.equal(true);
      await slots.finish(slot('tidy', offsetMs), null);
    }
    expect(await slots.claim(slot(), CLAIM_MS)).to.equal(false);
    expect(await slots.claim(slot('tidy', -HOUR_MS), CLAIM_MS)).to.equal(false);
    expect(await slots.claim(slot('tidy', 2 * MINUTE_MS), CLAIM_MS)).to.equal(true);
  });

  it('is claimed although a clock that was ahead recorded a slot far in the future, which is then deleted', async () => {
    for (const [job, aheadMs] of [
      ['mail', 365 * DAY_MS],
      ['tidy', 365 * DAY_MS],
      ['mail by an hour', HOUR_MS],
      ['tidy by an hour', HOUR_MS],
    ] as const) {
      under.clock.advance(aheadMs);
      expect(await slots.claim(slot(job, aheadMs), CLAIM_MS)).to.equal(true);
      if (job.startsWith('mail')) await slots.finish(slot(job, aheadMs), null);
      under.clock.advance(-aheadMs);
      expect(await slots.claim(slot(job), CLAIM_MS)).to.equal(true);
      expect(await slots.claim(slot(job), CLAIM_MS), 'once').to.equal(false);
      await slots.finish(slot(job), null);
    }
    expect((await slots.latest()).map((run) => run.slotMs)).to.deep.equal([slotMs, slotMs, slotMs, slotMs]);
  });

  it('is claimed again if a clock that was ahead has started it', async () => {
    under.clock.advance(HOUR_MS);
    expect(await slots.claim(slot(), CLAIM_MS)).to.equal(true);
    under.clock.advance(-HOUR_MS);
    expect(await slots.claim(slot(), CLAIM_MS)).to.equal(true);
    expect(await slots.claim(slot(), CLAIM_MS), 'once').to.equal(false);
  });

  it('is not claimed while a slot only a little ahead is recorded', async () => {
    expect(await slots.claim(slot('tidy', MINUTE_MS), CLAIM_MS)).to.equal(true);
    expect(await slots.claim(slot(), CLAIM_MS)).to.equal(false);
  });

  it('returns the latest run of every job: running, succeeded, failed', async () => {
    const startedAt = under.clock.date();
    for (const job of ['a', 'b', 'c']) await slots.claim(slot(job, -HOUR_MS), CLAIM_MS);
    for (const job of ['a', 'b', 'c']) await slots.claim(slot(job), CLAIM_MS);
    under.clock.advance(5000);
    await slots.finish(slot('b'), null);
    await slots.finish(slot('c'), 'disk full');
    const finishedAt = under.clock.date();
    expect(await slots.latest()).to.deep.equal([
      { job: 'a', slotMs, startedAt, finishedAt: null, error: null },
      { job: 'b', slotMs, startedAt, finishedAt, error: null },
      { job: 'c', slotMs, startedAt, finishedAt, error: 'disk full' },
    ]);
  });

  it('returns no run before the first one', async () => {
    expect(await slots.latest()).to.deep.equal([]);
  });
});
