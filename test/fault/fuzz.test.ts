// A short fuzz trial of the real service: malformed requests, made of its OpenAPI document, over raw sockets.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { findingLines } from '../../scripts/fuzz/findings.js';
import { runTrial } from '../../scripts/fuzz/run.js';
import { startTarget } from '../../scripts/fuzz/target.js';
import { sampleCatalog } from '../support/sample-catalog.js';
import { secretWatch } from '../support/secret-guard.js';
import { tokensIn } from '../support/secret-shapes.js';
import { temporaryDir } from '../support/temporary.js';

const SEED = 20_260_101;
const REQUESTS = 300;

describe(`${REQUESTS} malformed requests of seed ${SEED}`, () => {
  it('are answered as documented, and leave the service ready', async () => {
    const folder = temporaryDir();
    cpSync(await sampleCatalog(), join(folder.path, 'data'), { recursive: true });
    const target = await startTarget(folder.path);
    try {
      const report = await runTrial(target, {
        seed: SEED,
        requests: REQUESTS,
        onCredentials: (credentials) =>
          secretWatch.remember(tokensIn(Object.values(credentials).join(' ').replaceAll('=', ' '))),
      });
      expect(findingLines(report.findings, SEED).join('\n\n')).to.equal('');
      expect(report.sent).to.equal(REQUESTS);
    } finally {
      if (target.isRunning()) await target.end();
      folder.remove();
    }
  });
});
