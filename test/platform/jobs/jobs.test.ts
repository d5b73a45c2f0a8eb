// Each job on a real database.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { validate } from 'node-cron';
import { readEnv } from '../../../config/env.js';
import { openDatabase } from '../../../src/platform/stores/sqlite/database.js';
import type { Database } from '../../../src/platform/stores/sqlite/guarded-database.js';
import { ALL_DAYS } from '../../../src/platform/day-range.js';
import type { AccountId } from '../../../src/accounts/account.js';
import { beginDeletion } from '../../../src/accounts/changes/lifecycle.js';
import { makeResetLink } from '../../../src/accounts/changes/email-links.js';
import { signIn } from '../../../src/accounts/changes/sessions.js';
import type { AccountActors } from '../../../src/accounts/account-actors.js';
import { NO_RESPONSES } from '../../../src/metering/day-responses.js';
import { addDays, utcDay } from '../../../src/platform/utc-day.js';
import { AppError } from '../../../src/platform/errors.js';
import { expireSessions, finishDeletions, mailResetLinks, sendMails } from '../../../src/accounts/accounts.job.js';
import { JOBS } from '../../support/features.js';
import { createBackgroundTasks } from '../../../src/platform/jobs/background-tasks.js';
import { createPasswordResets } from '../../../src/accounts/password-resets.js';
import { openAccountParts, openTestAccounts, type TestAccounts } from '../../support/account-services.js';
import { OPERATOR, someAccount } from '../../support/accounts.js';
import { clockAt, DAY_MS, MINUTE_MS, type Clock } from '../../support/clock.js';
import { recordStores, testStores } from '../../support/stores.js';

const ORIGIN = { userAgent: null, address: null };

const prune = JOBS.find(({ name }) => name === 'prune')!;

