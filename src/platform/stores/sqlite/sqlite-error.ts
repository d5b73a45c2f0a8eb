// Conversion of SQLite's temporary errors to AppErrors, by result code (sqlite.org/rescode.html).
import { AppError } from '../../errors.js';

/** Result codes that mean that another connection has the lock, each with its message in SQLite's table of errors. */
const BUSY: ReadonlyMap<string, string> = new Map([
  ['SQLITE_BUSY', 'database is locked'],
  ['SQLITE_LOCKED', 'database table is locked'],
  ['SQLITE_PROTOCOL', 'locking protocol'],
]);
/**
 * Result codes that mean that the disk is full, failing or read-only, or that too many files are open. Each with its
 * message.
 */
const DISK: ReadonlyMap<string, string> = new Map([
  ['SQLITE_FULL', 'database or disk is full'],
  ['SQLITE_IOERR', 'disk I/O error'],
  ['SQLITE_READONLY', 'attempt to write a readonly database'],
  ['SQLITE_CANTOPEN', 'unable to open database file'],
]);
/** Result codes that mean that the file is damaged. The failure is permanent, but not a bug. Each with its message. */
const DAMAGE: ReadonlyMap<string, string> = new Map([
  ['SQLITE_CORRUPT', 'database disk image is malformed'],
  ['SQLITE_NOTADB', 'file is not a database'],
]);
const STORE: ReadonlyMap<string, string> = new Map([...BUSY, ...DISK, ...DAMAGE]);
const BY_TEXT: ReadonlyMap<string, string> = new Map([...STORE].map(([code, text]) => [text, code]));

/** Returns true if the error means that another connection has the lock. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(codeOf(error) ?? '');
}

/**
 * Returns SQLite's message if the error means that the file is damaged. The error may come from SQLite or from
 * `orUnavailable`. Returns undefined for other errors.
 */
export function damageOf(error: unknown): string | undefined {
  return DAMAGE.get(codeOf(error instanceof AppError ? error.cause : error) ?? '');
}

/** Returns true if the error or one of its causes means that the disk, or the user's quota on it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isFull = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
  return isFull || codeOf(error) === 'SQLITE_FULL' || isDiskFull(error.cause);
}

/**
 * Runs `work`. Throws AppError `unavailable` if the database is locked, read-only or damaged, or if the disk is full or
 * fails. Rethrows other errors.
 */
export function orUnavailable<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error);
    const text = STORE.get(code ?? '');
    if (code === undefined || text === undefined) throw error;
    throw new AppError('unavailable', `The database cannot be used right now (${code}: ${text}).`, { cause: error });
  }
}

/** Returns `table.column` of the unique constraint that was violated. Returns undefined for other errors. */
export function duplicateOf(error: unknown): string | undefined {
  if (codeOf(error) !== 'SQLITE_CONSTRAINT' || !(error instanceof Error)) return undefined;
  return /^UNIQUE constraint failed: ([\w.]+)$/.exec(error.message)?.[1];
}

/** Returns the primary result code, for example SQLITE_IOERR for SQLITE_IOERR_WRITE. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  // Errors of the method `all` have a message, but no code (@photostructure/sqlite 1.2.1).
  if (!('sqliteCodeName' in error)) return BY_TEXT.get(error.message);
  return typeof error.sqliteCodeName === 'string' ? error.sqliteCodeName : undefined;
}
