// Folders and databases that vanish after the test, when they were searched for secrets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import type { Database } from '../../src/adapters/embedded/sqlite/guarded-database.js';
import { migrate } from '../../src/adapters/embedded/schema.js';
import { secretWatch } from './secret-guard.js';

export function temporaryDir(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'blazon-test-'));
  secretWatch.expectFolder(path);
  return {
    path,
    remove: () => {
      secretWatch.inspectFolder(path);
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
      secretWatch.inspectOpenDatabase(path);
      db.close();
      remove();
    },
  };
}
