import { FEATURES } from '../../src/features.js';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { groupSkips } from '../../src/catalog/import-report.command.js';
import type { SkippedIcon } from '../../src/catalog/import/import-skips.js';
import { openCommandStores } from '../../src/platform/stores/open-stores.js';
import type { MissingKind } from '../../src/platform/not-found.js';
import { addDays, utcDay } from '../../src/platform/utc-day.js';
import { embeddedIn } from '../support/stores.js';
import { rejected, runCli } from '../support/cli.js';
import { temporaryDir } from '../support/temporary.js';

const today = () => new Date().toISOString().slice(0, 10);
const CLI = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

const drawingOf = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">${inside}</svg>`;

describe('npm run catalog', () => {
  const { path: root, remove } = temporaryDir();
  after(remove);
  const run = (...words: string[]) => runIn('data', ...words);
  const runIn = (dataDir: string, ...words: string[]) => runCli('catalog', words, { DATA_DIR: join(root, dataDir) });

  it('imports, lists, shows, withdraws, restores and removes', async () => {
    mkdirSync(join(root, 'icons'));
    for (const [name, inside] of [
      ['acme', '<path d="M0 0h24v24z" fill="#f00"/>'],
      ['evil', '<text>x</text>'],
    ] as const)
      writeFileSync(join(root, 'icons', `${name}.svg`), drawingOf(inside));
    const imported = await run('import', '--folder', join(root, 'icons'));
    expect(imported).to.include({ status: 0 });
    expect(imported.stdout).to.include('1 icons imported').and.include('evil: text');
    expect((await run('list')).stdout).to.match(/^acme +Acme\n$/);
    expect((await run('show', 'ACME', '--json')).stdout).to.satisfy(
      (text: string) => (JSON.parse(text) as { slug: string }).slug === 'acme',
    );
    expect(await run('withdraw', 'acme', '--reason', 'asked by its owner')).to.include({ status: 0 });
    expect(rejected(await run('show', 'acme'))).to.equal(`acme was withdrawn on ${today()}: asked by its owner\n`);
    expect(await run('restore', 'acme')).to.include({ status: 0 });
    expect(await run('show', 'acme')).to.include({ status: 0 });
    expect(await run('remove', 'folder:icons')).to.include({
      status: 0,
      stdout: 'folder:icons was removed. The catalog now has 0 entries.\n',
    });
    expect(await run('show', 'acme')).to.include({ status: 1 });
  });

  it('lists requested names that are still missing', async () => {
    mkdirSync(join(root, 'few'));
    writeFileSync(join(root, 'few', 'acme.svg'), drawingOf('<path d="M0 0h24v24z" fill="#f00"/>'));
    const runFew = (...words: string[]) => runIn('few-data', ...words);
    await runFew('import', '--folder', join(root, 'few'));
    expect((await runFew('missing')).stderr).to.equal('No missing names were requested in the last 30 days.\n');
    const stores = await openCommandStores(embeddedIn(join(root, 'few-data')), {
      features: FEATURES,
      now: Date.now,
      onError: () => undefined,
    });
    const at = (days: number) => addDays(utcDay(Date.now()), -days);
    const count = (kind: MissingKind, name: string, accounts: number, requests: number) => ({
      ...{ kind, name, accounts, requests },
    });
    const names = [count('domain', 'hooli.com', 2, 7), count('slug', 'acme', 9, 9), count('name', 'acme', 9, 9)];
    await stores.missingNames.put('a', { day: at(0), names });
    await stores.missingNames.put('b', {
      day: at(1),
      names: [count('name', 'initech', 1, 30), count('domain', 'hooli.com', 1, 1)],
    });
    await stores.missingNames.put('b', { day: at(40), names: [count('name', 'long ago', 1, 1)] });
    await stores.close();
    const { stdout, stderr } = await runFew('missing');
    expect(stderr).to.equal('');
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).to.deep.equal([
      ['name', 'kind', 'accounts a day', 'requests', 'days', 'last'],
      ['hooli.com', 'domain', '2', '8', '2', at(0)],
      ['initech', 'name', '1', '30', '1', at(1)],
      [''],
    ]);
    expect((await runFew('missing', '--days', '90', '--kind', 'name', '--limit', '1')).stderr).to.match(
      /^There are 2 names\./,
    );
    expect(JSON.parse((await runFew('missing', '--kind', 'domain', '--json')).stdout)).to.deep.equal([
      {
        ...count('domain', 'hooli.com', 2, 8),
        days: [
          { day: at(0), accounts: 2, requests: 7 },
          { day: at(1), accounts: 1, requests: 1 },
        ],
      },
    ]);
    expect((await runFew('missing', '--days', '91')).status).to.equal(2);
  });

  describe('own drawings', () => {
    const square = (fill: string): string =>
      drawingOf(`<path d="M2 2h20v20H2z" fill="${fill}"/><circle cx="12" cy="12" r="4" fill="#fff"/>`);
    const others = join(root, 'others');
    const own = join(root, 'own');
    const run = (...words: string[]) => runIn('own-data', ...words);
    before(async () => {
      for (const folder of [others, own]) mkdirSync(folder);
      writeFileSync(join(others, 'acme.svg'), square('#00f'));
      writeFileSync(join(others, 'hooli.svg'), square('#0f0'));
      writeFileSync(join(own, 'acme.svg'), square('#f00'));
      writeFileSync(join(own, 'acme--dark.svg'), square('#ff0'));
      const facts = {
        title: 'Acme Ltd',
        hex: '#f00',
        domains: ['acme.com'],
        aliases: ['acme works'],
        categories: ['Tools'],
      };
      writeFileSync(join(own, 'acme.json'), JSON.stringify(facts));
      writeFileSync(join(own, 'wrong.json'), JSON.stringify({ titel: 'Wrong' }));
      writeFileSync(join(own, 'type.json'), JSON.stringify({ aliases: 'one' }));
      writeFileSync(join(own, 'icons.json'), JSON.stringify({ nowhere: { title: 'Nowhere' } }));
      await run('import', '--folder', others, '--no-override');
    });

    it("replace the brand's drawings, with facts from JSON files, and report the result of each file", async () => {
      const { stdout, status } = await run('import', '--folder', own);
      expect(status).to.equal(0);
      expect(stdout).to.include('\nYour own files:\n  folder:own acme/');
      expect(stdout).to.match(/folder:own acme\/default: default of acme \(.*the operator's own/);
      expect(stdout).to.include('folder:own acme/dark: dark of acme');
      for (const [file, reason] of [
        ['wrong.json', 'Unrecognized key'],
        ['type.json', 'aliases:'],
        ['icons.json: nowhere', 'there is no drawing'],
      ])
        expect(stdout).to.match(new RegExp(`folder:own ${file}: bad-sidecar: .*${reason}`));
      expect(stdout, 'before all that needs nothing').to.match(
        /^.*\n.*\nErrors in your own files:\n {2}folder:own icons\.json/,
      );
      const entry = JSON.parse((await run('show', 'acme', '--json')).stdout) as Record<string, unknown>;
      expect(entry).to.deep.include({ slug: 'acme', title: 'Acme Ltd', hex: '#FF0000', domains: ['acme.com'] });
      expect(entry.aliases).to.include('acme works');
      expect(JSON.stringify(entry.variants)).to.include('#ff0000').and.to.include('"dark"');
    });

    it('are explained by show --why, and appear on the sheets', async () => {
      expect((await run('show', 'acme', '--why')).stdout).to.match(
        /default: own:acme\/default\n.*\n +\+2000 the operator's own/,
      );
      const sheets = join(root, 'sheets');
      expect((await run('sheet', '--out', sheets)).stdout).to.include('2 pictures, acme to hooli');
      const png = readFileSync(join(sheets, 'defaults-001.png'));
      expect(png.subarray(1, 4).toString()).to.equal('PNG');
      expect((await run('sheet', '--out', sheets, '--show', 'dark', 'hooli')).stdout).to.include(
        '1 pictures, hooli to hooli',
      );
    });

    it("precede the release's catalog-overrides.json: default, color, title and drawing for a page", async () => {
      const [packaged, mine] = [join(root, 'packaged'), join(root, 'mine')];
      for (const folder of [packaged, mine]) mkdirSync(folder);
      const show = async (slug: string) => {
        const { stdout } = await runIn('overridden', 'show', slug, '--json');
        return JSON.parse(stdout) as { title: string; hex: string; variants: { name: string; colors: string[] }[] };
      };
      const colorsOf = async (slug: string) =>
        Object.fromEntries((await show(slug)).variants.map(({ name, colors }) => [name, colors[0]]));
      for (const slug of ['github', 'pinterest', 'audi']) writeFileSync(join(packaged, `${slug}.svg`), square('#00f'));
      for (const file of ['github', 'pinterest', 'audi--dark'])
        writeFileSync(join(mine, `${file}.svg`), square('#f60'));
      writeFileSync(join(mine, 'pinterest.json'), JSON.stringify({ title: 'Githubcodespaces', hex: '#123456' }));
      await runIn('overridden', 'import', '--folder', packaged, '--title', 'simple-icons', '--no-override');
      expect((await runIn('overridden', 'show', 'github', '--why')).stdout).to.include('named in the overrides');
      expect((await show('pinterest')).hex).to.equal('#E60023');
      await runIn('overridden', 'import', '--folder', mine);
      expect((await runIn('overridden', 'show', 'github', '--why')).stdout).to.include('default: mine:github/default');
      expect(await colorsOf('github')).to.include({ default: '#ff6600' });
      expect(await show('pinterest')).to.include({ title: 'Githubcodespaces', hex: '#123456' });
      expect(await colorsOf('audi')).to.include({ default: '#0000ff', dark: '#ff6600' });
    });

    it('restore the earlier drawings when they are removed', async () => {
      expect(await run('remove', 'folder:own')).to.include({ status: 0 });
      const entry = JSON.parse((await run('show', 'acme', '--json')).stdout) as { title: string; variants: unknown };
      expect(entry.title).to.equal('Acme');
      expect(JSON.stringify(entry.variants)).to.include('#0000ff').and.to.not.include('#ff0000');
      await run('remove', 'folder:others');
    });
  });

  describe('list and show', () => {
    const run = (...words: string[]) => runIn('listed', ...words);
    const drawing = (width: number) => drawingOf(`<path d="M0 0h${width}v24z"/>`);
    const listed = async (...words: string[]) => {
      const { status, stdout, stderr } = await run('list', ...words);
      expect(status, stderr).to.equal(0);
      const slugs = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' ')[0]);
      return { slugs, stdout, stderr };
    };
    before(async () => {
      const brands = join(root, 'brands');
      mkdirSync(brands);
      for (const [index, name] of ['hooli', 'hooli-maps', 'initech'].entries())
        writeFileSync(join(brands, `${name}.svg`), drawing(4 + index));
      const body = '<path d="M0 0h9v9z"/>';
      const set = { prefix: 'tool', info: { name: 'Tools' }, icons: { hammer: { body }, saw: { body } } };
      writeFileSync(join(root, 'tools.json'), JSON.stringify({ ...set, aliases: { gavel: { parent: 'hammer' } } }));
      for (const words of [
        ['--folder', brands],
        ['--iconify', join(root, 'tools.json'), '--license', 'MIT'],
      ])
        expect(await run('import', ...words)).to.include({ status: 0 });
      expect(await run('withdraw', 'initech', '--reason', 'asked by its owner')).to.include({ status: 0 });
      expect(await run('withdraw', 'tool-saw', '--reason', 'not free')).to.include({ status: 0 });
    });

    it('list filters by source', async () => {
      expect((await listed('--source', 'folder:brands')).slugs).to.deep.equal(['hooli', 'hooli-maps']);
      expect((await listed('--source', 'iconify:tool')).slugs).to.deep.equal(['tool-hammer']);
      expect(await run('list', '--source', 'iconify:mdi')).to.include({
        status: 1,
        stderr: 'There is no source "iconify:mdi" in the catalog. Sources: folder:brands, iconify:tool.\n',
      });
    });

    it('list filters by a part of slug, title or alias', async () => {
      expect((await listed('HOOLI')).slugs).to.deep.equal(['hooli', 'hooli-maps']);
      expect((await listed('hooli m')).slugs).to.deep.equal(['hooli-maps']);
      expect((await listed('Gavel')).slugs).to.deep.equal(['tool-hammer']);
    });

    it('list --withdrawn prints withdrawn entries with day and reason', async () => {
      const { slugs, stdout } = await listed('--withdrawn');
      expect(slugs).to.deep.equal(['initech', 'tool-saw']);
      expect(stdout).to.match(new RegExp(`^initech +Initech +withdrawn ${today()}: asked by its owner$`, 'm'));
      const [first] = JSON.parse((await run('list', '--withdrawn', '--json')).stdout) as { withdrawal: object }[];
      expect(first).to.have.nested.property('withdrawal.reason', 'asked by its owner');
    });

    it('list combines filters, and says when nothing matches', async () => {
      expect((await listed('saw', '--withdrawn', '--source', 'iconify:tool')).slugs).to.deep.equal(['tool-saw']);
      expect(await listed('hooli', '--source', 'iconify:tool')).to.deep.equal({
        slugs: [],
        stdout: '',
        stderr: 'There is no entry of iconify:tool named like "hooli".\n',
      });
      expect((await listed('hooli', '--withdrawn')).stderr).to.equal(
        'There is no withdrawn entry named like "hooli".\n',
      );
      expect(await run('list', 'nothing', '--json')).to.include({ status: 0, stdout: '[]\n' });
    });

    it('list --limit says that there are more', async () => {
      expect(await listed('--limit', '2')).to.deep.include({
        slugs: ['hooli', 'hooli-maps'],
        stderr: 'There are more entries. Use --limit to see them.\n',
      });
      expect((await listed('--limit', '3')).stderr).to.equal('');
    });

    it('show prints the reason and the day of a withdrawal', async () => {
      expect(rejected(await run('show', 'Initech'))).to.equal(
        `initech was withdrawn on ${today()}: asked by its owner\n`,
      );
    });

    it('show, withdraw and restore suggest the nearest names for a misspelled slug', async () => {
      const expected = 'There is no entry "holi-maps"; did you mean hooli-maps?\n';
      expect(rejected(await run('show', 'holi-maps'))).to.equal(expected);
      expect(rejected(await run('withdraw', 'holi-maps', '--reason', 'x'))).to.equal(expected);
      expect(rejected(await run('restore', 'holi-maps'))).to.equal(expected);
      expect((await run('show', 'gavels')).stderr).to.equal('There is no entry "gavels"; did you mean tool-hammer?\n');
    });

    it('show follows an alias', async () => {
      expect((await run('show', 'tool-gavel')).stdout).to.include('(tool-hammer), also tool-gavel');
      expect((await run('withdraw', 'tool-gavel', '--reason', 'x')).stderr).to.equal(
        'tool-gavel is an alias of tool-hammer. Withdraw tool-hammer instead.\n',
      );
    });
  });

  it('name the command that imports the catalog in a clone, which has no bundled one', async () => {
    expect(rejected(await run('import', '--bundled'))).to.equal(
      'A clone has no bundled catalog. Run npm run catalog -- import to import the packages of config/catalog.json.\n',
    );
  });

  it('name the path and the expected files of an import', async () => {
    const missing = join(root, 'missing.json');
    const file = join(root, 'file.txt');
    const empty = join(root, 'empty');
    const broken = join(root, 'broken.json');
    mkdirSync(join(empty, 'icons.json'), { recursive: true });
    mkdirSync(join(root, 'none'));
    writeFileSync(file, 'x');
    writeFileSync(broken, '{"prefix":');
    const paths = 'an Iconify JSON file, or a folder with such files';
    for (const [option, path, message] of [
      ['--iconify', missing, `${missing}: there is no such file or folder; expected ${paths}`],
      [
        '--iconify',
        join(root, 'none'),
        `${join(root, 'none')}: a folder without Iconify JSON files; expected ${paths}`,
      ],
      ['--iconify', broken, /broken\.json: the file is not JSON \(.+\); expected an Iconify JSON file$/],
      ['--folder', missing, `${missing}: there is no such file or folder; expected a folder of SVG files`],
      ['--folder', file, `${file}: there is a file instead of a folder; expected a folder of SVG files`],
    ] as const) {
      const stderr = rejected(await run('import', option, path));
      if (typeof message === 'string') expect(stderr).to.equal(`${message}\n`);
      else expect(stderr.trim()).to.match(message);
    }
    const { stderr } = await run('import', '--iconify', 'relative/missing.json');
    expect(stderr).to.include(`${join(process.cwd(), 'relative/missing.json')}: there is no such file`);
  });

  it('import creates no database when its path is wrong', async () => {
    const missing = join(root, 'nowhere');
    for (const option of ['--folder', '--iconify']) {
      expect(rejected(await runIn('never', 'import', option, missing)), option).to.match(
        /^\S+nowhere: there is no such file or folder; expected .+\n$/,
      );
      expect(existsSync(join(root, 'never')), option).to.equal(false);
    }
  });

  it('escapes control characters of untrusted text', async () => {
    const folder = join(root, 'escapes');
    const [red, c1, bidi] = ['\u001b[31m', '\u009b2J', '\u202egvs.\u2066'];
    mkdirSync(join(folder, `${red}category`), { recursive: true });
    const clean = drawingOf('<path d="M0 0h24v24z"/>');
    writeFileSync(join(folder, `${red}category`, 'escape.svg'), clean);
    for (const name of ['\u001b[日', '\u009b日', '\u202e日\u2066', 'line\nfeed--日'])
      writeFileSync(join(folder, `${name}.svg`), clean);
    const hostile = join(root, `${red}hostile.json`);
    const info = { name: `Set ${red}${c1}`, version: bidi, license: { title: `MIT${red}` } };
    writeFileSync(
      hostile,
      JSON.stringify({
        prefix: 'hostile',
        info,
        icons: { [`a${c1}`]: { body: '<path/>' }, home: { body: '<path d="M0 0h9v9z"/>' } },
      }),
    );
    writeFileSync(join(root, `${red}none.json`), `${red}{`);
    const shown = [
      await run('import', '--folder', folder, '--title', `Title ${bidi}`, '--verbose'),
      await run('import', '--folder', folder, '--title', `Title ${bidi}`, '--json'),
      await run('import', '--iconify', hostile, '--verbose'),
      await run('import', '--iconify', hostile, '--license', 'MIT'),
      await run('import', '--iconify', join(root, `${red}none.json`)),
      await run('import', '--folder', join(root, `${red}nowhere`)),
      await run('show', 'escape'),
      await run('show', 'escape', '--json'),
      await run('show', 'hostile-home'),
      await run('list', '--json'),
    ];
    const text = shown.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(text.replaceAll('\n', '')).to.not.match(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
    for (const escaped of [
      '\\u001b[日.svg: bad-name',
      '\\u009b日.svg',
      '\\u202e日\\u2066.svg',
      'line\\u000afeed--日.svg',
      'Title \\u202e',
      'Set  [31m 2J',
    ])
      expect(text).to.include(escaped);
    const shownJson = JSON.parse((await run('show', 'escape', '--json')).stdout) as {
      provenance: { package: string }[];
    };
    expect(shownJson.provenance[0]?.package, 'JSON says what it said before').to.equal(`Title ${bidi}`);
  });

  it('links the guide to accepted drawings only if an import rejects one', async () => {
    const folder = join(root, 'rejected');
    mkdirSync(folder);
    writeFileSync(join(folder, 'good.svgz'), gzipSync(drawingOf('<path d="M2 2h20v20H2z"/>')));
    const importFolder = () => runIn('rejected-data', 'import', '--folder', folder, '--no-override');
    expect((await importFolder()).stdout).to.not.include('docs/drawings.md');
    writeFileSync(join(folder, 'text.svg'), drawingOf('\n<text>Acme</text>'));
    writeFileSync(join(folder, 'sprite.svg'), drawingOf('<symbol id="a"><path d="M2 2h2v2z"/></symbol>'));
    writeFileSync(join(folder, 'encoding.svg'), `<?xml version="1.0" encoding="klingon"?>${drawingOf('')}`);
    const { stdout, status } = await importFolder();
    expect(status).to.equal(0);
    expect(stdout)
      .to.match(/folder:rejected text: text: The SVG contains text.*line 2\)\. Convert text to outlines/)
      .and.match(/folder:rejected sprite: sprite: The SVG is a sprite.*Export each symbol as a separate SVG\./)
      .and.match(/folder:rejected encoding: bad_encoding: .*"klingon".*Save the file as UTF-8/)
      .and.include('docs/drawings.md, or /docs/guides/drawings of the service');
  });

  it('prints the licenses of skipped icons grouped by reason', async () => {
    const skip = (type: string, because: string): SkippedIcon => ({
      source: 'folder:x',
      key: 'k',
      reason: 'license',
      message: '',
      license: { type, because },
    });
    const long = 'Trademark of Acme. Used for identification under nominative fair use.';
    const lines = groupSkips([
      skip('GPL-3.0', 'copyleft'),
      skip('Fair use', 'no license'),
      skip(long, 'no license'),
      skip('GPL-3.0', 'copyleft'),
      skip('AGPL-3.0', 'copyleft'),
    ]);
    expect(lines.map((line) => line.trim())).to.deep.equal([
      '3  license, copyleft (GPL-3.0 2, AGPL-3.0 1)',
      '2  license, no license (Fair use 1, Trademark of Acme. Used for identificat… 1)',
    ]);
  });

  it('rejects wrong arguments in one line', async () => {
    for (const [words, code, said] of [
      [['show', 'nobody'], 1, 'There is no entry "nobody".'],
      [['show', 'no slug'], 1, '"no slug" is not a slug.'],
      [['withdraw', 'nobody', '--reason', 'x'], 1, 'There is no entry "nobody".'],
      [['withdraw', 'escape', '--reason', ' '], 1, 'Enter a reason with 1 to 300 characters. It is shown to users.'],
      [
        ['withdraw', 'escape', '--reason', 'x'.repeat(301)],
        1,
        'Enter a reason with 1 to 300 characters. It is shown to users.',
      ],
      [['restore', 'escape'], 1, 'escape is not withdrawn.'],
      [['restore', 'nobody'], 1, 'There is no entry "nobody".'],
      [['list', '--limit', '0'], 2, 'The value must be a whole number of at least 1.'],
      [['import', '--folder', join(root, 'nowhere')], 1, 'nowhere'],
      [['import', '--package', 'left-pad'], 2, 'left-pad'],
      [['import', '--iconify', CLI], 1, 'not'],
      [['import', '--folder', root, '--license', 'nonsense'], 2, 'Allowed choices are CC0-1.0'],
      [['remove', 'iconify:mdi'], 1, 'There is no source "iconify:mdi" in the catalog'],
    ] as const) {
      expect(rejected(await run(...words), code), words.join(' '))
        .to.include(said)
        .and.not.include('    at ');
    }
  });
});
