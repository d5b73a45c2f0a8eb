// Temporary folders and databases. They are searched for secrets and removed after the test.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import type { Database } from '../../src/platform/stores/sqlite/guarded-database.js';
import { migrate } from '../../src/platform/stores/sqlite/schema.js';
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
