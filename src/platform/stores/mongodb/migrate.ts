// Migration of the database by idempotent steps. One process applies the steps while the others wait.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Collection, Db } from 'mongodb';
import { isDuplicate, orUnavailable } from './driver-error.js';

/** Migration step. It must not be changed after its release. */
export interface Migration {
  /** Unique id. Steps are applied in the order of the list, not of the ids. */
  readonly id: string;
  /** Ids of this step in versions that were not released. */
  readonly replaces?: readonly string[];
  /** Applies the step. Must be idempotent, because a process may die before it records the step. */
  apply(db: Db): Promise<void>;
}

/** Error for a database that was written by a newer release, or by a version before the first release. */
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

/** Expiry of the lock in ms. The process that has the lock renews it regularly, so a step may take longer. */
const LOCK_MS = 15_000;
const RENEW_MS = 5000;
const RETRY_MS = 200;

/**
 * Resolves when all `steps` are applied, by this process or another one. Rejects with OtherSchemaError if the database
 * has steps that are not in `steps`, or comes from a release that is too old. Rejects with AppError `unavailable` if
 * the database cannot be used right now.
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
  // Reads the list of missing steps again, because another process may have applied steps before it released the lock.
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
    throw new OtherSchemaError(`the database belongs to a newer release (it has the migrations ${unknown.join(', ')})`);
  for (const { id, replaces = [] } of steps)
    if (!ids.has(id) && ids.size > 0 && !replaces.every((replaced) => ids.has(replaced)))
      throw new OtherSchemaError(`the database belongs to a release before ${id}, which this release cannot read`);
  return steps.filter(({ id }) => !ids.has(id));
}

/** Returns the ids of applied steps that this release does not have. */
export function unknownIds(steps: readonly Migration[], ids: readonly string[]): string[] {
  const known = new Set(steps.flatMap(({ id, replaces = [] }) => [id, ...replaces]));
  return ids.filter((id) => !known.has(id));
}

function applied(db: Db): Collection<Applied> {
  return db.collection<Applied>('migrations');
}

/** Creates a lock. Its expiry uses the server's clock, because the clocks of the processes may differ. */
function createLock(locks: Collection<LockDocument>) {
  const holder = randomUUID();
  const until = { $add: ['$$NOW', LOCK_MS] };

  async function renew(): Promise<void> {
    await locks.updateOne({ _id: 'lease', holder }, [{ $set: { until } }]);
  }

  return {
    /** Acquires the lock. Returns false if another process has it. */
    async acquire(): Promise<boolean> {
      try {
        // An upsert cannot compare with the server's time. The document is therefore first created as an expired lock.
        await locks.insertOne({ _id: 'lease', holder: '', until: new Date(0) });
      } catch (error) {
        if (!isDuplicate(error)) throw error;
      }
      const taken = await locks.updateOne({ _id: 'lease', $expr: { $lt: ['$until', '$$NOW'] } }, [
        { $set: { holder, until } },
      ]);
      return taken.modifiedCount === 1;
    },

    /** Runs `work` while renewing the lock, then releases the lock. */
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
