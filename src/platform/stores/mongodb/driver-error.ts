// Temporary errors of the driver that are not bugs, and their AppError; and the time limit of a request.
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
 * Time limits in ms. After `requestMs`, a request is rejected, so that its caller gets a response within a second. One
 * attempt of a write with `retryableWriteOptions` ends after `attemptMs`. Load tests raise the limits, because a busy
 * machine takes longer.
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
/** Error classes that the driver does not export. */
const PASSING_NAMES: ReadonlySet<string> = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
]);
/** Error codes of Node, which the driver does not wrap if a connection ends during a write. */
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

/** Returns true if the primary is unavailable or changes, the network fails, or no response came in time. */
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

/**
 * Returns true for the driver's own error. While the driver sends several writes, it wraps its errors and hides their
 * class and cause.
 */
function isOfDriver({ code, writeErrors }: MongoBulkWriteError): boolean {
  return typeof code !== 'number' && Array.isArray(writeErrors) && writeErrors.length === 0;
}

/** Returns AppError `unavailable` for a temporary error, and any other error unchanged. */
function unavailableOr(error: unknown): unknown {
  if (!isPassing(error)) return error;
  const message =
    error instanceof MongoWriteConcernError
      ? 'The majority of the MongoDB replica set does not confirm writes right now.'
      : `The database cannot be used right now (${error.name}).`;
  return new AppError('unavailable', message, { cause: error });
}

/** Returns the result of `work`. Rejects with AppError `unavailable` for a temporary error. */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw unavailableOr(error);
  }
}

/**
 * Returns the result of `work`. Rejects with AppError `unavailable` for a temporary error, or if it takes longer than
 * `limitMs`; it may then still be carried out. (The driver's own time limit does not work: `timeoutMS` has no effect in
 * 7.9.)
 */
export function inTime<Result>(work: () => Promise<Result>, limitMs = timeLimits.requestMs): Promise<Result> {
  const late = () => new AppError('unavailable', 'The database does not respond right now.');
  return beginDeadline(limitMs, late).within(orUnavailable(work));
}

/**
 * Returns options for a write of one document with a result that must be known. An attempt without a response is ended,
 * and the driver sends the write again over another connection. The server recognizes the repeated write, applies it
 * once, and returns its result (mongodb.com/docs/manual/core/retryable-writes).
 */
export function retryableWriteOptions(): object {
  // The driver passes unknown options on (cmap/connection.ts). A limit for the whole client would also end long
  // operations.
  return { socketTimeoutMS: timeLimits.attemptMs };
}

/** Returns the fields of the unique index that a document violates, or undefined for other errors. */
export function duplicateOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return undefined;
  const pattern: unknown = error.keyPattern;
  return typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : [];
}

export function isDuplicate(error: unknown): boolean {
  return duplicateOf(error) !== undefined;
}

/** Returns true if every failed write of the batch was a duplicate; all others are written. */
export function isDuplicatesOnly(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicate(error);
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return (
    failures.length > 0 &&
    failures.every(({ code }) => code === DUPLICATE_KEY) &&
    error.result.getWriteConcernError() === undefined
  );
}

/** For a batch in which an existing document is not a failure. */
export function ignoreDuplicates(error: unknown): void {
  if (!isDuplicatesOnly(error)) throw error;
}
