// Generation of the secret with which the service signs tokens.
import { once } from 'node:events';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { readOrCreateSecret } from '../../../../src/platform/stores/sqlite/generated-secret.js';
import { temporaryDir } from '../../../support/temporary.js';

describe('the generated secret', () => {
  let dataDir: string;
  let remove: () => void;
  beforeEach(() => {
    ({ path: dataDir, remove } = temporaryDir());
  });
  afterEach(() => remove());

  it('is generated once, long enough, and readable by the owner only', () => {
    const secret = readOrCreateSecret(dataDir);
    expect(Buffer.from(secret, 'base64url')).to.have.length(32);
    expect(readOrCreateSecret(dataDir)).to.equal(secret);
    expect(readdirSync(dataDir)).to.deep.equal(['jwt-secret']);
    expect(statSync(join(dataDir, 'jwt-secret')).mode & 0o777).to.equal(0o600);
  });

  it('is rejected when a crash left an empty file', () => {
    writeFileSync(join(dataDir, 'jwt-secret'), '');
    expect(() => readOrCreateSecret(dataDir)).to.throw(/jwt-secret has fewer than 32 bytes/);
  });

  it('is shared by processes that start at the same time', async () => {
    const source = `const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.module).then(({ readOrCreateSecret }) => {
        while (Date.now() < workerData.atMs);
        parentPort.postMessage(readOrCreateSecret(workerData.dataDir));
      });`;
    const workerData = {
      module: new URL('../../../../src/platform/stores/sqlite/generated-secret.js', import.meta.url).href,
      dataDir,
      atMs: Date.now() + 300,
    };
    const secrets = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const [secret] = (await once(new Worker(source, { eval: true, workerData }), 'message')) as [string];
        return secret;
      }),
    );
    expect(new Set(secrets)).to.deep.equal(new Set([readOrCreateSecret(dataDir)]));
    expect(readdirSync(dataDir)).to.deep.equal(['jwt-secret']);
  });
});
