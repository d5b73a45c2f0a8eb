// The right to be the only one at something, held by SQLite's own lock on an empty database.
import { DatabaseSync } from '@photostructure/sqlite';
import { isBusy, orUnavailable } from './sqlite-error.js';

export interface FileLock {
  release(): void;
}

/**
 * Undefined while another process or connection has it. The operating system takes it back however its process dies.
 * Throws AppError `unavailable` when there is no place for the lock's own file.
 */
export function lockFile(path: string): FileLock | undefined {
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
