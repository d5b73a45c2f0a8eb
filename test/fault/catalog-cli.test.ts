// The catalog's command line, as an operator meets it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { groupSkips } from '../../src/cli/import-report.js';
import type { SkippedIcon } from '../../src/services/catalog/import-skips.js';
import { secretWatch } from '../support/secret-guard.js';
import { temporaryDir } from '../support/temporary.js';

const CLI = fileURLToPath(new URL('../../src/cli/catalog.js', import.meta.url));

describe('npm run catalog', function () {
  this.timeout(60_000);
  const { path: root, remove } = temporaryDir();
  after(remove);
  const run = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...words], {
      env: { PATH: process.env.PATH, DATA_DIR: join(root, 'data') },
      encoding: 'utf8',
    });
    secretWatch.inspectText('the output of catalog', stdout + stderr);
    return { status, stdout, stderr };
  };

  it('imports, lists, shows, withdraws and restores', () => {
    mkdirSync(join(root, 'icons'));
    writeFileSync(
      join(root, 'icons', 'acme.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h24v24z" fill="#f00"/></svg>',
    );
    writeFileSync(
      join(root, 'icons', 'evil.svg'),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><text>x</text></svg>',
    );
    expect(run('list').stderr).to.include('empty');
    const imported = run('import', '--folder', join(root, 'icons'));
    expect(imported).to.include({ status: 0 });
    expect(imported.stdout).to.include('1 icons imported').and.include('evil: text');
    expect(run('list').stdout).to.match(/^acme +Acme\n$/);
    expect(run('show', 'ACME', '--json').stdout).to.satisfy(
      (text: string) => (JSON.parse(text) as { slug: string }).slug === 'acme',
    );
    expect(run('withdraw', 'acme', '--reason', 'asked by its owner')).to.include({ status: 0 });
    expect(run('show', 'acme')).to.deep.include({ status: 1, stderr: 'acme was withdrawn: asked by its owner\n' });
    expect(run('restore', 'acme')).to.include({ status: 0 });
    expect(run('show', 'acme')).to.include({ status: 0 });
    expect(run('remove', 'folder:icons')).to.include({
      status: 0,
      stdout: 'folder:icons is removed; the catalog has 0 entries.\n',
    });
    expect(run('show', 'acme')).to.include({ status: 1 });
  });

  it('prints no control character of imported names', () => {
    const folder = join(root, 'escapes');
    const [red, c1, bidi] = ['\u001b[31m', '\u009b2J', '\u202egvs.\u2066'];
    mkdirSync(join(folder, `${red}category`), { recursive: true });
    const clean = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h24v24z"/></svg>';
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
      run('import', '--folder', folder, '--title', `Title ${red}${bidi}`, '--verbose'),
      run('import', '--folder', folder, '--title', `Title ${red}${bidi}`, '--json'),
      run('import', '--iconify', hostile, '--verbose'),
      run('import', '--iconify', hostile, '--license', 'MIT'),
      run('import', '--iconify', join(root, `${red}none.json`)),
      run('import', '--folder', join(root, `${red}nowhere`)),
      run('show', 'escape'),
      run('show', 'escape', '--json'),
      run('show', 'hostile-home'),
      run('list', '--json'),
    ];
    const text = shown.map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(text.replaceAll('\n', '')).to.not.match(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
    for (const escaped of [
      '\\u001b[日.svg: bad-name',
      '\\u009b日.svg',
      '\\u202e日\\u2066.svg',
      'line\\u000afeed--日.svg',
      'Title \\u001b[31m',
      'Set \\u001b[31m\\u009b',
    ])
      expect(text).to.include(escaped);
    const shownJson = JSON.parse(run('show', 'escape', '--json').stdout) as { provenance: { package: string }[] };
    expect(shownJson.provenance[0]?.package, 'JSON says what it said before').to.equal(`Title ${red}${bidi}`);
  });

  it('names the licences of what it skipped once a reason', () => {
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
      skip('Fair use', 'no licence'),
      skip(long, 'no licence'),
      skip('GPL-3.0', 'copyleft'),
      skip('AGPL-3.0', 'copyleft'),
    ]);
    expect(lines.map((line) => line.trim())).to.deep.equal([
      '3  licence, copyleft (GPL-3.0 2, AGPL-3.0 1)',
      '2  licence, no licence (Fair use 1, Trademark of Acme. Used for identificat… 1)',
    ]);
  });

  it('reports each wrong argument in one line', () => {
    for (const [words, said] of [
      [['show', 'nobody'], 'There is no entry "nobody".'],
      [['show', 'no slug'], '"no slug" is not a slug.'],
      [['withdraw', 'nobody', '--reason', 'x'], 'There is no entry "nobody".'],
      [['restore', 'acme'], 'acme was not withdrawn.'],
      [['list', '--limit', '0'], 'A whole number from 1.'],
      [['import', '--folder', join(root, 'nowhere')], 'nowhere'],
      [['import', '--package', 'left-pad'], 'left-pad'],
      [['import', '--iconify', CLI], 'not'],
      [['import', '--folder', root, '--license', 'nonsense'], 'Allowed choices are CC0-1.0'],
      [['remove', 'iconify:mdi'], 'There is no source "iconify:mdi" in the catalog'],
    ] as const) {
      const { status, stderr } = run(...words);
      expect(status, words.join(' ')).to.equal(1);
      expect(stderr, words.join(' ')).to.include(said).and.not.include('    at ');
    }
  });
});
