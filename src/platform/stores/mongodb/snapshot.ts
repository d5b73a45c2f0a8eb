// Snapshot of the database: all reads of a session see the same state, although processes continue to write.
import { MongoServerError, type ClientSession, type MongoClient } from 'mongodb';
import { SnapshotTooOldError } from '../../errors.js';

/** Code of the error SnapshotTooOld (github.com/mongodb/mongo, src/mongo/base/error_codes.yml). */
const SNAPSHOT_TOO_OLD = 239;

/**
 * Runs `work` with a session whose reads all see one snapshot. Rejects with SnapshotTooOldError if `work` takes too
 * long.
 */
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

/**
 * Returns the options of a read in this session, or no options without a session. The options repeat the read concern,
 * because the client's read concern would override the read concern of the session.
 */
export function inSnapshot(session: ClientSession | undefined) {
  return session ? { session, readConcern: { level: 'snapshot' as const } } : {};
}
