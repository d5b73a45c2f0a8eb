// Account store in MongoDB: one document per account, with the events of its changes until they are moved.
import type { Collection, Filter, UpdateFilter } from 'mongodb';
import type { Account, AccountId } from '../../../domain/account/account.js';
import type { AuditEvent } from '../../../domain/account/audit-event.js';
import { SYNC_EVERY_MS } from '../../../domain/account/changes/billing.js';
import { MAX_RETRY_DELAY_MS } from '../../../domain/account/pending-mail.js';
import { SESSION_ABSOLUTE_MS } from '../../../domain/account/session.js';
import { randomBase62 } from '../../../domain/base62.js';
import { AppError } from '../../../errors.js';
import type { AccountStore, DueWork } from '../../../ports/account-store.js';
import type { MongoConnection } from '../connection.js';
import { duplicateOf, inTime, isDuplicate } from '../driver-error.js';
import {
  accountOf,
  carried,
  dueTimesOf,
  fieldsOf,
  NOT_OF_ACCOUNT,
  PASSWORD_FIELDS,
  passwordRecordOf,
  type AccountDocument,
} from './account-document.js';
import type { AdmissionRecords } from './admission-records.js';
import { createAnnouncedChanges, type AnnouncedChanges } from './announced-change.js';
import { certainly } from './certain-write.js';
import type { EventMover } from './event-mover.js';

/** Versions back to which a lost answer can be resolved. */
const KEPT_WRITE_IDS = 8;
const WRITE_ID_LENGTH = 10;
/** Tries to remove an account to which events are added meanwhile. */
const MAX_REMOVALS = 5;

interface Options {
  readonly mongo: Pick<MongoConnection, 'db'>;
  readonly records: AdmissionRecords;
  readonly mover: EventMover;
}

type Accounts = Collection<AccountDocument>;

export function createMongoAccountStore({ mongo: { db }, records, mover }: Options): AccountStore {
  const accounts = db.collection<AccountDocument>('accounts');
  const changes = createAnnouncedChanges(records);

  async function findOne(filter: Filter<AccountDocument>): Promise<Account | undefined> {
    const document = await inTime(() => accounts.findOne(filter, { projection: NOT_OF_ACCOUNT }));
    if (!document) return undefined;
    const account = accountOf(document);
    changes.remember(account);
    return account;
  }

  return {
    async insert(account, events = []) {
      assertDistinct(events);
      const outcome = await changes.write(
        account,
        () => insert(accounts, account, events),
        (result) => result === 'written',
      );
      if (outcome === 'rejected') return 'email_taken';
      if (events.length > 0) mover.noteEvents(account.id);
      return 'inserted';
    },

    find: (id) => findOne({ _id: id }),
    findByEmail: (identity) => findOne({ emailIdentity: identity }),
    findByCustomer: (customerId) => findOne({ 'billing.customerId': customerId }),

    async passwordOf(identity) {
      const document = await inTime(() =>
        accounts.findOne({ emailIdentity: identity }, { projection: PASSWORD_FIELDS }),
      );
      return document ? passwordRecordOf(document) : undefined;
    },

    async save(account, events = []) {
      assertDistinct(events);
      const outcome = await changes.write(
        account,
        () => save(accounts, account, events),
        (result) => result === 'written',
      );
      if (outcome === 'taken') throw new AppError('email_taken');
      if (outcome === 'written' && events.length > 0) mover.noteEvents(account.id);
      return outcome === 'written';
    },

    remove: (id) => remove({ mongo: { db }, mover }, changes, id),

    async list({ after = '' as AccountId, limit }) {
      const documents = await inTime(() =>
        accounts.find({ _id: { $gt: after } }, { projection: NOT_OF_ACCOUNT, sort: { _id: 1 }, limit }).toArray(),
      );
      return documents.map(accountOf);
    },

    due: (work, now, limit) => due(accounts, { work, now, limit }),
  };
}

async function insert(
  accounts: Accounts,
  account: Account,
  events: readonly AuditEvent[],
): Promise<'written' | 'rejected'> {
  const writeId = randomBase62(WRITE_ID_LENGTH);
  const document = newDocument(account, events, writeId);
  const { _id, emailIdentity } = document;
  let duplicate: unknown;
  const outcome = await certainly({
    async attempt() {
      try {
        await accounts.insertOne(document);
        return 'written';
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        duplicate = error;
        return 'rejected';
      }
    },
    async readBack() {
      const stored = await accounts.findOne({ _id }, { projection: { writeIds: 1 } });
      if (stored) return stored.writeIds.includes(writeId) ? 'written' : 'rejected';
      return (await accounts.findOne({ emailIdentity }, { projection: { _id: 1 } })) ? 'rejected' : 'undecided';
    },
  });
  // Another account with this id or customer: that is no outcome, but a bug.
  if (outcome === 'rejected' && duplicateOf(duplicate)?.includes('emailIdentity') === false) throw duplicate;
  return outcome;
}

