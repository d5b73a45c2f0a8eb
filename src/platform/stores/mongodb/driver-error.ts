// Errors of the driver that are passing faults, not bugs, and their AppError; and the time limit of a request.
import {
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoNetworkError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoServerClosedError,
  MongoServerError,
  MongoSystemError,
  MongoTopologyClosedError,
  MongoWriteConcernError,
} from 'mongodb';
import { beginDeadline } from '../../concurrency/deadline.js';
import { AppError } from '../../errors.js';

/**
 * ms. A request that has waited so long is rejected, so that its caller has an answer within a second; one attempt of a
 * `resolved` write ends after `attemptMs`. Tests of what many do at once raise them: a busy machine takes longer.
 */
export const timeLimits = { requestMs: 800, writeMs: 900, attemptMs: 450 };

const DUPLICATE_KEY = 11000;

/** github.com/mongodb/mongo, src/mongo/base/error_codes.yml */
const PASSING_CODES: ReadonlySet<number> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed: written, but not known to a majority in time
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
  14031, // OutOfDiskSpace
]);
const PASSING_CLASSES = [
  MongoNetworkError,
  // Server selection.
  MongoSystemError,
  MongoOperationTimeoutError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoServerClosedError,
] as const;
/** Not exported by the driver. */
const PASSING_NAMES: ReadonlySet<string> = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
]);
/** Codes of Node, which the driver does not wrap when a connection ends while it writes. */
const SOCKET_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'ETIMEDOUT',
]);
const PASSING_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'] as const;

/** The primary is away or changes, the network fails, or no answer came in time. */
function isPassing(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  if (PASSING_CLASSES.some((type) => error instanceof type) || PASSING_NAMES.has(error.name)) return true;
  if (error instanceof MongoBulkWriteError && isOfDriver(error)) return true;
  if ('code' in error && SOCKET_CODES.has(error.code)) return true;
  return (
    error instanceof MongoServerError &&
    (PASSING_CODES.has(Number(error.code)) || PASSING_LABELS.some((label) => error.hasErrorLabel(label)))
  );
}

/** The driver wraps what it throws itself while it sends several writes, and keeps its class and its cause back. */
function isOfDriver({ code, writeErrors }: MongoBulkWriteError): boolean {
  return typeof code !== 'number' && Array.isArray(writeErrors) && writeErrors.length === 0;
}

/** AppError `unavailable` for a passing fault; any other error as it is. */
function unavailableOr(error: unknown): unknown {
  if (!isPassing(error)) return error;
  const message =
    error instanceof MongoWriteConcernError
      ? 'No majority of the database’s replica set confirms writes right now.'
      : `The database cannot be used right now (${error.name}).`;
  return new AppError('unavailable', message, { cause: error });
}

/** Resolves as `work` does. Rejects with AppError `unavailable` for a passing fault. */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw unavailableOr(error);
  }
}

/**
 * Resolves as `work` does. Rejects with AppError `unavailable` for a passing fault, and when it takes longer than `limitMs`: then
 * it may still be carried out. (The driver has no working time limit of its own: `timeoutMS` has no effect in 7.9.)
 */
export function inTime<Result>(work: () => Promise<Result>, limitMs = timeLimits.requestMs): Promise<Result> {
  const late = () => new AppError('unavailable', 'The database does not answer right now.');
  return beginDeadline(limitMs, late).within(orUnavailable(work));
}

/**
 * Options of a write of one document whose outcome must be known: an attempt without an answer is ended, and the driver sends
 * the write again, over another connection. The server recognizes and applies it once, and answers how it ended
 * (mongodb.com/docs/manual/core/retryable-writes).
 */
export function retryableWriteOptions(): object {
  // The driver hands on what it does not know (cmap/connection.ts); a limit of the whole client would end long operations, too.
  return { socketTimeoutMS: timeLimits.attemptMs };
}

/** The fields of the unique index that a document violates; undefined for other errors. */
export function duplicateOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return undefined;
  const pattern: unknown = error.keyPattern;
  return typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : [];
}

export function isDuplicate(error: unknown): boolean {
  return duplicateOf(error) !== undefined;
}

/** Every failed write of the batch met a document that exists; all others are written. */
export function isDuplicatesOnly(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicate(error);
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return (
    failures.length > 0 &&
    failures.every(({ code }) => code === DUPLICATE_KEY) &&
    error.result.getWriteConcernError() === undefined
  );
}

/** For a batch in which a document that exists already is no failure. */
export function ignoreDuplicates(error: unknown): void {
  if (!isDuplicatesOnly(error)) throw error;
}
