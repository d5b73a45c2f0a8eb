// Mutual exclusion of processes, by SQLite's own lock on an empty database file.
import { DatabaseSync } from '@photostructure/sqlite';
import { makePrivateFile } from './data-dir.js';
import { isBusy, orUnavailable } from './sqlite-error.js';

export interface FileLock {
  release(): void;
}

/**
 * Acquires the lock. Returns undefined if another process or connection has the lock. The operating system releases the
 * lock when the process ends for any reason. Throws AppError `unavailable` if the lock file cannot be created.
 */
export function lockFile(path: string): FileLock | undefined {
  try {
    makePrivateFile(path);
  } catch {
    // Ignores the error, because SQLite will have the same problem with this file and report it.
  }
  return orUnavailable(() => {
    const lock = new DatabaseSync(path);
    try {
      lock.exec(
        'PRAGMA busy_timeout = 0; PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;',
      );
    } catch (error) {
      lock.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
    return { release: () => lock.close() };
  });
}
