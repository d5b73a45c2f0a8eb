// Write probe: small test writes to the database and to its disk, for the readiness check.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.js';
import type { Database } from './guarded-database.js';

/** Size of the test file in bytes: one block of most file systems. */
const FILE_BYTES = 4096;

interface WriteProbe {
  /** Rejects with AppError `unavailable` if no row can be written, or if an earlier read has found a damaged page. */
  readonly database: () => Promise<void>;
  /**
   * Rejects with AppError `unavailable` if no file can be written beside the database. The other check, `database`,
   * detects a full disk late, because SQLite reuses space in its write-ahead log.
   */
  readonly disk: () => Promise<void>;
}

/** `now`: time in ms since the epoch. */
export function createWriteProbe(db: Database, dataDir: string, now: () => number): WriteProbe {
  const write = db.prepare(
    'INSERT INTO write_probe (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
  );
  const path = join(dataDir, 'write-probe');
  return {
    async database() {
      if (db.damage === undefined) write.run(now());
      if (db.damage !== undefined)
        throw new AppError(
          'unavailable',
          `The database is damaged (${db.damage}). See docs/backup.md for how to repair it.`,
        );
    },
    async disk() {
      try {
        // The bytes are random, because a compressing file system would accept zeros even on a full disk.
        await writeFile(path, randomBytes(FILE_BYTES), { mode: 0o600 });
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
        throw new AppError('unavailable', `Files in DATA_DIR cannot be written (${code}).`, { cause: error });
      } finally {
        await rm(path, { force: true }).catch(() => undefined);
      }
    },
  };
}
