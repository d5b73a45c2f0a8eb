// `npm run jobs` while a service runs on the same database.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../src/platform/stores/sqlite/database.js';
import { JOBS } from '../../support/features.js';
import { someAccount } from '../../support/accounts.js';
import { runCli } from '../../support/cli.js';
import { HOUR_MS } from '../../support/clock.js';
import { recordStores } from '../../support/stores.js';
import { startServer, type TestServer } from '../../support/server.js';

interface Listed {
  readonly name: string;
  readonly schedule: string;
  readonly lastRun: { readonly outcome: string; readonly error: string | null } | null;
}

describe('npm run jobs', () => {
  let server: TestServer;
  let db: ReturnType<typeof openDatabase>;
  before(async () => {
    // This server runs no jobs by itself, because they could run between two steps of a test.
    server = await startServer();
    db = openDatabase(server.dataDir);
  });
  after(async () => {
    db.close();
    await server.close();
  });
  const jobs = (...words: string[]) => runCli('jobs', words, { DATA_DIR: server.dataDir });
  const outcome = async (name: string) =>
    (JSON.parse((await jobs('list', '--json')).stdout) as Listed[]).find((one) => one.name === name)?.lastRun?.outcome;

  it('lists every job with its schedule and summary', async () => {
    const listed = JSON.parse((await jobs('list', '--json')).stdout) as Listed[];
    expect(listed.map(({ name, schedule }) => [name, schedule])).to.deep.equal(
      JOBS.map(({ name, schedule }) => [name, schedule]),
    );
    const { stdout, status } = await jobs('list');
    expect(status).to.equal(0);
    for (const { name, schedule, summary } of JOBS)
      expect(stdout).to.include(name).and.include(schedule).and.include(summary);
  });

  it('runs each job now, and prints the result', async () => {
    await recordStores(db).accounts.insert(someAccount().account);
    expect(await jobs('run', 'send-mails')).to.deep.equal({ status: 0, stdout: 'send-mails: mails 1\n', stderr: '' });
    for (const { name } of JOBS) {
      const { status, stdout, stderr } = await jobs('run', name, '--json');
      expect({ status, stderr }, name).to.deep.equal({ status: 0, stderr: '' });
      expect(JSON.parse(stdout), name).to.have.property('job', name);
      expect(await outcome(name), name).to.equal('done');
    }
  });

  it('removes the mail files of an account whose interrupted deletion it finishes', async () => {
    const { account } = someAccount();
    const outbox = join(server.dataDir, 'outbox');
    const mailsOf = (id: string) => readdirSync(outbox).filter((name) => name.startsWith(id));
    await recordStores(db).accounts.insert(account);
    await jobs('run', 'send-mails');
    expect(mailsOf(account.id)).to.have.length(1);
    const sent = (await recordStores(db).accounts.find(account.id))!;
    const deleting = { ...sent, deleting: true, version: sent.version + 1 };
    expect(await recordStores(db).accounts.save(deleting, [])).to.equal(true);
    const { stdout } = await jobs('run', 'finish-deletions');
    expect(stdout).to.equal('finish-deletions: accounts 1\n');
    expect(await recordStores(db).accounts.find(account.id)).to.equal(undefined);
    expect(mailsOf(account.id)).to.deep.equal([]);
  });

  it('exits with 1 and the reason of a failed job, which list shows, too', async () => {
    db.exec("CREATE TRIGGER broken BEFORE DELETE ON budgets BEGIN SELECT RAISE(FAIL, 'disk I/O error'); END;");
    db.prepare("INSERT INTO budgets VALUES ('x', 1, 1, 1)").run();
    const { status, stdout, stderr } = await jobs('run', 'prune');
    expect({ status, stdout }).to.deep.equal({ status: 1, stdout: '' });
    expect(stderr).to.match(/^prune failed: .*disk I\/O error\n$/);
    expect((await jobs('list')).stdout)
      .to.match(/^prune .+ failed/m)
      .and.to.match(/^prune: .*disk I\/O error$/m);
    db.exec('DROP TRIGGER broken');
    expect((await jobs('run', 'prune')).status).to.equal(0);
  });

  it('rejects a job that runs in another process, and runs a job of a dead process', async () => {
    // The claimed slot must be later than the last run of the job, which may have been in the current millisecond.
    const claim = (now: () => number) =>
      recordStores(db, now).jobSlots.claim({ job: 'expire-sessions', slotMs: Date.now() + 1 }, HOUR_MS);
    expect(await claim(() => Date.now() - HOUR_MS)).to.equal(true);
    expect(await outcome('expire-sessions')).to.equal('interrupted');
    expect((await jobs('run', 'expire-sessions')).status).to.equal(0);
    expect(await claim(Date.now)).to.equal(true);
    expect(await outcome('expire-sessions')).to.equal('running');
    expect(await jobs('run', 'expire-sessions'))
      .to.include({ status: 1 })
      .and.to.have.property('stderr')
      .that.matches(/^expire-sessions has been running since .+\n$/);
  });

  it('rejects an unknown job with the names of the known ones', async () => {
    const { status, stderr } = await jobs('run', 'nonsense');
    expect(status).to.equal(2);
    expect(stderr).to.include(`Allowed choices are ${JOBS.map(({ name }) => name).join(', ')}.`);
  });
});
