// Result codes of SQLite (sqlite.org/rescode.html) that are passing faults, not bugs, and their AppError.
import { AppError } from '../../errors.js';

/** With the texts of SQLite's own table of errors. */
const BUSY: ReadonlyMap<string, string> = new Map([
  ['SQLITE_BUSY', 'database is locked'],
  ['SQLITE_LOCKED', 'database table is locked'],
  ['SQLITE_PROTOCOL', 'locking protocol'],
]);
/** The disk is full, failing, or may only be read; or there are no more files to be opened. */
const DISK: ReadonlyMap<string, string> = new Map([
  ['SQLITE_FULL', 'database or disk is full'],
  ['SQLITE_IOERR', 'disk I/O error'],
  ['SQLITE_READONLY', 'attempt to write a readonly database'],
  ['SQLITE_CANTOPEN', 'unable to open database file'],
]);
/** The file is not what SQLite wrote. Not passing, but no bug either. */
const DAMAGE: ReadonlyMap<string, string> = new Map([
  ['SQLITE_CORRUPT', 'database disk image is malformed'],
  ['SQLITE_NOTADB', 'file is not a database'],
]);
const STORE: ReadonlyMap<string, string> = new Map([...BUSY, ...DISK, ...DAMAGE]);
const BY_TEXT: ReadonlyMap<string, string> = new Map([...STORE].map(([code, text]) => [text, code]));

/** Another connection has the lock. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(codeOf(error) ?? '');
}

/** SQLite's message for a damaged file; undefined for other errors. Also of an error that `orUnavailable` threw. */
export function damageOf(error: unknown): string | undefined {
  return DAMAGE.get(codeOf(error instanceof AppError ? error.cause : error) ?? '');
}

/** The error, or a cause of it, is of a disk on which nothing more can be written, by this user at least. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const isFull = 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
  return isFull || codeOf(error) === 'SQLITE_FULL' || isDiskFull(error.cause);
}

/**
 * Throws what `work` throws, and AppError `unavailable` while the database is locked, full, failing, readonly or
 * damaged.
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

/** `table.column` of the unique constraint that a statement violates; undefined for other errors. */
export function duplicateOf(error: unknown): string | undefined {
  if (codeOf(error) !== 'SQLITE_CONSTRAINT' || !(error instanceof Error)) return undefined;
  return /^UNIQUE constraint failed: ([\w.]+)$/.exec(error.message)?.[1];
}

/** Without its extension: SQLITE_IOERR for SQLITE_IOERR_WRITE. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return undefined;
  // The error of a statement's `all` has the text only (@photostructure/sqlite 1.2.1).
  if (!('sqliteCodeName' in error)) return BY_TEXT.get(error.message);
  return typeof error.sqliteCodeName === 'string' ? error.sqliteCodeName : undefined;
}
