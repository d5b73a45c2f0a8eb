// Schema of the database file, and the older and newer files that are accepted.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../src/platform/stores/sqlite/database.js';
import { migrate, missingSteps } from '../../../src/platform/stores/sqlite/schema.js';
import { temporaryDir } from '../../support/temporary.js';

describe('a database', () => {
  let path: string;
  let db: ReturnType<typeof openDatabase>;
  let remove: () => void;
  beforeEach(() => {
    ({ path, remove } = temporaryDir());
    db = openDatabase(path);
  });
  afterEach(() => {
    db.close();
    remove();
  });
  const version = () => db.prepare('PRAGMA user_version').get() as { readonly user_version: number };

  it('is migrated once, even if it is opened often', () => {
    for (let round = 0; round < 3; round++) migrate(db);
    expect(missingSteps(db)).to.equal(0);
  });

  it('is unchanged when a step fails', () => {
    db.exec('CREATE TABLE write_probe (of_somebody_else TEXT)');
    expect(() => migrate(db)).to.throw(/write_probe/);
    expect(version()).to.deep.include({ user_version: 0 });
    expect(db.prepare('SELECT name FROM sqlite_schema').all()).to.have.length(1);
  });

  it('is readable by its owner only, with all files beside it', () => {
    migrate(db);
    const modes = readdirSync(path).map((name) => [name, statSync(join(path, name)).mode & 0o777]);
    expect(modes).to.deep.equal(
      ['blazon.sqlite', 'blazon.sqlite-shm', 'blazon.sqlite-wal'].map((name) => [name, 0o600]),
    );
  });

  for (const [what, schema, message] of [
    [
      'a newer release',
      99,
      /^the database is from a newer release \(schema 99; this release supports up to \d+\): run that release or a newer one, or restore a backup$/,
    ],
    ['a version that was never released', 12, /^the database is from a release before 0\.1\.0 \(schema 12; /],
  ] as const)
    it(`of ${what} is rejected, and left unchanged`, () => {
      db.exec(`PRAGMA user_version = ${schema}`);
      expect(() => migrate(db)).to.throw(message);
      expect(version()).to.deep.include({ user_version: schema });
    });
});
