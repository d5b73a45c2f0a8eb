// Files of a project. Commands neither read nor write through symbolic links.
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createFile, isTaken, readRegularFile, replaceFile } from '../../../src/platform/command-line/project-files.js';
import { temporaryDir } from '../../support/temporary.js';

describe('files of a project', () => {
  let folder: ReturnType<typeof temporaryDir>;
  beforeEach(() => {
    folder = temporaryDir();
    writeFileSync(at('file'), 'kept');
    symlinkSync(at('file'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
    mkdirSync(at('folder'));
  });
  afterEach(() => folder.remove());
  const at = (name: string) => join(folder.path, name);

  it('are taken by anything of the name, also by a link that leads nowhere', () => {
    const names = ['file', 'link', 'dangling', 'folder', 'free', 'nowhere'];
    expect(names.filter((name) => isTaken(at(name)))).to.deep.equal(['file', 'link', 'dangling', 'folder']);
  });

  it('are created where nothing is, and through no link', () => {
    createFile(at('free'), 'new');
    expect(readFileSync(at('free'), 'utf8')).to.equal('new');
    for (const name of ['file', 'link', 'dangling', 'free'])
      expect(() => createFile(at(name), 'other'), name)
        .to.throw()
        .with.property('code', 'EEXIST');
    expect(readFileSync(at('file'), 'utf8')).to.equal('kept');
    expect(isTaken(at('nowhere'))).to.equal(false);
  });

  it('are replaced, a link itself rather than its target, and leave no part behind', () => {
    for (const name of ['link', 'dangling', 'free', 'file']) {
      replaceFile(at(name), `new ${name}`);
      expect(lstatSync(at(name)).isFile(), name).to.equal(true);
      expect(readFileSync(at(name), 'utf8')).to.equal(`new ${name}`);
      if (name !== 'file') expect(readFileSync(at('file'), 'utf8'), name).to.equal('kept');
    }
    expect(() => replaceFile(at('folder'), 'new')).to.throw();
    expect(readdirSync(folder.path).filter((name) => name.includes('.part'))).to.deep.equal([]);
    expect(isTaken(at('nowhere'))).to.equal(false);
  });

  it('are read where they are files', () => {
    expect(['file', 'link', 'dangling', 'folder'].map((name) => readRegularFile(at(name)))).to.deep.equal([
      'kept',
      undefined,
      undefined,
      undefined,
    ]);
    expect(() => readRegularFile(at('free')))
      .to.throw()
      .with.property('code', 'ENOENT');
    expect(readlinkSync(at('link'))).to.equal(at('file'));
  });
});
