// Contract of JobSlots: claims, concurrency, time, rejection.
import { expect } from 'chai';
import type { JobSlots } from '../../src/ports/job-slots.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../support/clock.js';
import { contract } from './contract.js';

interface JobSlotsUnderTest {
  readonly slots: JobSlots;
  /** Another process's. */
  readonly beside: () => JobSlots | Promise<JobSlots>;
}

const LEASE_MS = 10 * MINUTE_MS;
/** At once: more would take a database longer than it has for one. */
const CLAIMS = 20;

export const jobSlotsContract = contract<JobSlotsUnderTest>('JobSlots', (under) => {
  let slotMs: number;
  beforeEach(async () => {
    slotMs = under.clock.now();
  });
  const slot = (job = 'tidy', offsetMs = 0) => ({ job, slotMs: slotMs + offsetMs });

  it('is claimed by exactly one of many, for each job and slot', async () => {
    const beside = await under.beside();
    for (const each of [slot(), slot('mail'), slot('tidy', HOUR_MS)]) {
      const outcomes = await Promise.all(
        Array.from({ length: CLAIMS }, (_, index) => (index % 2 ? under.slots : beside).claim(each, LEASE_MS)),
      );
      expect(outcomes.filter((won) => won)).to.have.length(1);
    }
  });

  it('is claimed again after its lease has ended, not before', async () => {
    expect(await under.slots.claim(slot(), LEASE_MS)).to.equal(true);
    under.clock.advance(LEASE_MS - 1);
    expect(await under.slots.claim(slot(), LEASE_MS)).to.equal(false);
    under.clock.advance(1);
    const outcomes = await Promise.all(Array.from({ length: CLAIMS }, () => under.slots.claim(slot(), LEASE_MS)));
    expect(outcomes.filter((won) => won)).to.have.length(1);
    under.clock.advance(LEASE_MS - 1);
    expect(await under.slots.claim(slot(), LEASE_MS)).to.equal(false);
    under.clock.advance(1);
    expect(await under.slots.claim(slot(), LEASE_MS)).to.equal(true);
  });

  it('cannot be claimed once finished, with or without an error', async () => {
    for (const [job, error] of [
      ['tidy', null],
      ['mail', 'no server'],
    ] as const) {
      await under.slots.claim(slot(job), LEASE_MS);
      await under.slots.finish(slot(job), error);
    }
    under.clock.advance(HOUR_MS);
    expect(await under.slots.claim(slot('tidy'), LEASE_MS)).to.equal(false);
    expect(await under.slots.claim(slot('mail'), LEASE_MS)).to.equal(false);
  });

  it('is not claimed late, after a later slot was finished', async () => {
    for (const offsetMs of [0, MINUTE_MS]) {
      expect(await under.slots.claim(slot('tidy', offsetMs), LEASE_MS)).to.equal(true);
      await under.slots.finish(slot('tidy', offsetMs), null);
    }
    expect(await under.slots.claim(slot(), LEASE_MS)).to.equal(false);
    expect(await under.slots.claim(slot('tidy', -HOUR_MS), LEASE_MS)).to.equal(false);
    expect(await under.slots.claim(slot('tidy', 2 * MINUTE_MS), LEASE_MS)).to.equal(true);
  });

  it('is claimed although a clock that was ahead recorded a slot far in the future, which is then deleted', async () => {
    for (const [job, aheadMs] of [
      ['mail', 365 * DAY_MS],
      ['tidy', 365 * DAY_MS],
      ['mail by an hour', HOUR_MS],
      ['tidy by an hour', HOUR_MS],
    ] as const) {
      under.clock.advance(aheadMs);
      expect(await under.slots.claim(slot(job, aheadMs), LEASE_MS)).to.equal(true);
      if (job.startsWith('mail')) await under.slots.finish(slot(job, aheadMs), null);
      under.clock.advance(-aheadMs);
      expect(await under.slots.claim(slot(job), LEASE_MS)).to.equal(true);
      expect(await under.slots.claim(slot(job), LEASE_MS), 'once').to.equal(false);
      await under.slots.finish(slot(job), null);
    }
    expect((await under.slots.latest()).map((run) => run.slotMs)).to.deep.equal([slotMs, slotMs, slotMs, slotMs]);
  });

  it('is claimed again although it was begun by a clock that was ahead', async () => {
    under.clock.advance(HOUR_MS);
    expect(await under.slots.claim(slot(), LEASE_MS)).to.equal(true);
    under.clock.advance(-HOUR_MS);
    expect(await under.slots.claim(slot(), LEASE_MS)).to.equal(true);
    expect(await under.slots.claim(slot(), LEASE_MS), 'once').to.equal(false);
  });

  it('is not claimed while a slot only a little ahead is recorded', async () => {
    expect(await under.slots.claim(slot('tidy', MINUTE_MS), LEASE_MS)).to.equal(true);
    expect(await under.slots.claim(slot(), LEASE_MS)).to.equal(false);
  });

  it('returns the latest run of every job: running, succeeded, failed', async () => {
    const startedAt = under.clock.date();
    for (const job of ['a', 'b', 'c']) await under.slots.claim(slot(job, -HOUR_MS), LEASE_MS);
    for (const job of ['a', 'b', 'c']) await under.slots.claim(slot(job), LEASE_MS);
    under.clock.advance(5000);
    await under.slots.finish(slot('b'), null);
    await under.slots.finish(slot('c'), 'disk full');
    const finishedAt = under.clock.date();
    expect(await under.slots.latest()).to.deep.equal([
      { job: 'a', slotMs, startedAt, finishedAt: null, error: null },
      { job: 'b', slotMs, startedAt, finishedAt, error: null },
      { job: 'c', slotMs, startedAt, finishedAt, error: 'disk full' },
    ]);
  });

  it('returns no run before the first one', async () => {
    expect(await under.slots.latest()).to.deep.equal([]);
  });
});
