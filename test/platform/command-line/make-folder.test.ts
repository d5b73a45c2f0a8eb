// Folders that a command creates.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFolder } from '../../../src/platform/command-line/make-folder.js';
import { temporaryDir } from '../../support/temporary.js';

describe('makeFolder', () => {
  it('creates the folder and its parents, once', () => {
    const { path, remove } = temporaryDir();
    for (let round = 0; round < 2; round++) makeFolder(join(path, 'a', 'b'));
    expect(existsSync(join(path, 'a', 'b'))).to.equal(true);
    remove();
  });

  it('throws if that is impossible: at or below a file, or in /proc, where a recursive mkdir never ends', () => {
    const { path, remove } = temporaryDir();
    const file = join(path, 'file');
    writeFileSync(file, '');
    expect(() => makeFolder(file)).to.throw(/EEXIST/);
    expect(() => makeFolder(join(file, 'x'))).to.throw(/ENOTDIR/);
    if (process.platform === 'linux') expect(() => makeFolder('/proc/none')).to.throw(/ENOENT/);
    remove();
  });
});
