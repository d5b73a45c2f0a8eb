// A whole life of an account leaves no secret in what is stored; what is thrown and logged is looked at in every test.
import { expect } from 'chai';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import { linkToken, type LinkPurpose } from '../../src/domain/account/email-link.js';
import { eventually } from '../support/auth.js';
import { FAMILY } from '../support/backend.js';
import { openTestAccounts, registered, rejection, someClient, type TestAccounts } from '../support/account-services.js';
import { startMailServer } from '../support/mail-server.js';
import { secretWatch } from '../support/secret-guard.js';
import { temporaryDir } from '../support/temporary.js';

const EMAIL = 'ada@example.com';
const JWT_SECRET = 'a secret that signs what this service signs';
const [FIRST, SECOND, THIRD] = [1, 2, 3].map((number) => `pass/phrase+"${number}" für ada`) as [string, string, string];
const WRONG = 'pass/phrase+"0" of nobody';

/** Kinds of secrets in all that is stored, in any form. */
const secretsIn = async (parts: TestAccounts) => secretWatch.knows((await parts.stored()).toString());

describe('the secrets of an account', () => {
  it('are stored as hashes only, and nothing of it is left when it is deleted', async () => {
    const { path: dataDir, remove } = temporaryDir();
    const server = await startMailServer();
    // Each mail fails, and why is logged.
    server.mood = 'rejects';
    const { port } = new URL(server.url);
    const SMTP_URL = `smtp://ada:${encodeURIComponent('the password of the mail server')}@127.0.0.1:${port}`;
    const parts = await openTestAccounts({ dataDir, variables: { JWT_SECRET, SMTP_URL } });

    async function linkOf(purpose: LinkPurpose): Promise<string> {
      const { id, links } = (await parts.accounts.findByEmail(EMAIL))!;
      return linkToken(
        id,
        links.find((link) => link.purpose === purpose)!,
        parts.linkSecrets[0],
      );
    }
    async function signIn(password: string) {
      const { sessionToken, access, deviceToken } = await parts.signIn.signIn({
        email: EMAIL,
        password,
        client: someClient(),
      });
      expect((await parts.sessions.byCookie(sessionToken)).account.email).to.equal(EMAIL);
      return { caller: await parts.sessions.byBearer(access.token), client: someClient({ deviceToken }) };
    }

    await registered(parts, { email: EMAIL, password: FIRST, client: someClient() });
    await parts.links.verifyEmail(await linkOf('verify-email'), someClient());
    await rejection(parts.signIn.signIn({ email: EMAIL, password: WRONG, client: someClient() }));
    const signedIn = await signIn(FIRST);
    await parts.credentials.regenerateKey({ ...signedIn, currentPassword: FIRST });
    await rejection(parts.credentials.regenerateKey({ ...signedIn, currentPassword: WRONG }));
    await parts.credentials.changePassword({ ...signedIn, currentPassword: FIRST }, SECOND);
    await parts.links.forgotPassword(EMAIL, someClient());
    await parts.settle();
    await parts.links.resetPassword(await linkOf('reset-password'), THIRD, someClient());
    const again = await signIn(THIRD);
    expect(secretWatch.knows(JSON.stringify(await parts.own.activity(again.caller, { limit: 100 })))).to.deep.equal([]);
    await eventually(() => parts.problems.length > 0, 'log of a mail that failed');

    expect((await parts.stored()).includes(EMAIL), 'the account is in what is searched').to.equal(true);
    expect(secretWatch.knows(`${THIRD} is known`)).to.deep.equal(['password']);
    expect(await secretsIn(parts)).to.deep.equal([]);

    await parts.credentials.deleteAccount({ ...again, currentPassword: THIRD });
    expect(await secretsIn(parts)).to.deep.equal([]);
    if (FAMILY === 'embedded') expectNoRows(dataDir);
    else expect((await parts.stored()).includes(EMAIL)).to.equal(false);
    await parts.close();
    await server.down();
    remove();
  });
});

/** Free pages of the file may still have its e-mail address. */
function expectNoRows(dataDir: string): void {
  const db = openDatabase(dataDir);
  for (const table of ['accounts', 'audit', 'budgets', 'usage', 'responses']) {
    const rows = JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all());
    expect(rows.includes(EMAIL), table).to.equal(false);
    if (table === 'accounts') expect(rows).to.equal('[]');
  }
  db.close();
}
