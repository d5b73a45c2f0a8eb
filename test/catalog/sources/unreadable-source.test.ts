// Errors about icon sources that cannot be read.
import { resolve } from 'node:path';
import { expect } from 'chai';
import { z } from 'zod';
import { findPackage } from '../../../src/catalog/sources/installed-package.js';
import { unreadable, unreadablePackage } from '../../../src/catalog/sources/unreadable-source.js';

describe('unreadable source', () => {
  const messageOf = (cause: unknown) => unreadable('icons/mdi.json', cause, 'a file').message;
  const systemError = (code: string) => Object.assign(new Error(`${code}: raw, open 'x'`), { code });

  it('names the absolute path, the reason and the expected files', () => {
    for (const [cause, reason] of [
      [systemError('ENOENT'), 'there is no such file or folder'],
      [systemError('EACCES'), 'this process does not have permission to read the file or folder'],
      [systemError('EPERM'), 'this process does not have permission to read the file or folder'],
      [systemError('ENOTDIR'), 'there is a file instead of a folder'],
      [new SyntaxError('Unexpected end'), 'the file is not JSON (Unexpected end)'],
    ] as const)
      expect(messageOf(cause)).to.equal(`${resolve('icons/mdi.json')}: ${reason}; expected a file`);
  });

  it('keeps the message of any other error', () => {
    expect(messageOf(systemError('EIO'))).to.include("EIO: raw, open 'x'");
    expect(messageOf('the folder has more than 10 files')).to.include(': the folder has more than 10 files; ');
  });

  it('names a missing or damaged package, and how to fix it, in one line', async () => {
    const packageText = (cause: unknown) => unreadablePackage('no-such-icons', cause).message;
    const missing: unknown = await findPackage('no-such-icons').catch((error: unknown) => error);
    expect(packageText(missing)).to.equal(
      'The package no-such-icons cannot be read: the package is not installed. Install it: run npm ci in a clone, otherwise npm install no-such-icons.',
    );
    expect(packageText(new SyntaxError('Unexpected end'))).to.include('the file is not JSON (Unexpected end)');
    const { error } = z.array(z.object({ title: z.string() })).safeParse([{}]);
    expect(packageText(error)).to.match(/the file has unexpected fields \(0\.title: [^\n]+\)\. Install it: run npm ci/);
  });
});
