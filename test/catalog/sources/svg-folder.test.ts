// Folders with unusual content: links, pipes, devices, deep nesting, and files that change while they are read.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { openIconifySets } from '../../../src/catalog/sources/iconify.js';
import { openSvgFolder } from '../../../src/catalog/sources/svg-folder.js';
import type { OfferedSource, SourceItem } from '../../../src/catalog/import/catalog-sources.js';
import { all } from '../../support/catalog-imports.js';
import { temporaryDir } from '../../support/temporary.js';

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M0 0h24v24z"/></svg>';
const SET = JSON.stringify({ prefix: 'a', icons: { home: { body: '<path d="M0 0h9v9z"/>' } } });

const said = (items: readonly SourceItem[]): string[] =>
  items.map((item) => (item.kind === 'icon' ? item.icon.key : `${item.key} ${item.reason}`)).sort();
const pipe = (path: string): void => void expect(spawnSync('mkfifo', [path]).status).to.equal(0);

/** Runs `work`. If the test runs as root, runs it as the user `nobody`, because root can read every file. */
async function unprivileged<Result>(work: () => Promise<Result>): Promise<Result> {
  if (process.getuid?.() !== 0) return work();
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe('a hostile folder', () => {
  let root: string;
  let folder: string;
  let remove: () => void;
  beforeEach(() => {
    ({ path: root, remove } = temporaryDir());
    folder = join(root, 'icons');
    mkdirSync(folder);
    writeFileSync(join(folder, 'good.svg'), SVG);
    writeFileSync(join(root, 'secret.svg'), SVG);
  });
  afterEach(() => remove());

  const open = (limits?: { maxEntries: number; maxDepth: number }) =>
    openSvgFolder({ folder, kind: 'brands', prefix: null, title: null, license: 'MIT', ...(limits && { limits }) });
  const read = async (limits?: Parameters<typeof open>[0]) => said(await all((await open(limits)).items()));

  it('returns its regular files, and names links, pipes, sockets and devices', async () => {
    for (const [name, target] of [
      ['zero', '/dev/zero'],
      ['out', '../secret.svg'],
      ['same', 'good.svg'],
      ['nowhere', 'gone.svg'],
    ] as const)
      symlinkSync(target, join(folder, `${name}.svg`));
    for (const name of ['loop-1', 'loop-2']) symlinkSync('.', join(folder, name));
    symlinkSync('..', join(folder, 'up'));
    pipe(join(folder, 'pipe.svg'));
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket.svg'), resolve));
    expect(await read()).to.deep.equal([
      'good',
      'loop-1 link',
      'loop-2 link',
      'nowhere.svg link',
      'out.svg link',
      'pipe.svg not-a-file',
      'same.svg link',
      'socket.svg not-a-file',
      'up link',
      'zero.svg link',
    ]);
    await new Promise((resolve) => server.close(resolve));
  });

  it('may itself be a link', async () => {
    renameSync(folder, join(root, 'elsewhere'));
    symlinkSync('elsewhere', folder);
    expect((await open()).id).to.equal('folder:icons');
    expect(await read()).to.deep.equal(['good']);
  });

  it('is not followed if a file or folder is replaced after it was listed', async () => {
    mkdirSync(join(folder, 'sub'));
    for (const name of ['sub/secret', 'link', 'pipe', 'gone']) writeFileSync(join(folder, `${name}.svg`), SVG);
    const source = await open();
    for (const name of ['sub', 'link.svg', 'pipe.svg', 'gone.svg']) rmSync(join(folder, name), { recursive: true });
    symlinkSync('..', join(folder, 'sub'));
    symlinkSync('../secret.svg', join(folder, 'link.svg'));
    pipe(join(folder, 'pipe.svg'));
    expect(said(await all(source.items()))).to.deep.equal([
      'gone.svg unreadable',
      'good',
      'link.svg link',
      'pipe.svg not-a-file',
      'sub/secret.svg outside',
    ]);
  });

  it('is limited in number of files and depth', async () => {
    for (const name of ['a/b/c', 'a/d']) mkdirSync(join(folder, name), { recursive: true });
    writeFileSync(join(folder, 'a/b/deep.svg'), SVG);
    expect(await read({ maxEntries: 6, maxDepth: 2 })).to.deep.equal(['a/b/c too-deep', 'deep', 'good']);
    const items = await all((await open({ maxEntries: 4, maxDepth: 9 })).items());
    expect(items.filter((item) => item.kind === 'skipped' && item.reason === 'too-many-files')).to.have.length(1);
  });

  it('names unreadable files, and returns the rest', async () => {
    mkdirSync(join(folder, 'closed'));
    writeFileSync(join(folder, 'private.svg'), SVG);
    for (const path of [root, folder]) chmodSync(path, 0o755);
    for (const path of ['closed', 'private.svg']) chmodSync(join(folder, path), 0);
    expect(await unprivileged(() => read())).to.deep.equal(['closed unreadable', 'good', 'private.svg unreadable']);
    chmodSync(join(folder, 'closed'), 0o700);
  });

  it('of Iconify sets returns regular files only, and names the others', async () => {
    rmSync(join(folder, 'good.svg'));
    writeFileSync(join(folder, 'a.json'), SET);
    writeFileSync(join(root, 'secret.json'), SET);
    symlinkSync('/dev/zero', join(folder, 'b.json'));
    symlinkSync('../secret.json', join(folder, 'c.json'));
    pipe(join(folder, 'd.json'));
    symlinkSync('.', join(folder, 'json'));
    const offered: OfferedSource[] = await all(await openIconifySets(folder, { kind: 'set' }));
    expect(offered.map((one) => ('unreadable' in one ? one.message.slice(folder.length + 1) : one.id))).to.deep.equal([
      'iconify:a',
      'b.json: a symbolic link; only files inside the folder are read',
      'c.json: a symbolic link; only files inside the folder are read',
      'd.json: a pipe, a socket or a device',
    ]);
    symlinkSync('icons/a.json', join(root, 'chosen.json'));
    expect(await all(await openIconifySets(join(root, 'chosen.json'), { kind: 'set' }))).to.have.nested.property(
      '[0].id',
      'iconify:a',
    );
  });

  it('rejects a device, a pipe or an endless file as the Iconify set itself', async () => {
    pipe(join(root, 'pipe.json'));
    for (const path of ['/dev/zero', join(root, 'pipe.json')]) {
      const rejected = await openIconifySets(path, { kind: 'set' }).catch(String);
      expect(rejected, path).to.include('a pipe, a socket or a device');
    }
  });
});
