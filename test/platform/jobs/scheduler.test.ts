// Jobs at their scheduled times. Only one process runs a job, and a failure does not prevent later runs.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { openDatabase } from '../../../src/platform/stores/sqlite/database.js';
import type { Database } from '../../../src/platform/stores/sqlite/guarded-database.js';
import type { Job } from '../../../src/platform/jobs/job.js';
import { openSchedule, restartedTicker, type Schedule, type Ticker } from '../../../src/platform/jobs/scheduler.js';
import { CLAIM_MS } from '../../../src/platform/jobs/run-job.js';
import { eventually } from '../../support/auth.js';
import { openTestAccounts, type TestAccounts } from '../../support/account-services.js';
import { recordStores } from '../../support/stores.js';
import { clockAt, MINUTE_MS, type Clock } from '../../support/clock.js';

const EVERY_MINUTE = '* * * * *';
const HOURLY = '0 * * * *';
const SLOT_MS = Date.UTC(2026, 2, 1, 12);

/** Scheduler of another process with its own database connection. The test calls `tick` instead of a timer. */
interface Process {
  readonly schedule: Schedule;
  readonly tick: (expression: string, plannedMs: number) => void;
  readonly failures: string[];
  readonly done: string[];
  end(): Promise<void>;
}

describe('schedule', () => {
  let clock: Clock;
  let parts: TestAccounts;
  let db: Database;
  let running: Process[];
  beforeEach(async () => {
    clock = clockAt(SLOT_MS);
    parts = await openTestAccounts({ now: clock.now, mails: 'by the job' });
    db = openDatabase(parts.dataDir);
    running = [];
  });
  afterEach(async () => {
    for (const one of running) await one.end();
    db.close();
    await parts.close();
  });

  function start(jobs: readonly Job[], ticks: 'by hand' | 'by the clock' = 'by hand'): Process {
    const own = openDatabase(parts.dataDir);
    let isOpen = true;
    const listeners: { expression: string; onTick: (plannedMs: number) => void }[] = [];
    const failures: string[] = [];
    const done: string[] = [];
    const byHand: Ticker = (expression, onTick) => {
      const listener = { expression, onTick };
      listeners.push(listener);
      return () => void listeners.splice(listeners.indexOf(listener), 1);
    };
    const schedule = openSchedule({
      jobs,
      slots: recordStores(own, clock.now).jobSlots,
      parts,
      ...(ticks === 'by hand' && { ticker: byHand }),
      onDone: ({ name }) => done.push(name),
      onFailure: (error, what) => failures.push(`${what}: ${String(error)}`),
    });
    const process = {
      schedule,
      tick: (expression: string, plannedMs: number) =>
        listeners.filter((one) => one.expression === expression).forEach(({ onTick }) => onTick(plannedMs)),
      failures,
      done,
      async end() {
        await schedule.close();
        if (isOpen) own.close();
        isOpen = false;
      },
    };
    running.push(process);
    return process;
  }

  const job = (name: string, run: () => Promise<void>, schedule = HOURLY): Job => ({
    name,
    schedule,
    summary: '',
    async run() {
      await run();
      return { done: 1 };
    },
  });
  const slots = () => recordStores(db, clock.now).jobSlots;
  const latest = () => slots().latest();

  it('runs a slot in exactly one of many processes', async () => {
    let runs = 0;
    const counting = job('count', async () => void (runs += 1));
    const processes = Array.from({ length: 12 }, () => start([counting]));
    for (let slot = 0; slot < 20; slot++) {
      for (const { tick } of processes) tick(HOURLY, SLOT_MS + slot * 60 * MINUTE_MS);
      await sleep(2);
      expect(runs).to.equal(slot + 1);
    }
    expect(processes.flatMap(({ failures }) => failures)).to.deep.equal([]);
    expect(processes.flatMap(({ done }) => done)).to.have.length(20);
  });

  it('ticks by the system clock, once a slot over several processes', async () => {
    let runs = 0;
    const slots = new Set<number | undefined>();
    const run = async (): Promise<void> => {
      slots.add((await latest())[0]?.slotMs);
      runs += 1;
    };
    const jobs = [job('second', run, '* * * * * *')];
    const processes = Array.from({ length: 3 }, () => start(jobs, 'by the clock'));
    await eventually(() => runs > 2, 'third run');
    for (const { schedule } of processes) await schedule.close();
    expect(slots.size, 'one run a slot, not three').to.equal(runs);
    const before = runs;
    await sleep(1100);
    expect(runs).to.equal(before);
  });

  it('takes over the run of a dead process when its claim has expired', async () => {
    let runs = 0;
    await slots().claim({ job: 'count', slotMs: SLOT_MS }, CLAIM_MS);
    const counting = job('count', async () => void (runs += 1));
    const processes = [start([counting]), start([counting])];
    const minute = async () => {
      for (const { tick } of processes) tick(EVERY_MINUTE, clock.now());
      await sleep(5);
    };
    clock.advance(CLAIM_MS - 1);
    await minute();
    expect(runs).to.equal(0);
    clock.advance(1);
    await minute();
    expect(runs).to.equal(1);
    await minute();
    expect(runs).to.equal(1);
    expect(await latest()).to.have.nested.property('[0].error', null);
  });

  it('records and reports a failed run, and runs the next one', async () => {
    let runs = 0;
    const failing = job('fails', () => Promise.reject(new Error(`disk full (${(runs += 1)})`)));
    let others = 0;
    const other = job('works', async () => void (others += 1));
    const { tick, failures } = start([failing, other]);
    tick(HOURLY, SLOT_MS);
    await sleep(5);
    expect(failures).to.deep.equal(['the job fails failed; its next run tries again: Error: disk full (1)']);
    expect((await latest()).map(({ job: name, error }) => [name, error])).to.deep.equal([
      ['fails', 'Error: disk full (1)'],
      ['works', null],
    ]);
    tick(HOURLY, SLOT_MS + 60 * MINUTE_MS);
    await sleep(5);
    expect([runs, others]).to.deep.equal([2, 2]);
  });

  it('reports errors of the database, and continues', async () => {
    const { tick, failures } = start([job('count', async () => undefined)]);
    db.exec("CREATE TRIGGER broken BEFORE INSERT ON jobRuns BEGIN SELECT RAISE(FAIL, 'disk I/O error'); END;");
    tick(HOURLY, SLOT_MS);
    await sleep(5);
    expect(failures).to.have.length(1);
    db.exec('DROP TRIGGER broken');
    tick(HOURLY, SLOT_MS);
    await sleep(5);
    expect(await latest()).to.have.nested.property('[0].error', null);
    db.exec('ALTER TABLE jobRuns RENAME TO elsewhere');
    tick(EVERY_MINUTE, SLOT_MS);
    await sleep(5);
    expect(failures).to.have.length(2);
    db.exec('ALTER TABLE elsewhere RENAME TO jobRuns');
  });

  it('never runs a job concurrently in one process, and leaves the slot to others', async () => {
    let under = 0;
    let runs = 0;
    let release: () => void = () => undefined;
    const slow = job('slow', async () => {
      runs += 1;
      under += 1;
      expect(under).to.equal(1);
      await new Promise<void>((resolve) => (release = resolve));
      under -= 1;
    });
    const { tick, schedule } = start([slow]);
    tick(HOURLY, SLOT_MS);
    await sleep(2);
    clock.advance(2 * CLAIM_MS);
    tick(HOURLY, SLOT_MS + 60 * MINUTE_MS);
    tick(EVERY_MINUTE, SLOT_MS);
    await sleep(5);
    expect(runs).to.equal(1);
    const closing = schedule.close();
    release();
    await closing;
    expect(runs).to.equal(1);
    expect(await slots().claim({ job: 'slow', slotMs: SLOT_MS + 60 * MINUTE_MS }, CLAIM_MS)).to.equal(true);
  });

  it('waits for the current run when it is closed, and starts no more', async () => {
    let ended = false;
    let release: () => void = () => undefined;
    const slow = job('slow', async () => {
      await new Promise<void>((resolve) => (release = resolve));
      ended = true;
    });
    const { tick, schedule } = start([slow]);
    tick(HOURLY, SLOT_MS);
    await sleep(2);
    let closed = false;
    const closing = schedule.close().then(() => (closed = true));
    await sleep(20);
    expect(closed).to.equal(false);
    release();
    await closing;
    expect(ended).to.equal(true);
    expect(await latest())
      .to.have.nested.property('[0].finishedAt')
      .that.is.instanceOf(Date);
    tick(HOURLY, SLOT_MS + 60 * MINUTE_MS);
    await sleep(5);
    expect(await latest()).to.have.nested.property('[0].slotMs', SLOT_MS);
  });
});

