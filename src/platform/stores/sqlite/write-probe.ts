// Write probe: small real writes for the readiness check of the database and its disk.
import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.js';
import type { Database } from './guarded-database.js';

/** A block of most file systems. */
const FILE_BYTES = 4096;

interface WriteProbe {
  /** Rejects with AppError `unavailable` while no row can be written, and once a damaged page was met. */
  readonly database: () => Promise<void>;
  /**
   * Rejects with AppError `unavailable` while no file can be written beside the database. The write-ahead log is
   * written over and over, so that a database takes a few rows more on a disk that is full.
   */
  readonly disk: () => Promise<void>;
}

/** `now`: ms since the epoch. */
export function createWriteProbe(db: Database, dataDir: string, now: () => number): WriteProbe {
  const write = db.prepare(
    'INSERT INTO write_probe (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at',
  );
  const path = join(dataDir, 'write-probe');
  return {
    async database() {
      if (db.damage === undefined) write.run(now());
      if (db.damage !== undefined)
        throw new AppError('unavailable', `The database is damaged (${db.damage}); docs/backup.md says what to do.`);
    },
    async disk() {
      try {
        // Random: a file system that compresses would take any number of zeros.
        await writeFile(path, randomBytes(FILE_BYTES), { mode: 0o600 });
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
        throw new AppError('unavailable', `Files cannot be written into DATA_DIR (${code}).`, { cause: error });
      } finally {
        await rm(path, { force: true }).catch(() => undefined);
      }
    },
  };
}
