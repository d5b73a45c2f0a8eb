// CONFIG_DIR: files of the operator replace files of the package.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ConfigError } from '../../config/config-error.js';
import { readCounters } from '../../src/visitor-counters/read-counters.js';
import { configFolderWarnings, readConfigText } from '../../config/json-file.js';
import { readPlans } from '../../config/plans.js';
import { temporaryDir } from '../support/temporary.js';

describe('CONFIG_DIR', () => {
  const own = temporaryDir();
  after(own.remove);
  beforeEach(() => {
    process.env.CONFIG_DIR = own.path;
  });
  afterEach(() => {
    delete process.env.CONFIG_DIR;
    for (const name of ['plans.json', 'counters.json', 'plan.json', 'notes.md'])
      rmSync(join(own.path, name), { force: true });
  });
  const write = (name: string, text: string) => writeFileSync(join(own.path, name), text);

  it('replaces single files, and others are the package’s', () => {
    write('plans.json', '{"own":true}');
    expect(readConfigText('plans.json')).to.equal('{"own":true}');
    expect(readConfigText('counters.json')).to.include('example');
  });

  it('has the plans and the counters of the operator', () => {
    delete process.env.CONFIG_DIR;
    const plans = readPlans();
    process.env.CONFIG_DIR = own.path;
    write('plans.json', JSON.stringify({ ...plans, free: { ...plans.free, burstPerSecond: 7 } }));
    write('counters.json', '{"mine":{"origins":[],"seed":12}}');
    expect(readPlans().free.burstPerSecond).to.equal(7);
    expect([...readCounters().keys()]).to.deep.equal(['mine']);
  });

  it('must be a folder', () => {
    process.env.CONFIG_DIR = join(own.path, 'nowhere');
    expect(() => readConfigText('plans.json')).to.throw(
      ConfigError,
      /^CONFIG_DIR: ".*nowhere"; CONFIG_DIR must be a folder$/,
    );
  });

  it('is named if one of its files is wrong', () => {
    write('plans.json', '{');
    expect(() => readPlans()).to.throw(ConfigError, join(own.path, 'plans.json'));
  });

  it('causes a warning if one of its files is not read', () => {
    write('plan.json', '{}');
    write('notes.md', 'ours');
    expect(configFolderWarnings())
      .to.have.length(1)
      .with.nested.property('[0]')
      .that.matches(/plan\.json is ignored; supported files are .*plans\.json/);
  });
});