describe('restartedTicker', () => {
  it('restarts the ticker when the clock was set back, and only then', () => {
    let nowMs = SLOT_MS;
    let check: () => void = () => expect.fail('nothing watches');
    let watching = 0;
    const calls: string[] = [];
    const ticker: Ticker = (expression, onTick) => {
      const name = `${expression} from ${nowMs - SLOT_MS}`;
      calls.push(`begin ${name}`);
      onTick(nowMs);
      return () => void calls.push(`end ${name}`);
    };
    const ticks: number[] = [];
    const stop = restartedTicker(
      ticker,
      () => nowMs,
      (given) => {
        check = given;
        watching++;
        return () => watching--;
      },
    )(HOURLY, (plannedMs) => ticks.push(plannedMs - SLOT_MS));
    for (const stepMs of [0, MINUTE_MS, 90 * MINUTE_MS, -60 * MINUTE_MS, 1]) {
      nowMs += stepMs;
      check();
    }
    stop();
    const [begun, again] = [`${HOURLY} from 0`, `${HOURLY} from ${31 * MINUTE_MS}`];
    expect(calls).to.deep.equal([`begin ${begun}`, `end ${begun}`, `begin ${again}`, `end ${again}`]);
    expect([ticks, watching]).to.deep.equal([[0, 31 * MINUTE_MS], 0]);
  });
});
