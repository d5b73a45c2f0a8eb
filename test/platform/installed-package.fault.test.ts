// An installed package serves the bundled catalog, updates it with a newer package, and adds drawings to projects.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { runCli } from '../support/cli.js';
import { installPackage, type InstalledPackage } from '../support/installed-package.js';
import { endServices, launchService, startService, type ServiceProcess } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';

const drawing = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M2 2h20v20H2z" fill="${color}"/><circle cx="12" cy="12" r="4" fill="#fff"/></svg>`;
const FIRST = {
  version: '1.0.0',
  builtAt: '2026-01-01T00:00:00.000Z',
  // A test looks up "adobe" by its host, which comes from config/brand-domains.json.
  sources: {
    main: { acme: drawing('#f00'), hooli: drawing('#0f0'), adobe: drawing('#fed') },
    gone: { pied: drawing('#abc') },
  },
};
const SECOND = {
  version: '1.1.0',
  builtAt: '2026-02-01T00:00:00.000Z',
  sources: { main: { acme: drawing('#00f'), hooli: drawing('#0ff') }, added: { initech: drawing('#def') } },
};

describe('an installed package', () => {
  const message = (id: number, method: string, params?: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) });

  let installed: InstalledPackage;
  let data: ReturnType<typeof temporaryDir>;
  let apiKey = '';
  before(() => {
    installed = installPackage();
  });
  beforeEach(async () => {
    data = temporaryDir();
    await installed.bundle(FIRST);
  });
  afterEach(async () => {
    await endServices();
    data.remove();
  });
  after(() => installed.remove());

  const variables = () => ({ DATA_DIR: data.path });
  const start = () => startService(variables(), [process.execPath, installed.executable]);
  const cli = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [installed.executable, ...words], {
      cwd: installed.folder,
      env: { PATH: process.env.PATH, ...variables() },
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  async function createAccount(): Promise<void> {
    const { stdout } = await runCli('account', ['create', 'ada@example.com', '--json'], variables());
    apiKey = (JSON.parse(stdout) as { readonly apiKey: string }).apiKey;
  }
  async function picture({ base }: ServiceProcess, slug: string): Promise<string> {
    const response = await fetch(`${base}/v1/svg/${slug}`, { headers: { 'X-API-Key': apiKey } });
    return response.ok ? response.text() : String(response.status);
  }

  it("serves its catalog from an empty folder, and a newer one while keeping the operator's changes", async () => {
    const first = await start();
    await createAccount();
    expect(await picture(first, 'acme')).to.include('#ff0000');
    // The number 7 is stored in the bundled catalog. If the service merged the icons again, it would report 0.
    expect(first.output()).to.include('7 icons were merged');
    const own = join(data.path, 'own');
    mkdirSync(own);
    writeFileSync(join(own, 'mine.svg'), drawing('#123456'));
    expect(cli('catalog', 'import', '--folder', own).status).to.equal(0);
    expect(cli('catalog', 'withdraw', 'hooli', '--reason', 'asked by its owner').status).to.equal(0);
    await first.kill();

    await installed.bundle(SECOND);
    const second = await start();
    await eventually(async () => (await picture(second, 'acme')).includes('#0000ff'), 'the newer catalog');
    expect(await picture(second, 'initech')).to.include('<svg');
    expect(await picture(second, 'mine')).to.include('#123456');
    expect(await picture(second, 'hooli')).to.equal('410');
    // The new catalog lacks the source of this entry. The entry keeps its slug and is still served.
    expect(await picture(second, 'pied')).to.include('<svg');
    await eventually(() => second.output().includes('icons imported'), 'the summary');
    expect(second.output()).to.include('Replacing the bundled catalog of release 1.0.0');
    await second.kill();

    const third = await start();
    expect(await picture(third, 'acme')).to.include('#0000ff');
    expect(third.output()).not.to.include('Replacing the bundled catalog');
  });

  it('keeps the previous catalog when the newer one is damaged, and does not start with only a damaged one', async () => {
    const first = await start();
    await createAccount();
    await first.kill();
    await installed.bundle(SECOND);
    writeFileSync(join(installed.catalog, 'drawings.jsonl.br'), 'x');
    const second = await start();
    await eventually(() => second.output().includes('could not be replaced'), 'the failure');
    expect(second.output()).to.include('is damaged (drawings.jsonl.br was modified). Install this release again.');
    expect(await picture(second, 'acme')).to.include('#ff0000');
    await second.kill();

    const { exit, output } = launchService({ DATA_DIR: join(data.path, 'empty'), PORT: '0' }, [
      process.execPath,
      installed.executable,
    ]);
    expect(await exit).to.equal(1);
    expect(output().trim().split('\n').at(-1)).to.match(/^The catalog could not be imported\. .* is damaged .*doctor/);
  });

  it('copies drawings into a project, offline, with a list of their licenses', () => {
    const path = (name: string) => join(installed.folder, 'icons', name);
    const added = cli('add', 'ACME', 'Hooli', '--dir', 'icons');
    expect(added).to.include({ status: 0, stderr: '' });
    expect(added.stdout)
      .to.match(/^icons\/acme\.svg {2}Acme, MIT$/m)
      .and.include('The licenses are listed in icons/LICENSES.md');
    expect(readFileSync(path('acme.svg'), 'utf8')).to.include('#ff0000');
    writeFileSync(path('acme.svg'), 'mine');
    expect(cli('add', 'acme', '--dir', 'icons').stdout).to.include('icons/acme.svg already exists and was kept');
    expect(readFileSync(path('acme.svg'), 'utf8')).to.equal('mine');
    expect(cli('add', 'acme', '--dir', 'icons', '--force').status).to.equal(0);
    expect(readFileSync(path('acme.svg'), 'utf8')).to.include('<svg');
    expect(cli('add', 'acme', '--dir', 'icons', '--format', 'react', '--variant', 'mono').status).to.equal(0);
    expect(readFileSync(path('AcmeMono.jsx'), 'utf8'))
      .to.include('currentColor')
      .and.include('{...props}');
    const list = readFileSync(path('LICENSES.md'), 'utf8');
    expect(list.match(/^\| `.*$/gm)?.map((row) => row.split('`')[1])).to.deep.equal([
      'AcmeMono.jsx',
      'acme.svg',
      'hooli.svg',
    ]);
    const typed = join(installed.folder, 'typed');
    mkdirSync(typed);
    writeFileSync(join(typed, 'tsconfig.json'), '{}');
    expect(cli('add', 'acme', '--dir', 'typed/src/icons', '--format', 'react').stdout).to.include('Acme.tsx');
    expect(list).to.include('[MIT](https://spdx.org/licenses/MIT.html)');
  });

  it('copies drawings by domain', () => {
    const added = cli('add', 'www.adobe.com', 'https://helpx.adobe.com/x', 'acme', '--dir', 'by-domain');
    expect(added).to.include({ status: 0, stderr: '' });
    expect(added.stdout).to.include('by-domain/adobe.svg').and.include('by-domain/acme.svg');
    expect(cli('add', 'walmart.com', '--dir', 'none').stderr).to.equal('There is no brand "walmart.com".\n');
  });

  it('names what it cannot copy, and then writes nothing', () => {
    const fails = (...words: string[]) => cli('add', ...words, '--dir', 'none').stderr;
    expect(fails('acme', 'hoolli')).to.equal('There is no brand "hoolli"; did you mean hooli?\n');
    expect(fails('acme', '--variant', 'neon')).to.match(/^acme has no variant "neon"; it has default/);
    expect(fails('acme', '--key', 'x')).to.equal('--url and --key must be used together.\n');
    expect(fails('acme', '--url', 'icons', '--key', 'x')).to.include('"icons" is not a URL');
    expect(fails('acme', '--url', 'http://127.0.0.1:9', '--key', 'x')).to.include('does not respond (');
    expect(existsSync(join(installed.folder, 'none'))).to.equal(false);
    writeFileSync(join(installed.folder, 'LICENSES.md'), 'ours');
    expect(cli('add', 'acme', '--dir', '.').stderr).to.include('was not generated by this command');
  });

  it('copies from a service with its key', async () => {
    const service = await start();
    await createAccount();
    const { status, stdout, stderr } = await add(service.base, apiKey);
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout).to.include('served/acme.svg');
    expect(readFileSync(join(installed.folder, 'served/acme.svg'), 'utf8')).to.include('#ff0000');
    expect((await add(service.base, 'wrong')).stderr).to.match(/responded with 401: /);
  });

  /** Runs asynchronously, because this process must read the service's output at the same time. */
  const add = (url: string, key: string) =>
    runCli('add', ['acme', '--url', url, '--key', key, '--dir', join(installed.folder, 'served')], {});

  it('has an executable that lists its commands and explains errors', () => {
    const help = cli('--help');
    expect(help.status).to.equal(0);
    expect(help.stdout.split('\n').length).to.be.below(30);
    expect(help.stdout)
      .to.match(/^ {2}serve /m)
      .and.match(/^ {2}add /m);
    expect(cli('--version').stdout).to.match(/^\d+\.\d+\.\d+\n$/);
    expect(cli('account', '--help').stdout).to.include('Example: npx blazon account create');
    expect(cli('serve', '--help').stdout).to.include('npx blazon account create').and.not.include('npm run');
    expect(cli('accuont')).to.deep.include({ status: 2, stdout: '' });
    expect(cli('catalog', 'improt')).to.deep.include({ status: 2, stdout: '' });
    expect(cli('complete', 'cat').stdout).to.include('catalog\n');
    expect(cli('complete', 'catalog', '').stdout).to.include('withdraw\n');
    expect(cli('complete', 'add', '--format', '').stdout).to.include('svelte\n');
    for (const shell of ['bash', 'zsh', 'fish']) expect(cli('completion', shell).stdout).to.include('blazon complete');
  });

  it('answers agents from its catalog', () => {
    const icon = (slug: string) => ({ name: 'get_icon', arguments: { slug } });
    const found = { name: 'search_icons', arguments: { query: 'acme' } };
    const lines = [
      message(1, 'initialize', {
        ...{ protocolVersion: '2025-06-18', capabilities: {} },
        clientInfo: { name: 'test', version: '1' },
      }),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      message(2, 'tools/call', found),
      message(3, 'tools/call', icon('acme')),
      message(4, 'tools/call', icon('acmee')),
      '{',
      '{"id":5}',
    ];
    const { stdout, stderr, status } = spawnSync(process.execPath, [installed.executable, 'mcp'], {
      ...{ cwd: installed.folder, encoding: 'utf8', input: `${lines.join('\n')}\n` },
      env: { PATH: process.env.PATH },
    });
    expect([status, stderr]).to.deep.equal([
      0,
      'A line of the input is not a JSON-RPC message.\nA line of the input is not a JSON-RPC message.\n',
    ]);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(answers).to.have.length(4);
    expect(answers[0]).to.have.nested.property('result.protocolVersion', '2025-06-18');
    expect(answers[1]).to.have.nested.property('result.structuredContent.results[0].slug', 'acme');
    expect(answers[2]).to.have.nested.property('result.content[0].text').that.includes('#ff0000');
    expect(answers[3]).to.have.nested.property('result.content[0].text').that.includes('did you mean acme');
  });
});
