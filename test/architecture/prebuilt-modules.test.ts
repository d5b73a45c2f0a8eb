// Native modules: the packages contain a compiled module for this version of Node, so an installation compiles nothing.
import { execFileSync } from 'node:child_process';
import { execPath } from 'node:process';
import { expect } from 'chai';

const USE_ALL = `
  const argon2 = require('argon2');
  const { DatabaseSync } = require('@photostructure/sqlite');
  new DatabaseSync(':memory:').exec('SELECT 1');
  argon2.hash('some password').then((text) => argon2.verify(text, 'some password')).then(console.log);
`;

describe('compiled modules', () => {
  it('work without having been compiled here', () => {
    // Without this variable, node-gyp-build prefers a module that was compiled on this machine.
    const env = { ...process.env, PREBUILDS_ONLY: '1' };
    expect(execFileSync(execPath, ['-e', USE_ALL], { env, encoding: 'utf8' }).trim()).to.equal('true');
  });
});