describe('jobs', () => {
  let clock: Clock;
  let parts: TestAccounts;
  /** Connection of another process to the same database. */
  let db: Database;
  beforeEach(async () => {
    clock = clockAt();
    parts = await openTestAccounts({ now: clock.now, mails: 'by the job' });
    db = openDatabase(parts.dataDir);
  });
  afterEach(async () => {
    db.close();
    await parts.close();
  });

  async function customer(email?: string): Promise<AccountId> {
    const { account } = someAccount({ at: clock.date(), ...(email !== undefined && { email }) });
    await parts.accounts.insert(account);
    return account.id;
  }
  const signInto = (id: AccountId) =>
    parts.actors.run(id, OPERATOR, (account, at) => signIn(account, { passwordVersion: 1, origin: ORIGIN }, at));

  const busyFor = (isBusy: (id: AccountId) => boolean): AccountActors => ({
    ...parts.actors,
    run: (id, by, decide) => (isBusy(id) ? Promise.reject(new AppError('busy')) : parts.actors.run(id, by, decide)),
  });
  /** Stores an unprocessed request for a reset link. */
  const leaveRequest = (id: string, identity: string, requestedAt = clock.date()) =>
    recordStores(db, clock.now).resetRequests.add({ id, identity, by: OPERATOR, requestedAt });
  const purposesOf = async (id: AccountId) => (await parts.accounts.find(id))!.links.map(({ purpose }) => purpose);

  it('have unique names and valid schedules, and are in docs/monitoring.md', () => {
    const manual = readFileSync(fileURLToPath(new URL('../../../../docs/monitoring.md', import.meta.url)), 'utf8');
    expect(new Set(JOBS.map(({ name }) => name)).size).to.equal(JOBS.length);
    for (const { name, schedule, summary } of JOBS) {
      expect(validate(schedule), name).to.equal(true);
      expect(summary, name).to.match(/^[A-Z].+\.$/);
      expect(manual, 'docs/monitoring.md').to.include(`| \`${name}\` | \`${schedule}\` |`);
    }
  });

  it('expire-sessions removes expired sessions, and no others', async () => {
    const idle = await customer();
    const busy = await customer();
    await signInto(idle);
    await signInto(busy);
    clock.advance(4 * DAY_MS);
    await signInto(busy);
    clock.advance(3 * DAY_MS - 1);
    await expireSessions.run(parts);
    expect((await parts.accounts.find(idle))!.sessions).to.have.length(1);
    clock.advance(1);
    expect(await expireSessions.run(parts)).to.deep.equal({ accounts: 2 });
    expect((await parts.accounts.find(idle))!).to.deep.include({ sessions: [], links: [] });
    expect((await parts.accounts.find(busy))!.sessions).to.have.length(1);
    const [event] = await parts.audit.read(idle, { limit: 1 });
    expect(event).to.deep.include({
      type: 'session_expired',
      by: { kind: 'system', address: null },
      detail: { sessions: 1, why: 'time' },
    });
    expect(await expireSessions.run(parts)).to.deep.equal({ accounts: 0 });
  });

  it('expire-sessions removes expired links', async () => {
    const id = await customer();
    await parts.actors.run(id, OPERATOR, makeResetLink);
    clock.advance(30 * MINUTE_MS);
    await expireSessions.run(parts);
    expect(await purposesOf(id)).to.deep.equal(['verify-email']);
  });

  it('process more accounts than one batch, continue after failures, and throw at the end', async () => {
    const ids: AccountId[] = [];
    for (let count = 0; count < 450; count++) ids.push(await customer());
    clock.advance(3 * DAY_MS);
    const failing = new Set(ids.slice(0, 210));
    const actors = busyFor((id) => failing.has(id));
    const error = await expireSessions.run({ ...parts, actors }).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(AggregateError)
      .with.property('message')
      .that.includes('failed for 210 of 450 accounts');
    expect(await parts.accounts.due('expiry', clock.date(), 1000)).to.have.members([...failing]);
    expect(await expireSessions.run(parts)).to.deep.equal({ accounts: 210 });
  });

  it('ignore an account that was deleted meanwhile', async () => {
    await customer();
    clock.advance(3 * DAY_MS);
    const actors: AccountActors = { ...parts.actors, run: () => Promise.reject(new AppError('not_found')) };
    await expireSessions.run({ ...parts, actors });
  });

  it('prune deletes events after 400 days and expired rate limits', async () => {
    const id = await customer();
    await signInto(id);
    await parts.rateLimits.consume([{ key: 'x', rules: [{ limit: 1, windowMs: MINUTE_MS }] }]);
    clock.advance(400 * DAY_MS);
    expect(await prune.run(parts)).to.deep.equal({
      events: 0,
      usageDays: 0,
      responseDays: 0,
      missingNameDays: 0,
      paymentEvents: 0,
      visitorCounters: 0,
      webhookDeliveries: 0,
    });
    await parts.rateLimits.consume([{ key: 'y', rules: [{ limit: 1, windowMs: MINUTE_MS }] }]);
    await signInto(id);
    clock.advance(1);
    const before = (await parts.audit.read(id, { limit: 10 })).length;
    const { events } = await prune.run(parts);
    expect(events).to.be.at.least(1);
    const left = await parts.audit.read(id, { limit: 10 });
    expect(left.length).to.equal(before - events!);
    expect(left.every(({ at }) => clock.now() - at.getTime() <= 400 * DAY_MS)).to.equal(true);
    expect(db.prepare('SELECT COUNT(*) AS kept FROM budgets').get()).to.deep.equal({ kept: 1 });
  });

  it('prune deletes counters of usage and responses after 400 days', async () => {
    const accountId = await customer();
    const first = utcDay(clock.now());
    for (const day of [first, addDays(first, 1)]) {
      await parts.responses.add({ id: day, day, accounts: [{ accountId, ...NO_RESPONSES }] });
      db.prepare('INSERT INTO usage VALUES (?, ?, ?, ?)').run(accountId, day, 'svg', 1);
    }
    clock.advance(400 * DAY_MS);
    expect(await prune.run(parts)).to.deep.include({ usageDays: 0, responseDays: 0 });
    clock.advance(DAY_MS);
    expect(await prune.run(parts)).to.deep.include({ usageDays: 1, responseDays: 1 });
    for (const history of [parts.usage, parts.responses])
      expect((await history.range(accountId, ALL_DAYS)).map(({ day }) => day)).to.deep.equal([addDays(first, 1)]);
  });

  it('prune deletes names that were not found after 90 days', async () => {
    const day = utcDay(clock.now());
    await parts.missingNames.put('a', { day, names: [] });
    clock.advance(90 * DAY_MS);
    expect(await prune.run(parts)).to.include({ missingNameDays: 0 });
    clock.advance(DAY_MS);
    expect(await prune.run(parts)).to.include({ missingNameDays: 1 });
  });

  it('prune deletes the visitor hashes of past days', async () => {
    const insert = db.prepare(
      'INSERT INTO visitor_counters (name, epoch, total, day, today, visitors) VALUES (?, 1, 1, ?, 1, ?)',
    );
    const today = utcDay(clock.now());
    for (const day of [addDays(today, -1), today]) insert.run(day, day, new Uint8Array(8));
    expect(await prune.run(parts)).to.include({ visitorCounters: 1 });
    const left = db.prepare('SELECT day FROM visitor_counters WHERE length(visitors) > 0').all();
    expect(left.map((row) => (row as { readonly day: string }).day)).to.deep.equal([today]);
  });

  it('prune deletes finished payment events after 30 days', async () => {
    const event = { type: 'price.created', customerId: null, createdAt: clock.date() };
    for (const id of ['evt_1', 'evt_2']) {
      await parts.paymentEvents.add({ id, ...event }, clock.date());
      clock.advance(1);
    }
    clock.advance(30 * DAY_MS - 1);
    expect(await prune.run(parts)).to.include({ paymentEvents: 1 });
    expect((await parts.paymentEvents.latest({ limit: 5 })).map(({ id }) => id)).to.deep.equal(['evt_2']);
  });

  it('send-mails sends pending mails once', async () => {
    const id = await customer();
    expect(existsSync(join(parts.dataDir, 'outbox'))).to.equal(false);
    expect(await sendMails.run(parts)).to.deep.equal({ mails: 1 });
    expect(readdirSync(join(parts.dataDir, 'outbox'))).to.have.length(1);
    expect((await parts.accounts.find(id))!.mails).to.deep.equal([]);
    expect(await sendMails.run(parts)).to.deep.equal({ mails: 0 });
  });

  it('mail-reset-links processes requests of a crashed process once, and drops expired ones', async () => {
    const id = await customer('ada@example.com');
    const resetLinks = async () => (await purposesOf(id)).filter((purpose) => purpose === 'reset-password').length;
    await leaveRequest('too old', 'ada@example.com');
    clock.advance(30 * MINUTE_MS);
    expect(await mailResetLinks.run(parts)).to.deep.equal({ requests: 1 });
    expect(await resetLinks()).to.equal(0);
    await leaveRequest('left', 'ada@example.com');
    await leaveRequest('unknown', 'nobody@example.com');
    expect(await mailResetLinks.run(parts), 'the process that stored them may be at it').to.deep.equal({ requests: 0 });
    clock.advance(10_000);
    expect(await mailResetLinks.run(parts)).to.deep.equal({ requests: 2 });
    expect(await resetLinks()).to.equal(1);
    expect(await mailResetLinks.run(parts)).to.deep.equal({ requests: 0 });
  });

  it('mail-reset-links processes requests from a clock that was ahead', async () => {
    const id = await customer('ada@example.com');
    await leaveRequest('ahead', 'ada@example.com', new Date(clock.now() + DAY_MS));
    expect(await mailResetLinks.run(parts)).to.deep.equal({ requests: 1 });
    expect(await purposesOf(id)).to.include('reset-password');
  });

  it('mail-reset-links retries failed requests, and processes the others', async () => {
    const [broken, fine] = [await customer('broken@example.com'), await customer('fine@example.com')];
    for (const name of ['broken', 'fine']) await leaveRequest(name, `${name}@example.com`);
    clock.advance(10_000);
    const actors = busyFor((id) => id === broken);
    const resets = createPasswordResets({
      resetRequests: recordStores(db, clock.now).resetRequests,
      accounts: parts.accounts,
      actors,
      background: createBackgroundTasks(() => undefined),
      now: clock.now,
    });
    expect(await mailResetLinks.run({ ...parts, resets }).catch((error: unknown) => error)).to.have.nested.property(
      'errors[0].code',
      'busy',
    );
    expect(await purposesOf(fine)).to.include('reset-password');
    expect(await mailResetLinks.run(parts)).to.deep.equal({ requests: 1 });
    expect(await purposesOf(broken)).to.include('reset-password');
  });

  it('succeed if several processes send the same mail at once (send-mails)', async () => {
    await customer();
    const problems: unknown[] = [];
    const env = readEnv({ DATA_DIR: parts.dataDir, PUBLIC_URL: 'https://icons.example' }, '0.0.0');
    const open = async () =>
      openAccountParts({
        env,
        stores: await testStores({ db: db, dataDir: parts.dataDir, now: clock.now }),
        now: clock.now,
        mails: 'by the job',
        onError: (error) => problems.push(error),
      });
    const others = await Promise.all(Array.from({ length: 8 }, open));
    await Promise.all([parts, ...others].map((one) => sendMails.run({ ...parts, ...one, now: clock.now })));
    expect([...problems, ...parts.problems]).to.deep.equal([]);
    expect(readdirSync(join(parts.dataDir, 'outbox'))).to.have.length(1);
  });

  it('finish-deletions removes accounts of an interrupted deletion, and frees their e-mail addresses', async () => {
    const id = await customer('ada@example.com');
    const other = await customer();
    await parts.actors.run(id, OPERATOR, (account, at) => beginDeletion(account, undefined, at));
    expect(await finishDeletions.run(parts)).to.deep.equal({ accounts: 1 });
    expect(await parts.accounts.find(id)).to.equal(undefined);
    expect(await parts.accounts.find(other)).to.be.an('object');
    await customer('ada@example.com');
    expect(await finishDeletions.run(parts)).to.deep.equal({ accounts: 0 });
  });
});
