// Mover of audit events from the accounts' documents to the audit log, in the background.
import type { Collection } from 'mongodb';
import type { AccountId } from '../../../domain/account/account.js';
import type { MongoConnection } from '../connection.js';
import { inTime } from '../driver-error.js';
import type { AccountDocument } from './account-document.js';
import { auditDocument, insertMissing, type AuditDocument } from './audit-log.js';

const INTERVAL_MS = 1000;
/** Accounts whose events are moved together. */
const BATCH = 200;
/** Batches of one run. */
const MAX_BATCHES = 10;
/** Those of processes that died: moved by whichever looks first, after this time. */
const LEFT_BEHIND_MS = 10_000;
/** Beyond, an account is left to those that look for what was left behind. */
const MAX_NOTED = 100_000;

export interface EventMover {
  /** There are events in this account's document; they are moved soon. */
  noteEvents(id: AccountId): void;
  /** Moves the events of these accounts. Repeating it, or doing it in two processes at once, does no harm. */
  move(ids: readonly AccountId[]): Promise<void>;
  /** Moves what this process has noted. */
  moveAll(): Promise<void>;
  /** Stops moving; what is left stays with its accounts. */
  close(): void;
}

interface Options {
  readonly mongo: Pick<MongoConnection, 'db'>;
  /** ms since the epoch */
  readonly now: () => number;
  /** A run failed; the next one tries again. */
  readonly onFailure: (error: unknown) => void;
}

export function openEventMover({ mongo: { db }, now, onFailure }: Options): EventMover {
  const accounts = db.collection<AccountDocument>('accounts');
  const audit = db.collection<AuditDocument>('audit');
  const noted = new Set<AccountId>();
  let running: Promise<void> | undefined;
  let lookedAtMs = 0;

  async function moveNoted(maxBatches: number): Promise<void> {
    for (let batches = 0; noted.size > 0 && batches < maxBatches; batches++) {
      const ids = [...noted].slice(0, BATCH);
      for (const id of ids) noted.delete(id);
      try {
        await moveEvents(accounts, audit, ids);
      } catch (error) {
        for (const id of ids) noted.add(id);
        throw error;
      }
    }
  }

  async function noteLeftBehind(): Promise<void> {
    if (performance.now() - lookedAtMs < LEFT_BEHIND_MS) return;
    lookedAtMs = performance.now();
    const before = new Date(now() - LEFT_BEHIND_MS);
    const found = await inTime(() =>
      accounts.find({ eventsAt: { $lt: before } }, { projection: { _id: 1 }, limit: BATCH * MAX_BATCHES }).toArray(),
    );
    for (const { _id } of found) noted.add(_id as AccountId);
  }

  async function run(): Promise<void> {
    try {
      await noteLeftBehind();
      await moveNoted(MAX_BATCHES);
    } catch (error) {
      onFailure(error);
    }
  }

  const timer = setInterval(() => {
    running ??= run().finally(() => (running = undefined));
  }, INTERVAL_MS);
  timer.unref();

  return {
    noteEvents(id) {
      if (noted.size < MAX_NOTED) noted.add(id);
    },
    move: (ids) => moveEvents(accounts, audit, ids),
    async moveAll() {
      await running;
      await moveNoted(Infinity);
    },
    close: () => clearInterval(timer),
  };
}

/** Inserted first, removed after: a crash between leaves them in both, and readers take them once. */
async function moveEvents(
  accounts: Collection<AccountDocument>,
  audit: Collection<AuditDocument>,
  ids: readonly AccountId[],
): Promise<void> {
  const found = await inTime(() =>
    accounts.find({ _id: { $in: [...ids] }, 'events.0': { $exists: true } }, { projection: { events: 1 } }).toArray(),
  );
  if (found.length === 0) return;
  await inTime(() =>
    insertMissing(
      audit,
      found.flatMap(({ _id, events }) => events.map((event) => auditDocument(_id as AccountId, event))),
    ),
  );
  await inTime(() =>
    accounts.bulkWrite(
      found.map(({ _id, events }) => ({
        updateOne: { filter: { _id }, update: withoutEvents(events.map(({ id }) => id)) },
      })),
      { ordered: false },
    ),
  );
}

/** An update in stages: `eventsAt` goes with the last event, in the same write. */
function withoutEvents(ids: readonly string[]) {
  const kept = { $filter: { input: '$events', cond: { $not: [{ $in: ['$$this.id', ids] }] } } };
  return [
    { $set: { events: kept } },
    { $set: { eventsAt: { $cond: [{ $eq: ['$events', []] }, '$$REMOVE', '$eventsAt'] } } },
  ];
}
