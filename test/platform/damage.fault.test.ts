// The service with a damaged database file, and with a full disk.
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import { eventually } from '../support/auth.js';
import { importedCatalog } from '../support/catalog.js';
import { endServices, launchService, startService } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

const PAGE_BYTES = 4096;

interface Readiness {
  readonly status: number;
  readonly checks: Readonly<Record<string, string>>;
}

describe('the process, with a database or disk that fails', function () {
  let dataDir: string;
  let file: string;
  let remove: () => void;
  beforeEach(async () => {
    ({ path: dataDir, remove } = temporaryDir());
    // The imported catalog is larger than SQLite's cache. SQLite therefore reads the damaged pages from the disk.
    cpSync(await importedCatalog(), dataDir, { recursive: true });
    file = join(dataDir, 'blazon.sqlite');
    // Moves the write-ahead log into the database file. Otherwise the log would contain intact copies of the damaged
    // pages.
    openDatabase(dataDir).close();
  });
  afterEach(async () => {
    await endServices();
    // Removes the files first, because `remove` searches all databases in the folder for secrets. It would fail at the
    // damaged file, which is no longer a valid database.
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true });
    remove();
  });

  const variables = () => ({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });

  async function start() {
    const service = await startService(variables());
    const readiness = async (): Promise<Readiness> => {
      const response = await fetch(`${service.base}/readyz`);
      return { status: response.status, checks: ((await response.json()) as Readiness).checks };
    };
    return { ...service, readiness };
  }

  /** Returns the number of the first page of a table. */
  function rootOf(table: string): number {
    const db = openDatabase(dataDir);
    const { rootpage } = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').get(table) as {
      rootpage: number;
    };
    db.close();
    return rootpage;
  }

  function overwrite(page: number): void {
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES);
    closeSync(handle);
  }

  const DAMAGES: Readonly<Record<string, { readonly cause: () => void; readonly named: RegExp }>> = {
    'cut off in the middle': {
      cause: () => truncateSync(file, Math.floor(statSync(file).size / 2 / PAGE_BYTES) * PAGE_BYTES),
      named: /catalog|malformed/,
    },
    'cut off within its first page': { cause: () => truncateSync(file, 1000), named: /malformed|not a database/ },
    'emptied, beside its secret': {
      cause() {
        writeFileSync(join(dataDir, 'jwt-secret'), 'x'.repeat(43));
        truncateSync(file, 0);
      },
      named: /the database file is empty/,
    },
    'no database': {
      cause: () => writeFileSync(file, 'Dear operator, this is a letter.\n'.repeat(1000)),
      named: /not a database/,
    },
    'with a page of the accounts overwritten': { cause: () => overwrite(rootOf('accounts')), named: /accounts/ },
    'with a page of the drawings overwritten': {
      cause: () => overwrite(rootOf('catalogRows')),
      named: /catalogRows/,
    },
    'with its table of tables overwritten': { cause: () => overwrite(1), named: /not a database|malformed/ },
  };

  for (const [state, { cause, named }] of Object.entries(DAMAGES)) {
    it(`does not start over a file ${state}: one line, code 78`, async () => {
      cause();
      const before = statSync(file).size;
      const { exit, output } = launchService({ ...variables(), PORT: '0' });
      expect(await exit, output()).to.equal(78);
      expect(output()).to.match(
        /^DATA_DIR: the database in .+ is damaged \(.+\)\. Restore a backup, or move .+ to another folder .+: docs\/backup\.md, "A damaged database"\n$/,
      );
      expect(/damaged \((.+)\)\./.exec(output())?.[1]).to.match(named);
      expect(statSync(file).size, 'it is left as it is').to.equal(before);
    });
  }

  it('is not ready after it has read a damaged page, and names the part', async () => {
    const page = rootOf('audit');
    const part = join(dataDir, 'outbox', 'm.eml.123e4567-e89b-42d3-a456-426614174000.part');
    mkdirSync(join(dataDir, 'outbox'));
    writeFileSync(part, 'half a mail');
    const { base, readiness } = await start();
    expect(existsSync(part), 'what a killed process left').to.equal(false);
    expect(await readiness()).to.deep.equal({
      status: 200,
      checks: { database: 'ok', disk: 'ok', catalog: 'ok', search: 'ok' },
    });
    overwrite(page);
    const body = JSON.stringify({ email: 'ada@example.com', password: 'quite a long pass phrase' });
    // The damaged page belongs to a table that registration writes to.
    const rejected = await fetch(`${base}/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(rejected.status).to.equal(503);
    const { status, checks } = await eventually(async () => {
      const found = await readiness();
      return found.status === 503 ? found : undefined;
    }, '503');
    expect({ status, disk: checks.disk, search: checks.search }).to.deep.equal({
      status: 503,
      disk: 'ok',
      search: 'ok',
    });
    expect(checks.database).to.match(/damaged \(.*malformed\)\. See docs\/backup\.md/);
  });

  it('is not ready while the disk is full, and ready again when there is space', async function () {
    if (process.platform !== 'linux') this.skip();
    const { child, readiness } = await start();
    expect((await readiness()).status).to.equal(200);
    // Limits the size of files that the process may write. This acts like a full disk for any user and file system.
    const limit = (bytes: string): void => {
      const { status, stderr } = spawnSync('prlimit', ['--pid', String(child.pid), `--fsize=${bytes}:`], {
        encoding: 'utf8',
      });
      expect(status, stderr).to.equal(0);
    };
    const until = (status: number, isMeant: (disk: string | undefined) => boolean) =>
      eventually(async () => {
        const found = await readiness();
        return found.status === status && isMeant(found.checks.disk) ? found : undefined;
      }, String(status));
    limit('0');
    await until(503, (disk) => disk?.includes('Files in DATA_DIR cannot be written') === true);
    limit('unlimited');
    expect((await until(200, (disk) => disk === 'ok')).checks).to.deep.equal({
      database: 'ok',
      disk: 'ok',
      catalog: 'ok',
      search: 'ok',
    });
    expect(existsSync(join(dataDir, 'write-probe'))).to.equal(false);
  });
});
