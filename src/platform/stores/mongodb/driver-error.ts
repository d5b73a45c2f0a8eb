// Conversion of the driver's temporary errors to AppErrors, and the time limit of a request.
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
 * Time limits in ms. `requestMs` limits a read or other operation, so that its caller gets a response within a second.
 * `writeMs` limits a write with `retryableWriteOptions`, including its second attempt. `attemptMs` limits each attempt
 * of this write. Load tests increase the limits, because a busy machine is slower.
 */
export const timeLimits = { requestMs: 800, writeMs: 900, attemptMs: 450 };

const DUPLICATE_KEY = 11000;

/** Codes of temporary errors (github.com/mongodb/mongo, src/mongo/base/error_codes.yml). */
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
  // Base class of errors that occur when the driver looks for a server.
  MongoSystemError,
  MongoOperationTimeoutError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
  MongoServerClosedError,
] as const;
/** Names of temporary errors. The driver does not export their classes. */
const PASSING_NAMES: ReadonlySet<string> = new Set([
  'MongoWaitQueueTimeoutError',
  'MongoPoolClosedError',
  'MongoPoolClearedError',
]);
/** Error codes of Node's sockets. The driver does not wrap these errors if a connection ends during a write. */
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

/**
 * Returns true for a temporary error: the primary is unavailable or changes, the network fails, or no response arrived
 * in time.
 */
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
 * Returns true if a bulk write failed with an error of the driver, and not of the server. The driver wraps its own
 * error in a bulk error, which hides the class and cause of the original error.
 */
function isOfDriver({ code, writeErrors }: MongoBulkWriteError): boolean {
  return typeof code !== 'number' && Array.isArray(writeErrors) && writeErrors.length === 0;
}

/** Returns AppError `unavailable` for a temporary error. Returns other errors unchanged. */
function unavailableOr(error: unknown): unknown {
  if (!isPassing(error)) return error;
  const message =
    error instanceof MongoWriteConcernError
      ? 'The majority of the MongoDB replica set does not confirm writes right now.'
      : `The database cannot be used right now (${error.name}).`;
  return new AppError('unavailable', message, { cause: error });
}

/** Returns the result of `work`. Converts a temporary error to AppError `unavailable`. */
export async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw unavailableOr(error);
  }
}

/**
 * Returns the result of `work`. Rejects with AppError `unavailable` for a temporary error, or after `limitMs`. After
 * `limitMs`, the server may still execute the command. (The driver's own option `timeoutMS` has no effect in version
 * 7.9.)
 */
export function inTime<Result>(work: () => Promise<Result>, limitMs = timeLimits.requestMs): Promise<Result> {
  const late = () => new AppError('unavailable', 'The database does not respond right now.');
  return beginDeadline(limitMs, late).within(orUnavailable(work));
}

/**
 * Returns options for a write of one document whose result the caller must know. If an attempt gets no response, the
 * driver repeats the write over another connection. The server recognizes the repeated write, applies it only once, and
 * returns its result (mongodb.com/docs/manual/core/retryable-writes).
 */
export function retryableWriteOptions(): object {
  // The MongoDB driver does not document this option, but passes it to the connection (its cmap/connection.ts). It is
  // set only for these writes, because it would end long operations.
  return { socketTimeoutMS: timeLimits.attemptMs };
}

/** Returns the fields of the unique index that a document violates. Returns undefined for other errors. */
export function duplicateOf(error: unknown): readonly string[] | undefined {
  if (!(error instanceof MongoServerError) || error.code !== DUPLICATE_KEY) return undefined;
  const pattern: unknown = error.keyPattern;
  return typeof pattern === 'object' && pattern !== null ? Object.keys(pattern) : [];
}

export function isDuplicate(error: unknown): boolean {
  return duplicateOf(error) !== undefined;
}

/** Returns true if duplicates are the only failed writes of the batch. All other writes have succeeded. */
export function isDuplicatesOnly(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicate(error);
  const failures = Array.isArray(error.writeErrors) ? error.writeErrors : [error.writeErrors];
  return (
    failures.length > 0 &&
    failures.every(({ code }) => code === DUPLICATE_KEY) &&
    error.result.getWriteConcernError() === undefined
  );
}

/** Ignores the error if duplicates are the only failed writes of the batch, else rethrows it. */
export function ignoreDuplicates(error: unknown): void {
  if (!isDuplicatesOnly(error)) throw error;
}
