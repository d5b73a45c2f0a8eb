// Snapshot of the database: reads of one session see it as it was at one moment, while processes write.
import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';
import { SnapshotTooOldError } from '../../errors.js';

/** github.com/mongodb/mongo, src/mongo/base/error_codes.yml */
const SNAPSHOT_TOO_OLD = 239;

/** Runs `work` with a session whose reads see one moment. Rejects with SnapshotTooOldError when it takes too long. */
export async function withSnapshotSession<Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> {
  const session = client.startSession({ snapshot: true });
  try {
    return await work(session);
  } catch (error) {
    if (!(error instanceof MongoServerError) || error.code !== SNAPSHOT_TOO_OLD) throw error;
    throw new SnapshotTooOldError({ cause: error });
  } finally {
    await session.endSession();
  }
}

/** Options of a read; without a session none. The level is repeated: the client's own would win over the session's. */
export function inSnapshot(session: ClientSession | undefined) {
  return session ? { session, readConcern: { level: 'snapshot' as const } } : {};
}
