// `kill -9` at any moment: acknowledged changes are stored, and every account is in a valid state.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Account, AccountId } from '../../src/accounts/account.js';
import type { Tier } from '../../src/accounts/plan.js';
import { parseApiKey } from '../../src/accounts/api-key.js';
import { openTestAccounts, rejection, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { FAMILY } from '../support/backend.js';
import { temporaryDir } from '../support/temporary.js';
import type { ChangeName, Report } from './account-crash-fixture.js';

const FIXTURE = fileURLToPath(new URL('account-crash-fixture.js', import.meta.url));
const LONG = process.env.BLAZON_LONG_TESTS === '1';
/**
 * Number of kills. It is small for the cluster, because each kill leaves a lock, and the next change must wait until
 * this lock expires.
 */
const KILLS = FAMILY === 'cluster' ? (LONG ? 50 : 2) : LONG ? 200 : 8;
/** Number of databases that are tested at the same time. */
const DATABASES = 2;
const MIN_CHANGES = 6;
const MORE_CHANGES = 30;
/** Maximum time from the last awaited change to the kill, ms. */
const LAST_CHANGE_MS = 5;
const ACCOUNTS = 6;

/** State of an account according to its acknowledged changes. */
interface Model {
  readonly id: AccountId;
  /** Undefined if the process was killed before it could report a new key. */
  key: string | undefined;
  readonly oldKeys: string[];
  readonly live: Set<string>;
  readonly ended: Set<string>;
  tier: Tier;
  underWay: ChangeName | undefined;
}

function note(model: Model, { change, phase, value }: Report): void {
  model.underWay = phase === 'begin' ? change : undefined;
  if (phase !== 'done') return;
  if (change === 'regenerate') replaceKey(model, value);
  if (change === 'sign-in' && value !== undefined) model.live.add(value);
  if (change === 'end-all') end(model, [...model.live]);
  if (change === 'end' && value !== undefined) end(model, [value]);
  if (change === 'tier') model.tier = value as Tier;
}

function replaceKey(model: Model, key: string | undefined): void {
  if (model.key !== undefined) model.oldKeys.push(model.key);
  model.key = key;
}

function end(model: Model, tokens: readonly string[]): void {
  for (const token of tokens) {
    model.live.delete(token);
    model.ended.add(token);
  }
}

const hasKey = (account: Account, key: string): boolean => account.key?.hash === parseApiKey(key)?.hash;

/** Checks that the account has the acknowledged state. The interrupted change may or may not have been saved. */
async function check(parts: TestAccounts, model: Model): Promise<void> {
  const account = await parts.accounts.find(model.id);
  if (!account) throw new Error(`account ${model.id} is gone`);
  const say = `${model.id}, under way: ${model.underWay ?? 'nothing'}`;
  await checkKeys(parts, { account, model, say });
  await checkSessions(parts, { account, model, say });
  if (model.underWay !== 'tier') expect(account.tier, say).to.equal(model.tier);
  await checkRecord(parts, account, model);
  await adopt(parts, account, model);
}

interface Checked {
  readonly account: Account;
  readonly model: Model;
  readonly say: string;
}

async function checkKeys(parts: TestAccounts, { account, model, say }: Checked): Promise<void> {
  expect(account.key, `${say}: a key there is`).to.not.equal(null);
  for (const old of model.oldKeys.slice(-20)) expect(await parts.admit(old), say).to.deep.equal({ rejected: 'key' });
  if (model.key === undefined) return;
  const works = hasKey(account, model.key);
  if (model.underWay !== 'regenerate') expect(works, `${say}: the acknowledged key`).to.equal(true);
  const { rejected } = await parts.admit(model.key);
  expect(rejected, say).to.equal(works ? null : 'key');
}

async function checkSessions(parts: TestAccounts, { model, say }: Checked): Promise<void> {
  for (const token of [...model.ended].slice(-20))
    expect(await rejection(parts.sessions.byCookie(token)), `${say}: an ended session`).to.equal('session_ended');
  // Skips the sessions if the kill interrupted a change that ends one session, because the test doesn't know which
  // session.
  if (model.underWay === 'end' || model.live.size === 0) return;
  const outcomes = new Set<unknown>();
  for (const token of model.live) outcomes.add(await rejection(parts.sessions.byCookie(token)));
  expect(outcomes.size, `${say}: all sessions ended, or none`).to.equal(1);
  if (model.underWay !== 'end-all') expect([...outcomes], `${say}: live sessions`).to.deep.equal(['no rejection']);
}

/** Checks that the newest key in the audit log is the account's current key. */
async function checkRecord(parts: TestAccounts, account: Account, { key }: Model): Promise<void> {
  const events = await parts.audit.read(account.id, { limit: 200 });
  const hints = events.flatMap(({ detail }) => (detail?.token === 'API key' ? [detail.hint] : []));
  if (hints.length > 0) expect(hints[0], 'the newest key on record').to.equal(account.key?.hint);
  if (key !== undefined && hints.length > 1) expect(hints).to.include(key.slice(-4));
}

/** Updates the model with the stored account, which shows whether the interrupted change was saved. */
async function adopt(parts: TestAccounts, account: Account, model: Model): Promise<void> {
  model.underWay = undefined;
  model.tier = account.tier;
  if (model.key !== undefined && !hasKey(account, model.key)) replaceKey(model, undefined);
  for (const token of [...model.live])
    if ((await rejection(parts.sessions.byCookie(token))) === 'session_ended') end(model, [token]);
}

async function ready(): Promise<ChildProcess> {
  const child = fork(FIXTURE, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  await once(child, 'message');
  return child;
}

interface Tally {
  acknowledged: number;
  interrupted: number;
}

/**
 * Starts processes on one database, and kills them one after the other. Returns the numbers of acknowledged and
 * interrupted changes.
 */
async function killAgainAndAgain(kills: number): Promise<Tally> {
  const { path: dataDir, remove } = temporaryDir();
  const models = new Map<AccountId, Model>();
  const first = await openTestAccounts({ dataDir });
  for (let index = 0; index < ACCOUNTS; index++) {
    const { account, apiKey } = someAccount();
    await first.accounts.insert(account);
    models.set(account.id, {
      id: account.id,
      key: apiKey,
      oldKeys: [],
      live: new Set(),
      ended: new Set(),
      tier: 'free',
      underWay: undefined,
    });
  }
  await first.close();

  const tally = { acknowledged: 0, interrupted: 0 };
  let next = ready();
  for (let kill = 0; kill < kills; kill++) {
    const child = await next;
    // Starts the next process now, because loading its modules takes time.
    if (kill < kills - 1) next = ready();
    child.on('message', (report: Report) => {
      const model = models.get(report.id);
      if (model) note(model, report);
      if (report.phase === 'done') tally.acknowledged += 1;
    });
    const closed = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    child.send({ dataDir, ids: [...models.keys()] });
    // Waits for a number of changes. A fixed time could be too short for them on a busy machine.
    const wanted = MIN_CHANGES + Math.floor(Math.random() * MORE_CHANGES);
    const before = tally.acknowledged;
    while (tally.acknowledged - before < wanted) await once(child, 'message');
    await sleep(Math.random() * LAST_CHANGE_MS);
    expect(child.exitCode, 'it ended by itself').to.equal(null);
    child.kill('SIGKILL');
    await closed;
    tally.interrupted += [...models.values()].filter(({ underWay }) => underWay !== undefined).length;
    const parts = await openTestAccounts({ dataDir });
    for (const model of models.values()) await check(parts, model);
    await parts.close();
  }
  remove();
  return tally;
}

describe('a process that is killed while it changes accounts', () => {
  it(`loses no acknowledged change, ${KILLS} times`, async () => {
    const tallies = await Promise.all(Array.from({ length: DATABASES }, () => killAgainAndAgain(KILLS / DATABASES)));
    const sum = (of: keyof Tally): number => tallies.reduce((total, tally) => total + tally[of], 0);
    expect(sum('acknowledged')).to.be.at.least(KILLS * MIN_CHANGES);
    expect(sum('interrupted'), 'kills that hit a change').to.be.above(KILLS);
  });
});
