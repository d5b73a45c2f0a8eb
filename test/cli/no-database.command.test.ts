// Commands that run in a folder without a database.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { hasDatabase } from '../../src/platform/stores/embedded-stores.js';
import { runCli } from '../support/cli.js';
import { temporaryDir } from '../support/temporary.js';

type Command = readonly [name: string, ...words: string[]];

const COMMANDS: readonly Command[] = [
  ['account', 'list'],
  ['account', 'show', 'ada@example.com'],
  ['account', 'set-tier', 'ada@example.com', 'pro'],
  ['account', 'suspend', 'ada@example.com'],
  ['account', 'resume', 'ada@example.com'],
  ['account', 'revoke-key', 'ada@example.com'],
  ['account', 'logout-all', 'ada@example.com'],
  ['account', 'unlock', 'ada@example.com'],
  ['account', 'reset-link', 'ada@example.com'],
  ['account', 'delete', 'ada@example.com', '--yes'],
  ['catalog', 'list'],
  ['catalog', 'list', '--withdrawn', '--json'],
  ['catalog', 'show', 'github'],
  ['catalog', 'withdraw', 'github', '--reason', 'x'],
  ['catalog', 'restore', 'github'],
  ['catalog', 'remove', 'package:simple-icons'],
  ['billing', 'events'],
  ['counters', 'list'],
  ['jobs', 'list'],
  ['jobs', 'run', 'prune'],
];

describe('a command without a database', () => {
  let root: string;
  let remove: () => void;
  beforeEach(() => ({ path: root, remove } = temporaryDir()));
  afterEach(() => remove());
  const run = ([name, ...words]: Command, dataDir: string, variables: Record<string, string> = {}) =>
    runCli(name, words, { DATA_DIR: dataDir, ...variables });

  for (const command of COMMANDS)
    it(`${command.join(' ')} fails with one line, and writes nothing`, async () => {
      mkdirSync(join(root, 'empty'));
      for (const dataDir of [join(root, 'mistyped', 'folder'), join(root, 'empty')])
        expect(await run(command, dataDir)).to.deep.equal({
          status: 1,
          stdout: '',
          stderr:
            `There is no database in ${dataDir}. Check DATA_DIR, or start the service once to create the ` +
            'database.\n',
        });
      expect(readdirSync(root, { recursive: true })).to.deep.equal(['empty']);
    });

  it('prints the absolute path of a relative DATA_DIR', async () => {
    const { stderr } = await run(['account', 'list'], relative(process.cwd(), join(root, 'mistyped')));
    expect(stderr).to.include(`There is no database in ${join(root, 'mistyped')}. `);
  });

  it('names a misspelled variable', async () => {
    const { status, stderr } = await run(['account', 'list'], join(root, 'none'), { DATADIR: root });
    expect(status).to.equal(1);
    expect(stderr).to.match(
      /^DATADIR is not a Blazon variable\. Did you mean DATA_DIR\?\nThere is no database in .+\n$/,
    );
  });

  it('account create creates one, and reports it once', async () => {
    const dataDir = join(root, 'new', 'data');
    const variables = { PUBLIC_URL: 'https://icons.example' };
    const create = (email: string) => run(['account', 'create', email], dataDir, variables);
    expect(await create('no address')).to.include({ status: 1, stderr: '"no address" is not an e-mail address.\n' });
    expect(existsSync(join(root, 'new'))).to.equal(false);
    expect(await create('ada@example.com')).to.include({
      status: 0,
      stderr: `Created a new database in ${dataDir}, because there was none.\n`,
    });
    expect(await create('grace@example.com')).to.include({ status: 0, stderr: '' });
  });

  it('catalog import creates one, and reports it once', async () => {
    const dataDir = join(root, 'data');
    mkdirSync(join(root, 'icons'));
    writeFileSync(
      join(root, 'icons', 'acme.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h24v24z"/></svg>',
    );
    const importIcons = () => run(['catalog', 'import', '--folder', join(root, 'icons')], dataDir);
    expect(await importIcons()).to.include({
      status: 0,
      stderr: `Created a new database in ${dataDir}, because there was none.\n`,
    });
    expect(await importIcons()).to.include({ status: 0, stderr: '' });
  });

  it('hasDatabase is false for a missing file only', () => {
    expect(hasDatabase(join(root, 'none'))).to.equal(false);
    // `hasDatabase` must return true for these paths: a command then tries to open the database, and fails with the
    // reason.
    for (const dataDir of ['/dev/null', join(root, 'x'.repeat(300))]) expect(hasDatabase(dataDir)).to.equal(true);
  });
});

describe('every command', () => {
  for (const name of ['account', 'catalog', 'jobs'] as const) {
    it(`${name} prints its version and help, without a database`, async () => {
      const version = await runCli(name, ['--version'], { DATA_DIR: '/dev/null' });
      expect(version).to.deep.include({ status: 0, stderr: '' });
      expect(version.stdout).to.match(/^\d+\.\d+\.\d+\n$/);
      expect((await runCli(name, ['--help'], {})).stdout).to.include(`npm run ${name} --`);
    });

    it(`${name} rejects an unknown command or option with the nearest one`, async () => {
      for (const [words, nearest] of [
        [['lst'], 'list'],
        [['list', '--jsn'], '--json'],
      ] as const) {
        const { status, stdout, stderr } = await runCli(name, words, { DATA_DIR: '/dev/null' });
        expect([status, stdout]).to.deep.equal([2, '']);
        expect(stderr)
          .to.match(/^error: unknown (command|option) /)
          .and.include(`(Did you mean ${nearest}?)`);
      }
    });
  }
});
