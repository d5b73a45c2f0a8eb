// Which errors of SQLite are about the moment, and no bug (sqlite.org/rescode.html).

const BUSY: ReadonlySet<string> = new Set(['SQLITE_BUSY', 'SQLITE_LOCKED']);
/** The disk is full or failing. */
const DISK: ReadonlySet<string> = new Set(['SQLITE_FULL', 'SQLITE_IOERR']);

/** Somebody else has the lock. */
export function isBusy(error: unknown): boolean {
  return BUSY.has(codeOf(error) ?? '');
}

/** The name of the code when the database cannot be written right now; undefined for all other errors. */
export function unavailability(error: unknown): string | undefined {
  const code = codeOf(error);
  return code !== undefined && (BUSY.has(code) || DISK.has(code)) ? code : undefined;
}

/** Without its extension: SQLITE_IOERR for SQLITE_IOERR_WRITE. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('sqliteCodeName' in error)) return undefined;
  return typeof error.sqliteCodeName === 'string' ? error.sqliteCodeName : undefined;
}
