// Errors of the MongoDB driver that are passing faults, not bugs, and their AppError.
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { AppError } from '../../errors.js';

const PASSING = [
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerSelectionError,
  MongoStalePrimaryError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
];

/** Of the driver's connection pool; it does not export the class. */
const WAIT_QUEUE_TIMEOUT = 'MongoWaitQueueTimeoutError';

/**
 * The server's codes (github.com/mongodb/mongo, src/mongo/base/error_codes.yml) for: a node that is no primary, not yet
 * or no longer; that shuts down; that was too slow; that cannot reach the majority; whose disk is full.
 */
const PASSING_CODES: ReadonlySet<unknown> = new Set([
  6, 7, 50, 64, 89, 91, 100, 133, 134, 189, 202, 262, 9001, 10_058, 10_107, 11_600, 11_601, 11_602, 13_435, 13_436,
  14_031,
]);

/** AppError `unavailable` for a fault of the network or the servers; other errors unchanged. */
export function asAppError(error: unknown): unknown {
  return isPassing(error)
    ? new AppError('unavailable', 'The database cannot be reached right now.', { cause: error })
    : error;
}

/** Rejects as `work` does, with AppError `unavailable` for a fault of the network or the servers. */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw asAppError(error);
  }
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (error.name === WAIT_QUEUE_TIMEOUT || PASSING.some((each) => error instanceof each)) return true;
  if (error.hasErrorLabel('RetryableWriteError')) return true;
  if (error instanceof MongoBulkWriteError && isPassingBulkError(error)) return true;
  return error instanceof MongoServerError && PASSING_CODES.has(error.code);
}

/** The driver wraps whatever ends a bulk write: a lost connection is in its `errorResponse`. */
function isPassingBulkError(error: MongoBulkWriteError): boolean {
  const cause: unknown = error.errorResponse;
  return error.err !== undefined || (cause !== error && isPassing(cause));
}
