// Tests that pass, and leave secrets behind. Run by secret-guard.test.ts in a mocha of its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openTestAccounts, PASSWORD, someClient } from '../support/account-services.js';
import { ask } from '../support/auth.js';
import { secretWatch } from '../support/secret-guard.js';
import { startServer } from '../support/server.js';

describe('a run that leaks', () => {
  it('leaves a password in a file', async () => {
    const parts = await openTestAccounts();
    await parts.registration.register({ email: 'ada@example.com', password: PASSWORD, client: someClient() });
    writeFileSync(join(parts.dataDir, 'debug.txt'), `signed in with ${PASSWORD}`);
    await parts.close();
  });

  it('leaves a session token in a folder that is not removed, and one in an error', async () => {
    const server = await startServer();
    const { cookie } = await server.customer();
    writeFileSync(join(server.dataDir, 'cookies.txt'), cookie);
    expect((await ask(server, '/auth/me', { method: 'GET' })).status).to.equal(401);
    secretWatch.inspectText('an error', `the session of ${cookie} has ended`);
    await server.close();
  });
});
