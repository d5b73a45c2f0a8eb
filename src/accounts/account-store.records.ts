// Account store, the same code for SQLite and MongoDB. It keeps accounts as records in a table (`tables.ts`).
import { z } from 'zod';
import {
  accountSchema,
  emailIdentity,
  passwordRecordSchema,
  type Account,
  type AccountKey,
  type AccountId,
} from './account.js';
import { billingDueAt, SYNC_EVERY_MS } from './changes/billing.js';
import { tierEndsAt } from './tier.js';
import { keyId } from './key-format.js';
import { MAX_RETRY_DELAY_MS } from './pending-mail.js';
import { SESSION_ABSOLUTE_MS, sessionEnd } from './session.js';
import { instant, type RecordOf } from '../platform/stores/stored-record.js';
import { DAY_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { AccountStore, DueWork } from './account-store.js';
import type { Tables, Query, Where, TableDefinition } from '../platform/stores/tables.js';
import { auditEntry } from './audit-log.records.js';

const storedAccountSchema = accountSchema.extend({
  /**
   * Time of the last use of each key, by `keyId`. It replaces `lastUsedAt` in the key, which is not written when the
   * key is used. Null if the key no longer exists.
   */
  lastUses: z.record(z.string(), instant.nullable()).default({}),
});
type StoredAccount = RecordOf<typeof storedAccountSchema>;

export const ACCOUNTS = {
  name: 'accounts',
  schema: storedAccountSchema,
  derived,
  log: 'audit',
  unversionedField: 'lastUses',
} satisfies TableDefinition<typeof storedAccountSchema>;
const PASSWORD = { name: 'passwordRecord', schema: passwordRecordSchema };

/** Another store with data of accounts. An account's data is removed from this store together with the account. */
interface History {
  remove(id: AccountId): Promise<void>;
}

export function createAccountStore(table: Tables, histories: readonly History[]): AccountStore {
  const accounts = table(ACCOUNTS);

  async function findOne(where: Where): Promise<Account | undefined> {
    const [found] = await accounts.find({ where, limit: 1 });
    return found && accountOf(found);
  }

  return {
    async insert(account, events = []) {
      const outcome = await accounts.insert([{ ...account, lastUses: {} }], events.map(auditEntry));
      if (outcome === 'inserted') return outcome;
      if (outcome.taken === 'emailIdentity') return 'email_taken';
      throw new Error(`another account has the same ${outcome.taken}`);
    },

    find: (id) => findOne({ id }),
    findByEmail: (identity) => findOne({ emailIdentity: identity }),
    findByCustomer: (customerId) => findOne({ 'billing.customerId': customerId }),
    passwordOf: (identity) => accounts.part(PASSWORD, { emailIdentity: identity }),

    async save(account, events = [], from) {
      const lastUses = from ? usesOfLostKeys(from, account) : {};
      const outcome = await accounts.replace({ ...account, lastUses }, events.map(auditEntry));
      if (typeof outcome === 'string') return outcome === 'replaced';
      if (outcome.taken === 'emailIdentity') throw new AppError('email_taken');
      throw new Error(`another account has the same ${outcome.taken}`);
    },

    async remove(id) {
      const where = { id, deleting: true };
      if ((await accounts.count(where)) === 0) return;
      // The account itself is removed last. If the removal is interrupted, a job therefore finds the account and
      // repeats the removal.
      for (const history of histories) await history.remove(id);
      await accounts.remove(where);
    },

    async list({ after = '' as AccountId, limit }) {
      const found = await accounts.find({ where: { id: { gt: after } }, sort: { id: 'ascending' }, limit });
      return found.map(accountOf);
    },

    due: async (work, now, limit) => (await accounts.ids({ ...dueQuery(work, now), limit })) as AccountId[],
  };
}

function dueQuery(work: DueWork, now: Date): Query {
  const due = (longestMs: number) => ({ by: now, farAhead: new Date(now.getTime() + longestMs) });
  switch (work) {
    case 'expiry':
      return { where: { tidyAt: due(SESSION_ABSOLUTE_MS) } };
    case 'mail':
      return { where: { mailAt: due(MAX_RETRY_DELAY_MS) } };
    case 'billing':
      return { where: { billingAt: due(SYNC_EVERY_MS) }, sort: { billingAt: 'ascending' } };
    case 'features':
      return { where: { featuresAt: due(DAY_MS) }, sort: { featuresAt: 'ascending' } };
    case 'deletion':
      return { where: { deleting: true } };
  }
}

/**
 * Returns the columns that are computed from the account: the identity of the e-mail address, and the times at which
 * the account needs work. The end of the tier (`tierEndsAt`) is also a column, because metered requests with SQLite
 * read it.
 */
function derived(account: StoredAccount) {
  const { email, sessions, links, mails, features } = account;
  return {
    emailIdentity: emailIdentity(email),
    tidyAt: earliest([...sessions.map(sessionEnd), ...links.map(({ expiresAt }) => expiresAt)]),
    mailAt: earliest(mails.map(({ dueAt }) => dueAt)),
    billingAt: billingDueAt(account),
    featuresAt: earliest(Object.values(features).flatMap(({ dueAt }) => (dueAt === null ? [] : [new Date(dueAt)]))),
    tierEndsAt: tierEndsAt(account) ?? undefined,
  };
}

function accountOf({ lastUses, ...account }: StoredAccount): Account {
  const { key, publishableKeys } = account;
  const used = <Key extends Pick<AccountKey, 'lastUsedAt'>>(stored: Key, id: string): Key => ({
    ...stored,
    lastUsedAt: lastUses[id] ?? stored.lastUsedAt,
  });
  return {
    ...account,
    key: key && used(key, keyId(key.hash)),
    publishableKeys: publishableKeys.map((stored) => used(stored, stored.id)),
  };
}

/**
 * Returns `keyId` → null for each key of `from` that `to` does not have. The null deletes the stored time of the key's
 * last use.
 */
function usesOfLostKeys(from: Account, to: Account): Record<string, null> {
  const kept = new Set(keyIds(to));
  return Object.fromEntries(keyIds(from).flatMap((id) => (kept.has(id) ? [] : [[id, null]])));
}

function keyIds({ key, publishableKeys }: Account): readonly string[] {
  return [...(key ? [keyId(key.hash)] : []), ...publishableKeys.map(({ id }) => id)];
}

function earliest(times: readonly Date[]): Date | undefined {
  return times.length === 0 ? undefined : new Date(Math.min(...times.map((time) => time.getTime())));
}
