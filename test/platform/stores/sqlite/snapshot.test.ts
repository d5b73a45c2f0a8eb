// Snapshots of a database when their file cannot be written.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError } from '../../../../config/config-error.js';
import { NoRoomError, openSnapshot, writeSnapshot } from '../../../../src/platform/stores/sqlite/snapshot.js';
import { openDatabase } from '../../../../src/platform/stores/sqlite/database.js';
import { isDiskFull, orUnavailable } from '../../../../src/platform/stores/sqlite/sqlite-error.js';
import { namingFullDisk } from '../../../../src/platform/stores/embedded-stores.js';
import { AppError } from '../../../../src/platform/errors.js';
import { temporaryDir } from '../../../support/temporary.js';

function full(): never {
  return orUnavailable(() => {
    throw Object.assign(new Error('database or disk is full'), {
      code: 'ERR_SQLITE_ERROR',
      sqliteCodeName: 'SQLITE_FULL',
    });
  });
}

function caught(work: () => never): Error {
  try {
    return work();
  } catch (error) {
    return error as Error;
  }
}

describe('a snapshot', () => {
  it('is readable by its owner only, from its first byte on', () => {
    const { path, remove } = temporaryDir();
    const db = openDatabase(join(path, 'data'));
    const target = join(path, 'backup.sqlite');
    const modeOf = (file: string): number => statSync(file).mode & 0o777;
    const modes: number[] = [];
    const watched = {
      ...db,
      exec(sql: string) {
        modes.push(modeOf(`${target}.part`));
        db.exec(sql);
      },
    };
    const mask = process.umask(0);
    try {
      writeSnapshot(watched, target);
    } finally {
      process.umask(mask);
    }
    expect([...modes, modeOf(target)]).to.deep.equal([0o600, 0o600]);
    db.close();
    remove();
  });
});

describe('a snapshot that cannot be written', () => {
  let path: string;
  let remove: () => void;
  beforeEach(() => ({ path, remove } = temporaryDir()));
  afterEach(() => remove());

  it('leaves no folder', () => {
    const [dataDir, file] = [join(path, 'data'), join(path, 'folder')];
    mkdirSync(file);
    expect(() => openSnapshot(dataDir, file)).to.throw();
    expect(readdirSync(dataDir)).to.deep.equal([]);
  });

  it('leaves no file on a full disk, and reports the needed space', () => {
    const db = openDatabase(join(path, 'data'));
    db.exec('CREATE TABLE some (text TEXT); INSERT INTO some VALUES (zeroblob(1500000));');
    const target = join(path, 'backup.sqlite');
    const onFullDisk = {
      ...db,
      exec() {
        for (const left of ['.part', '.part-journal']) writeFileSync(`${target}${left}`, '');
        full();
      },
    };
    expect(() => writeSnapshot(onFullDisk, target)).to.throw(NoRoomError, /^the disk is full \(it needs about 2 MB\)$/);
    expect(readdirSync(path)).to.deep.equal(['data']);
    db.close();
  });

  it('names the folder on a full disk of DATA_DIR', async () => {
    const noSpace = Object.assign(new Error('ENOSPC: no space left on device, copyfile'), { code: 'ENOSPC' });
    const ofImport = new AppError('unavailable', 'a source could not be imported', { cause: caught(full) });
    for (const failure of [caught(full), noSpace, ofImport]) {
      const error: unknown = await namingFullDisk(path, '2 MB are needed.', () => Promise.reject(failure)).catch(
        (thrown: unknown) => thrown,
      );
      expect(error).to.be.instanceOf(ConfigError);
      expect(error).to.have.property('message', `DATA_DIR: the disk of ${path} is full; 2 MB are needed.`);
    }
    expect(isDiskFull(new Error('another'))).to.equal(false);
  });
});
