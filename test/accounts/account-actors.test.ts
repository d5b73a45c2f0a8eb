// Concurrent changes of one account, with a real SQLite database.
import { mock } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { createAccountActors } from '../../src/accounts/account-actors.js';
import type { Account, AccountId } from '../../src/accounts/account.js';
import { unchanged, type Change } from '../../src/accounts/changes/change.js';
import { regenerateKey } from '../../src/accounts/changes/credentials.js';
import { beginDeletion } from '../../src/accounts/changes/lifecycle.js';
import { setOperatorTier } from '../../src/accounts/changes/billing.js';
import { AppError } from '../../src/platform/errors.js';
import type { Lock } from '../../src/platform/stores/locks.js';
import { backgroundSettled, openTestAccounts, rejection, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { clockAt } from '../support/clock.js';
import { repeated } from '../support/extent.js';

const BY = { kind: 'customer', address: null } as const;

/** Lock that every caller gets immediately. */
const FREE: Lock = { renew: async () => true, release: async () => undefined };

/** Change that increments the password version, so that the version counts the changes. */
function plusOne(account: Account): Change {
  return {
    account: { ...account, password: { ...account.password, version: account.password.version + 1 } },
    facts: [{ type: 'user_updated' }],
    result: undefined,
  };
}

describe('account actors', () => {
  let parts: TestAccounts;
  beforeEach(async () => {
    parts = await openTestAccounts();
  });
  afterEach(() => parts.close());

  async function customer(): Promise<{ id: AccountId; apiKey: string }> {
    const { account, apiKey } = someAccount();
    await parts.accounts.insert(account);
    return { id: account.id, apiKey };
  }
  const regenerate = (id: AccountId): Promise<string> =>
    parts.actors.run(id, BY, (account, at) => regenerateKey(account, undefined, at)).then(({ raw }) => raw);
  async function workingKeys(keys: readonly string[]): Promise<string[]> {
    const admissions = await Promise.all(keys.map((key) => parts.admit(key)));
    return keys.filter((_, index) => admissions[index]?.rejected === null);
  }

  it('gives a different key to each of 50 concurrent regenerations, and only the last committed key works', async () => {
    const { id, apiKey } = await customer();
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => regenerate(id)));
    const keys = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const rejections = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as AppError).code] : [],
    );
    expect(keys.length).to.be.at.least(33);
    expect(new Set(keys).size).to.equal(keys.length);
    expect(new Set(rejections)).to.deep.equal(new Set(['busy']));
    expect(await workingKeys([apiKey, ...keys])).to.deep.equal([keys.at(-1)]);
    const stored = await parts.accounts.find(id);
    expect(stored?.version).to.be.at.least(1 + keys.length);
    const created = (await parts.audit.read(id, { limit: 100 })).filter(({ type }) => type === 'authn_token_created');
    expect(created.map(({ detail }) => detail?.hint)).to.deep.equal(keys.map((key) => key.slice(-4)).reverse());
  });

  it('rejects the old key and admits the new one from the moment a regeneration resolves, however often', async () => {
    const { id, apiKey } = await customer();
    let current = apiKey;
    for (let round = 0; round < repeated(1000, 3000); round++) {
      const next = await regenerate(id);
      const [old, fresh] = await Promise.all([parts.admit(current), parts.admit(next)]);
      if (old.rejected !== 'key' || fresh.rejected !== null)
        expect.fail(`round ${round}: ${JSON.stringify({ old, fresh })}`);
      current = next;
      // Runs the background work that sends the queued notices. The service does this between requests.
      if (round % 100 === 0) await backgroundSettled();
    }
  });

  it('loses no change when two services work on one database', async () => {
    const beside = await openTestAccounts({ dataDir: parts.dataDir });
    const { id } = await customer();
    const before = (await parts.accounts.find(id))!;
    const outcomes: unknown[] = [];
    for (let wave = 0; wave < 10; wave++) {
      outcomes.push(
        ...(await Promise.all(
          Array.from({ length: 40 }, (_, index) => rejection((index % 2 ? parts : beside).actors.run(id, BY, plusOne))),
        )),
      );
    }
    expect(new Set(outcomes)).to.deep.equal(new Set(['no rejection']));
    const after = (await parts.accounts.find(id))!;
    expect(after.password.version).to.equal(before.password.version + 400);
    expect(await parts.audit.read(id, { limit: 500 })).to.have.length(400);
    await beside.close();
  });

  it('decides again from the newer account when another process saved first', async () => {
    const { id } = await customer();
    let meddled = 0;
    const seen: number[] = [];
    const meddling = createAccountActors({
      accounts: {
        find: async (wanted) => {
          const found = await parts.accounts.find(wanted);
          // Simulates another process: it saves the account between this read and the actor's save.
          if (found && meddled++ < 3) await parts.accounts.save({ ...found, tier: 'pro', version: found.version + 1 });
          return found;
        },
        save: (account, events) => parts.accounts.save(account, events),
      },
      locks: { acquire: async () => FREE },
      now: Date.now,
    });
    await meddling.run(id, BY, (account) => {
      seen.push(account.version);
      return plusOne(account);
    });
    expect(seen).to.deep.equal([1, 2, 3, 4]);
    expect(await parts.accounts.find(id)).to.deep.include({ tier: 'pro', version: 5 });
    expect(await parts.audit.read(id, { limit: 10 })).to.have.length(1);
  });

  it("waits for the lock no longer than the rest of the mailbox's time limit", async () => {
    const { id } = await customer();
    const waits: number[] = [];
    const release = () => new Promise<void>((resolve) => setTimeout(resolve, 20));
    const acquire = async (_name: string, { waitMs }: { readonly waitMs: number }) => {
      waits.push(waitMs);
      return { ...FREE, release };
    };
    const actors = createAccountActors({ accounts: parts.accounts, locks: { acquire }, now: Date.now });
    await Promise.all([1, 2, 3].map(() => actors.run(id, BY, plusOne)));
    const [first = 0, second = 0, third = 0] = waits;
    expect([first <= 5000, second < first, third < second]).to.deep.equal([true, true, true]);
  });

  it('renews its lock in time while a change takes longer than the lock, and no longer', async () => {
    const { id } = await customer();
    let renewals = 0;
    let lastsMs = 0;
    const lock: Lock = { ...FREE, renew: async () => (renewals += 1) > 0 };
    const acquire = async (_name: string, { expiresAfterMs }: { readonly expiresAfterMs: number }) => {
      lastsMs = expiresAfterMs;
      return lock;
    };
    const actors = createAccountActors({ accounts: parts.accounts, locks: { acquire }, now: Date.now });
    mock.timers.enable({ apis: ['setInterval'] });
    try {
      const renewed: number[] = [];
      const prepare = async () => {
        for (let round = 0; round < 3; round++) {
          const before = renewals;
          mock.timers.tick(lastsMs - 1);
          renewed.push(renewals - before);
        }
      };
      await actors.runPrepared(id, BY, { prepare, decide: plusOne });
      for (const count of renewed) expect(count).to.be.at.least(1);
      const after = renewals;
      mock.timers.tick(10 * lastsMs);
      expect(renewals, 'after the change').to.equal(after);
    } finally {
      mock.timers.reset();
    }
  });

  it('rejects as `conflict` when no save succeeds, and as `busy` without the lock', async () => {
    const { id } = await customer();
    const accounts = { find: (wanted: AccountId) => parts.accounts.find(wanted), save: async () => false };
    const outcome = (lock: Lock | undefined) =>
      rejection(
        createAccountActors({ accounts, locks: { acquire: async () => lock }, now: Date.now }).run(id, BY, plusOne),
      );
    expect([await outcome(FREE), await outcome(undefined)]).to.deep.equal(['conflict', 'busy']);
  });

  it('runs one change at a time, even if the last one of a mailbox ends while another times out', async () => {
    const { id } = await customer();
    /**
     * Pairs of delays, in microtasks. They separate three events: the first change ends, then the second change times
     * out, then the third change starts.
     */
    const delays = Array.from({ length: 100 }, (_, index) => [Math.floor(index / 10), index % 10] as const);
    const outcomes = new Set<unknown>();
    for (const [between, after] of delays) {
      const ends: (() => void)[] = [];
      let working = 0;
      let most = 0;
      const actors = createAccountActors({
        accounts: parts.accounts,
        locks: {
          // Simulates an expired lock, which several changes can hold at once. A change ends when the test calls its
          // function in `ends`.
          acquire: async () => {
            most = Math.max(most, ++working);
            const ended = new Promise<void>((resolve) => ends.push(resolve)).finally(() => working--);
            return { ...FREE, release: () => ended };
          },
        },
        now: Date.now,
      });
      const change = (): Promise<unknown> => rejection(actors.run(id, BY, unchanged));
      mock.timers.enable({ apis: ['setTimeout'] });
      try {
        const last = change();
        const givenUp = change();
        await nextTurn();
        ends.shift()?.();
        for (let count = 0; count < between; count++) await Promise.resolve();
        mock.timers.tick(5000);
        for (let count = 0; count < after; count++) await Promise.resolve();
        const next = change();
        await nextTurn();
        const afterNext = change();
        await nextTurn();
        expect(most, `after ${between} and ${after} microtasks`).to.equal(1);
        for (let count = 0; count < 3; count++) {
          ends.shift()?.();
          await nextTurn();
        }
        expect(await Promise.all([last, next, afterNext])).to.deep.equal([
          'no rejection',
          'no rejection',
          'no rejection',
        ]);
        outcomes.add(await givenUp);
      } finally {
        mock.timers.reset();
      }
    }
    expect(outcomes, 'the moment was met from both sides').to.deep.equal(new Set(['busy', 'no rejection']));
  });

  it('writes nothing for a change that changes nothing, and nothing when deciding fails', async () => {
    const { id } = await customer();
    const before = await parts.accounts.find(id);
    await parts.actors.run(id, BY, (account, at) => setOperatorTier(account, null, at));
    expect(
      await rejection(
        parts.actors.run(id, BY, () => {
          throw new AppError('forbidden');
        }),
      ),
    ).to.equal('forbidden');
    expect(await parts.accounts.find(id)).to.deep.equal(before);
    expect(await parts.audit.read(id, { limit: 10 })).to.deep.equal([]);
    await parts.actors.run(id, BY, (account, at) => setOperatorTier(account, 'pro', at));
    expect(await parts.accounts.find(id)).to.have.property('tier', 'pro');
  });

  it('rejects with `not_found` for an account that is missing or being deleted', async () => {
    const { id, apiKey } = await customer();
    await parts.actors.run(id, BY, (account, at) => beginDeletion(account, undefined, at));
    expect(await rejection(parts.actors.run(id, BY, plusOne))).to.equal('not_found');
    expect(await rejection(parts.actors.run('nobody' as AccountId, BY, plusOne))).to.equal('not_found');
    expect(await parts.admit(apiKey)).to.deep.equal({ rejected: 'key' });
  });

  it('records events in the order of the changes, even within one millisecond', async () => {
    const frozen = await openTestAccounts({ now: clockAt().now, dataDir: parts.dataDir });
    const { id } = await customer();
    const tiers = ['pro', 'free', 'enterprise', 'internal', 'free', 'pro'] as const;
    for (const tier of tiers) await frozen.actors.run(id, BY, (account, at) => setOperatorTier(account, tier, at));
    const events = await frozen.audit.read(id, { limit: 10 });
    expect(events.map(({ detail }) => detail?.to)).to.deep.equal([...tiers].reverse());
    await frozen.close();
  });
});
