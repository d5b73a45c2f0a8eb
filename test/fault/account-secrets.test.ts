// A whole life of an account leaves no secret behind: not in the database, the record, errors or logs.
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { openDatabase } from '../../src/adapters/embedded/sqlite/database.js';
import type { Account } from '../../src/domain/account/account.js';
import { linkToken, type LinkPurpose } from '../../src/domain/account/email-link.js';
import { AppError } from '../../src/errors.js';
import { openSecretSearch } from '../../scripts/secret-search.js';
import { eventually } from '../support/auth.js';
import { FAMILY } from '../support/backend.js';
import { openTestAccounts, registered, someClient } from '../support/account-services.js';
import { startMailServer } from '../support/mail-server.js';
import { temporaryDir } from '../support/temporary.js';

const EMAIL = 'ada@example.com';
const JWT_SECRET = 'a secret that signs what this service signs';
const SMTP_PASSWORD = 'the password of the mail server';

describe('the secrets of an account', () => {
  it('are stored as hashes only, and never logged', async () => {
    const { path: dataDir, remove } = temporaryDir();
    const server = await startMailServer();
    // Each mail fails, and why is logged.
    server.mood = 'rejects';
    const { port } = new URL(server.url);
    const parts = await openTestAccounts({
      dataDir,
      variables: { JWT_SECRET, SMTP_URL: `smtp://ada:${encodeURIComponent(SMTP_PASSWORD)}@127.0.0.1:${port}` },
    });
    const secrets: Record<string, string> = { 'JWT secret': JWT_SECRET, 'SMTP password': SMTP_PASSWORD };
    const errors: unknown[] = [];
    let passwords = 0;

    function keep<Value extends string>(what: string, value: Value): Value {
      secrets[`${what} ${Object.keys(secrets).length}`] = value;
      return value;
    }
    const password = (): string => keep('password', `pass/phrase+"${++passwords}" für ada`);
    async function rejected(work: Promise<unknown>): Promise<void> {
      errors.push(
        await work.then(
          () => expect.fail('was not rejected'),
          (error: unknown) => error,
        ),
      );
    }
    const current = async (): Promise<Account> => (await parts.accounts.findByEmail(EMAIL))!;
    async function linkOf(purpose: LinkPurpose): Promise<string> {
      const account = await current();
      return keep(
        'link',
        linkToken(
          account.id,
          account.links.find((link) => link.purpose === purpose)!,
          parts.linkSecrets[0],
        ),
      );
    }
    async function signIn(secret: string) {
      const { sessionToken, access, deviceToken } = await parts.signIn.signIn({
        email: EMAIL,
        password: secret,
        client: someClient(),
      });
      keep('session', sessionToken);
      const caller = await parts.sessions.byBearer(keep('access token', access.token));
      return { sessionToken, caller, client: someClient({ deviceToken: keep('device', deviceToken) }) };
    }

    const first = password();
    const created = await registered(parts, { email: EMAIL, password: first, client: someClient() });
    for (const [what, value] of [
      ['key', created.apiKey],
      ['session', created.sessionToken],
      ['access token', created.access.token],
      ['device', created.deviceToken],
    ] as const)
      keep(what, value);
    await rejected(parts.registration.register({ email: EMAIL, password: first, client: someClient() }));
    await rejected(
      parts.registration.register({
        email: 'eve@example.com',
        password: keep('password', 'short/"pass'),
        client: someClient(),
      }),
    );
    const verification = await linkOf('verify-email');
    await parts.links.verifyEmail(verification, someClient());
    await rejected(parts.links.verifyEmail(verification, someClient()));
    await rejected(parts.signIn.signIn({ email: EMAIL, password: password(), client: someClient() }));

    const { caller, client, sessionToken } = await signIn(first);
    parts.sessions.refresh(await parts.sessions.byCookie(sessionToken));
    const { raw } = await parts.credentials.regenerateKey({ caller, currentPassword: first, client });
    keep('key', raw);
    await rejected(parts.credentials.regenerateKey({ caller, currentPassword: password(), client }));
    const second = password();
    keep('device', await parts.credentials.changePassword({ caller, currentPassword: first, client }, second));
    await rejected(
      parts.credentials.changePassword(
        { caller: { ...caller, account: await current() }, currentPassword: second, client },
        second,
      ),
    );
    await parts.links.forgotPassword(EMAIL, someClient());
    await parts.settle();
    const reset = await linkOf('reset-password');
    const third = password();
    await parts.links.resetPassword(reset, third, someClient());
    await rejected(parts.links.resetPassword(reset, password(), someClient()));
    await rejected(
      parts.sessions.byBearer(Object.entries(secrets).find(([what]) => what.startsWith('access'))?.[1] ?? ''),
    );
    const again = await signIn(third);
    const shown = JSON.stringify(await parts.own.activity(again.caller, { limit: 100 }));
    await parts.credentials.endAllSessions({ caller: again.caller, currentPassword: third, client: again.client });
    await rejected(parts.sessions.byCookie(again.sessionToken));
    const last = await signIn(third);
    await eventually(() => parts.problems.length > 0, 'log of a mail that failed');

    const log: string[] = [];
    const logger = pino(
      { level: 'trace' },
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          log.push(chunk.toString());
          done();
        },
      }),
    );
    for (const error of [...errors, ...parts.problems]) logger.warn({ err: error }, 'a problem');
    const texts = errors.map((error) =>
      error instanceof AppError ? JSON.stringify([error.message, error.details]) : String(error),
    );

    const alive = await parts.stored();
    expect(alive.includes(EMAIL), 'the account is in what is searched').to.equal(true);
    const search = openSecretSearch();
    expect(Object.keys(secrets).length).to.be.above(20);
    for (const [what, secret] of Object.entries(secrets)) search.add(what, secret);
    const places = { alive, activity: shown, errors: texts.join('\n'), log: log.join('') };
    for (const [place, bytes] of Object.entries(places))
      expect(search.find(Buffer.from(bytes)), place).to.deep.equal([]);

    await parts.credentials.deleteAccount({ caller: last.caller, currentPassword: third, client: last.client });
    const left = await parts.stored();
    expect(search.find(left)).to.deep.equal([]);
    if (FAMILY === 'embedded') expectNoRows(dataDir);
    else expect(left.includes(EMAIL)).to.equal(false);
    await parts.close();
    await server.down();
    remove();
  });
});

/** Of the account; free pages of the file may still have its e-mail address. */
function expectNoRows(dataDir: string): void {
  const db = openDatabase(dataDir);
  for (const table of ['accounts', 'audit', 'budgets', 'usage', 'responses']) {
    const rows = JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all());
    expect(rows.includes(EMAIL), table).to.equal(false);
    if (table === 'accounts') expect(rows).to.equal('[]');
  }
  db.close();
}
