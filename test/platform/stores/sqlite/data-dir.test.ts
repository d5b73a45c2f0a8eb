// Permissions of the files in DATA_DIR.
import { chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readOrCreateSecret } from '../../../../src/platform/stores/sqlite/generated-secret.js';
import { lockImport, openDatabase } from '../../../../src/platform/stores/sqlite/database.js';
import { temporaryDir } from '../../../support/temporary.js';

const SERVICE_UID = 65_534;

describe('files in DATA_DIR', () => {
  it('belong to the owner of the folder and are only readable by this user, even if root made them', () => {
    const { path, remove } = temporaryDir();
    if (process.getuid?.() === 0) chownSync(path, SERVICE_UID, SERVICE_UID);
    const db = openDatabase(path);
    db.exec('CREATE TABLE some (id INTEGER)');
    const lock = lockImport(db);
    readOrCreateSecret(path);
    const files = readdirSync(path);
    expect(files).to.include.members(['blazon.sqlite', 'blazon.sqlite-import.lock', 'jwt-secret']);
    for (const file of files) {
      const { uid, mode } = statSync(join(path, file));
      expect([uid, mode & 0o077], file).to.deep.equal([statSync(path).uid, 0]);
    }
    lock?.release();
    db.close();
    remove();
  });
});