function newDocument(account: Account, events: readonly AuditEvent[], writeId: string): AccountDocument {
  const { key } = account;
  const [first] = events;
  return {
    ...fieldsOf(account),
    ...dueTimesOf(account),
    ...(key?.lastUsedAt && { keyUse: { hash: key.hash, at: key.lastUsedAt } }),
    writeIds: [writeId],
    events: events.map(carried),
    ...(first && { eventsAt: first.at }),
  };
}

/** Compare and set: rejected unless the stored version is the one before. `taken`: another account has its address. */
function save(
  accounts: Accounts,
  account: Account,
  events: readonly AuditEvent[],
): Promise<'written' | 'taken' | 'rejected'> {
  const { id: _id, version } = account;
  const writeId = randomBase62(WRITE_ID_LENGTH);
  const update = updateOf(account, events, writeId);
  return certainly({
    async attempt() {
      try {
        const { matchedCount } = await accounts.updateOne({ _id, version: version - 1 }, update);
        return matchedCount === 1 ? 'written' : 'rejected';
      } catch (error) {
        if (duplicateOf(error)?.includes('emailIdentity') === true) return 'taken';
        throw error;
      }
    },
    async readBack() {
      const stored = await accounts.findOne({ _id }, { projection: { version: 1, writeIds: 1 } });
      if (!stored) return 'rejected';
      if (stored.version < version) return 'undecided';
      if (stored.writeIds.includes(writeId)) return 'written';
      if (stored.version - version < KEPT_WRITE_IDS) return 'rejected';
      throw new AppError('unavailable', 'It is not known whether the change was saved.');
    },
  });
}

function updateOf(account: Account, events: readonly AuditEvent[], writeId: string): UpdateFilter<AccountDocument> {
  const times = dueTimesOf(account);
  const absent = (['tidyAt', 'mailAt', 'billingAt'] as const).filter((name) => times[name] === undefined);
  const [first] = events;
  return {
    // Without `keyUse`: admissions write it meanwhile.
    $set: { ...fieldsOf(account), ...times },
    ...(absent.length > 0 && { $unset: Object.fromEntries(absent.map((name) => [name, ''])) }),
    $push: {
      writeIds: { $each: [writeId], $slice: -KEPT_WRITE_IDS },
      ...(first && { events: { $each: events.map(carried) } }),
    },
    // Sets it where there is none.
    ...(first && { $min: { eventsAt: first.at } }),
  };
}

/** Its events move to the audit log first, and its document goes last: an interrupted removal stays due. */
async function remove(
  { mongo: { db }, mover }: Omit<Options, 'records'>,
  changes: AnnouncedChanges,
  id: AccountId,
): Promise<void> {
  const accounts = db.collection<AccountDocument>('accounts');
  const isDeleting = () => inTime(() => accounts.findOne({ _id: id, deleting: true }, { projection: { _id: 1 } }));
  if (!(await isDeleting())) return;
  await changes.remove(id, async () => {
    for (let tries = 0; tries < MAX_REMOVALS; tries++) {
      await mover.move([id]);
      await inTime(() => db.collection('usage').deleteMany({ accountId: id }));
      await inTime(() =>
        db.collection<{ readonly _id: string }>('responses').deleteMany({ _id: { $gte: `${id}:`, $lte: `${id}:~` } }),
      );
      await inTime(() => accounts.deleteOne({ _id: id, deleting: true, 'events.0': { $exists: false } }));
      if (!(await isDeleting())) return;
    }
    throw new AppError('unavailable', 'Events are still added to an account that is being removed.');
  });
}

interface DueQuery {
  readonly work: DueWork;
  readonly now: Date;
  readonly limit: number;
}

async function due(accounts: Accounts, { work, now, limit }: DueQuery): Promise<readonly AccountId[]> {
  // Ends of plans wait for no daily sync.
  const sort = work === 'billing' ? { billingAt: 1 as const } : {};
  const options = { projection: { _id: 1 }, limit, sort };
  const found = await inTime(() => accounts.find(dueFilter(work, now), options).toArray());
  return found.map(({ _id }) => _id as AccountId);
}

/** A time further ahead than any valid one was written by a wrong clock, so it counts as due. */
function dueFilter(work: DueWork, now: Date): Filter<AccountDocument> {
  const ahead = (ms: number): Date => new Date(now.getTime() + ms);
  switch (work) {
    case 'expiry':
      return { $or: [{ tidyAt: { $lte: now } }, { tidyAt: { $gt: ahead(SESSION_ABSOLUTE_MS) } }] };
    case 'mail':
      return { $or: [{ mailAt: { $lte: now } }, { mailAt: { $gt: ahead(MAX_RETRY_DELAY_MS) } }] };
    case 'billing':
      return { $or: [{ billingAt: { $lte: now } }, { billingAt: { $gt: ahead(SYNC_EVERY_MS) } }] };
    case 'deletion':
      return { deleting: true };
  }
}

/** The audit log ignores an event that it has, since one may be moved twice; so the check is here. */
function assertDistinct(events: readonly AuditEvent[]): void {
  if (new Set(events.map(({ id }) => id)).size !== events.length) throw new Error('two events have the same id');
}
