// Migration of the database by idempotent steps, which one process applies while others wait.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Db } from 'mongodb';
import { isDuplicate, orUnavailable } from './driver-error.js';

/** Never changed once it was released. */
export interface Migration {
  /** Unique, applied in the order of the list. */
  readonly id: string;
  /** Steps of unreleased versions, whose databases may have them. */
  readonly replaces?: readonly string[];
  /** Safe to run again: its process may have died before it was recorded. */
  apply(db: Db): Promise<void>;
}

/** The database is of a newer release, or of a version before the first. */
export class OtherSchemaError extends Error {
  override readonly name = 'OtherSchemaError';
}

interface Applied {
  readonly _id: string;
  readonly appliedAt: Date;
}

interface LockDocument {
  readonly _id: 'lease';
  readonly holder: string;
  readonly until: Date;
}

/** A process that died is given up after this; one that lives renews its lock in time, however long a step takes. */
const LOCK_MS = 15_000;
const RENEW_MS = 5000;
const RETRY_MS = 200;

/**
 * Resolves when all of `steps` are applied, by this process or another. Rejects with OtherSchemaError when others are, too,
 * and with AppError `unavailable`.
 */
export async function migrate(db: Db, steps: readonly Migration[]): Promise<void> {
  await orUnavailable(async () => {
    const lock = createLock(db.collection<LockDocument>('migrations'));
    while ((await missing(db, steps)).length > 0) {
      if (await lock.acquire()) await lock.hold(() => applyAll(db, steps));
      else await sleep(RETRY_MS);
    }
  });
}

async function applyAll(db: Db, steps: readonly Migration[]): Promise<void> {
  // Read again: another process may have applied some before it released the lock.
  for (const step of await missing(db, steps)) {
    await step.apply(db);
    await applied(db).updateOne({ _id: step.id }, { $setOnInsert: { appliedAt: new Date() } }, { upsert: true });
  }
}

async function missing(db: Db, steps: readonly Migration[]): Promise<readonly Migration[]> {
  const found = await applied(db)
    .find({ appliedAt: { $exists: true } })
    .toArray();
  const ids = new Set(found.map(({ _id }) => _id));
  const unknown = unknownIds(steps, [...ids]);
  if (unknown.length > 0)
    throw new OtherSchemaError(`the database is of a newer release (it has ${unknown.join(', ')})`);
  for (const { id, replaces = [] } of steps)
    if (!ids.has(id) && ids.size > 0 && !replaces.every((replaced) => ids.has(replaced)))
      throw new OtherSchemaError(`the database is of a version before ${id}, which this release cannot read`);
  return steps.filter(({ id }) => !ids.has(id));
}

/** Those that no step of this release has. */
export function unknownIds(steps: readonly Migration[], ids: readonly string[]): string[] {
  const known = new Set(steps.flatMap(({ id, replaces = [] }) => [id, ...replaces]));
  return ids.filter((id) => !known.has(id));
}

function applied(db: Db): Collection<Applied> {
  return db.collection<Applied>('migrations');
}

/** A lock that lapses by the server's clock: those of the processes need not agree. */
function createLock(locks: Collection<LockDocument>) {
  const holder = randomUUID();
  const until = { $add: ['$$NOW', LOCK_MS] };

  async function renew(): Promise<void> {
    await locks.updateOne({ _id: 'lease', holder }, [{ $set: { until } }]);
  }

  return {
    /** False while another process has it. */
    async acquire(): Promise<boolean> {
      try {
        // An upsert cannot compare with the server's time, so that the document is created first, as one that has lapsed.
        await locks.insertOne({ _id: 'lease', holder: '', until: new Date(0) });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      const taken = await locks.updateOne({ _id: 'lease', $expr: { $lt: ['$until', '$$NOW'] } }, [
        { $set: { holder, until } },
      ]);
      return taken.modifiedCount === 1;
    },

    /** Runs `work` and releases the lock. */
    async hold(work: () => Promise<void>): Promise<void> {
      const timer = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
      try {
        await work();
      } finally {
        clearInterval(timer);
        await locks.updateOne({ _id: 'lease', holder }, { $set: { until: new Date(0) } });
      }
    },
  };
}
