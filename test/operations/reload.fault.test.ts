// `npm run reload` of a service on SQLite, with a real PM2. Either the new process gets the changed variables, or the
// command fails.
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/auth.js';
import { createTestPm2, type TestPm2 } from '../support/pm2.js';
import { sampleCatalog } from '../support/sample-catalog.js';
import { isReady, ROOT } from '../support/service-process.js';
import { temporaryDir } from '../support/temporary.js';
import { freePort } from '../../scripts/server-process.js';

describe('npm run reload, embedded', () => {
  let folder: ReturnType<typeof temporaryDir>;
  let pm2: TestPm2;
  let metricsPort: number;

  before(async () => {
    folder = temporaryDir();
    cpSync(await sampleCatalog(), folder.path, { recursive: true });
    metricsPort = await freePort();
    const port = await freePort();
    pm2 = createTestPm2(ROOT, { HOST: '127.0.0.1', PORT: String(port), DATA_DIR: folder.path, LOG_LEVEL: 'warn' });
    await pm2.pm2('start', 'ecosystem.config.js');
    await eventually(() => isReady(`http://127.0.0.1:${port}`), 'answer');
  });
  after(async () => {
    await pm2.end();
    folder.remove();
  });

  const reload = (variables: Readonly<Record<string, string>> = {}) =>
    pm2.node(join(ROOT, 'dist/src/cli/main.js'), ['reload'], variables);

  it('applies a changed variable to the new process, and keeps it', async () => {
    for (const variables of [{ METRICS_PORT: String(metricsPort) }, {}]) {
      const { code, output } = await reload(variables);
      expect(code, output).to.equal(0);
      expect(await isReady(`http://127.0.0.1:${metricsPort}`)).to.equal(true);
    }
  });

  it('fails when the new process cannot use its port', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    try {
      const { code, output } = await reload({ METRICS_PORT: String((taken.address() as AddressInfo).port) });
      expect(code, output).to.equal(1);
      expect(output).to.include('The new process is not ready');
    } finally {
      taken.close();
    }
    const mended = await reload({ METRICS_PORT: String(metricsPort) });
    expect(mended.code, mended.output).to.equal(0);
  });
});
