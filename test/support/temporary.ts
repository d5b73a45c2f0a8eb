// Folders and databases that vanish after the test, once they were searched for secrets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import type { Database } from '../../src/adapters/embedded/sqlite/guarded-database.js';
import { migrate } from '../../src/adapters/embedded/schema.js';
import { expectNoSecretsIn } from './secrets.js';

export function temporaryDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'blazon-test-'));
  return {
    path,
    remove: () => {
      expectNoSecretsIn(path);
      rmSync(path, { recursive: true, force: true });
    },
  };
}

export function temporaryDatabase(): { db: Database; path: string; close: () => void } {
  const { path, remove } = temporaryDir();
  const db = openDatabase(path);
  migrate(db);
  return {
    db,
    path,
    close: () => {
      db.close();
      remove();
    },
  };
}
