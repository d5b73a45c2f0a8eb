// CONFIG_DIR: the operator's own files in the place of the package's.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError } from '../../../config/config-error.js';
import { readConfigText } from '../../../config/json-file.js';
import { temporaryDir } from '../../support/temporary.js';

describe('CONFIG_DIR', () => {
  const own = temporaryDir();
  after(own.remove);
  afterEach(() => {
    delete process.env.CONFIG_DIR;
  });

  it('has the files that are in it; others are the package’s', () => {
    writeFileSync(join(own.path, 'plans.json'), '{"own":true}');
    process.env.CONFIG_DIR = own.path;
    expect(readConfigText('plans.json')).to.equal('{"own":true}');
    expect(readConfigText('counters.json')).to.include('example');
  });

  it('must be a folder', () => {
    process.env.CONFIG_DIR = join(own.path, 'nowhere');
    expect(() => readConfigText('plans.json')).to.throw(ConfigError, /^CONFIG_DIR: ".*nowhere"; it must be a folder$/);
  });
});
