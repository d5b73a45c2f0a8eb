// `npm run account` while a service runs on the same database. Every change must apply to the next request.
import { openAccountParts } from '../support/account-services.js';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readEnv } from '../../config/env.js';
import { openDatabase } from '../../src/platform/stores/sqlite/database.js';
import type { AccountId } from '../../src/accounts/account.js';
import { makeResetLink } from '../../src/accounts/changes/email-links.js';
import { BUCKETS, TIERS } from '../../src/accounts/plan.js';
import { ask, eventually, mailsTo, OWN_PAGE, signedIn, type Answer } from '../support/auth.js';
import { rejected, runCli, runCliProcess } from '../support/cli.js';
import { DAY_MS } from '../support/clock.js';
import { PUBLIC_ORIGIN, startServer, type TestServer } from '../support/server.js';
import { testStores } from '../support/stores.js';
import { repeated } from '../support/extent.js';

const PASSWORD = 'quite a long pass phrase';

interface View {
  readonly id: AccountId;
  readonly email: string;
  readonly tier: string;
  readonly status: string;
  readonly key: { readonly hint: string } | null;
}

interface Created {
  readonly account: View;
  readonly apiKey: string;
  readonly resetLink: { readonly address: string; readonly expiresAt: string };
}

describe('npm run account', () => {
  let server: TestServer;
  let db: ReturnType<typeof openDatabase>;
  /** Account services on the database of the running service. */
  let parts: Awaited<ReturnType<typeof openAccountParts>>;
  before(async () => {
    server = await startServer();
    db = openDatabase(server.dataDir);
    const env = readEnv({ DATA_DIR: server.dataDir, PUBLIC_URL: PUBLIC_ORIGIN }, '0.0.0');
    const stores = await testStores({ db, dataDir: server.dataDir, now: Date.now });
    parts = await openAccountParts({
      ...{ env, stores, now: Date.now, mails: 'at once' },
      onError: (error) => expect.fail(String(error)),
    });
  });
  after(async () => {
    await parts.close();
    db.close();
    await server.close();
  });

  const printed: string[] = [];
  const account = async (...words: string[]) => {
    const result = await runCli('account', words, { DATA_DIR: server.dataDir, PUBLIC_URL: PUBLIC_ORIGIN });
    printed.push(result.stdout + result.stderr);
    return result;
  };
  async function asJson<Shape>(...words: string[]): Promise<Shape> {
    const { status, stdout, stderr } = await account(...words, '--json');
    expect({ status, stderr }, words.join(' ')).to.deep.equal({ status: 0, stderr: '' });
    return JSON.parse(stdout) as Shape;
  }
  async function say(...words: string[]): Promise<string> {
    const { status, stdout, stderr } = await account(...words);
    expect({ status, stderr }, words.join(' ')).to.deep.equal({ status: 0, stderr: '' });
    const service = `Service: ${PUBLIC_ORIGIN}, with its data in ${server.dataDir}\n`;
    const isRead = ['show', 'list', '--help'].includes(words[0] ?? '');
    expect(stdout.endsWith(service), stdout).to.equal(!isRead);
    return isRead ? stdout : stdout.slice(0, -service.length);
  }
  const status = async (apiKey: string) => (await server.get('/v1/svg/github', apiKey)).status;
  const tokenOf = (address: string) => {
    expect(address).to.match(/^https:\/\/icons\.example\/reset-password#token=/);
    return address.split('=')[1]!;
  };
  /** Creates an account with a password that the test knows. */
  async function customer(email: string): Promise<Pick<Created, 'account' | 'apiKey'>> {
    const { status: code, body } = await ask(server, '/auth/register', { body: { email, password: PASSWORD } });
    expect(code).to.equal(201);
    return body as unknown as Pick<Created, 'account' | 'apiKey'>;
  }
  const setPassword = async (address: string, newPassword: string) =>
    (await ask(server, '/auth/reset-password', { body: { token: tokenOf(address), newPassword } })).status;
  const signIn = (email: string, password = PASSWORD, headers = {}) =>
    ask(server, '/auth/login', { body: { email, password }, headers });
  const me = (bearer: string) => ask(server, '/auth/me', { method: 'GET', bearer });
  const codeOf = ({ status: code, body }: Answer) => [code, body.error];

  it('create prints a key that works and a link that sets a password', async () => {
    const text = await say('create', ' Ada@Example.com ', '--tier', 'pro');
    const apiKey = /blz_\w+/.exec(text)?.[0] ?? '';
    expect(await status(apiKey)).to.equal(200);
    const link = /https:\S+/.exec(text)?.[0] ?? '';
    expect(await setPassword(link, PASSWORD)).to.equal(204);
    expect((await signIn('ada@example.com')).body.account).to.include({
      tier: 'pro',
      email: 'Ada@Example.com',
      emailVerified: true,
    });
    expect(rejected(await account('create', 'ADA@example.com'))).to.equal(
      'There is already an account with this e-mail address.\n',
    );
    expect(rejected(await account('create', 'nobody'))).to.equal('"nobody" is not an e-mail address.\n');
  });

  it('set-tier changes the limits of the next request', async () => {
    const { apiKey, account: view } = await asJson<Created>('create', 'tier@example.com');
    expect((await server.get('/v1/svg/github', apiKey)).headers.get('ratelimit-policy')).to.equal(
      '"svg-day";q=1000;w=86400',
    );
    expect(await asJson('set-tier', view.id, 'pro')).to.have.nested.property('account.tier', 'pro');
    expect((await server.get('/v1/svg/github', apiKey)).headers.get('ratelimit-policy')).to.equal(
      '"svg-day";q=100000;w=86400',
    );
    expect(await say('set-tier', 'TIER@example.com', 'enterprise')).to.equal(
      'tier@example.com now has the tier enterprise.\n',
    );
    const gold = await account('set-tier', view.id, 'gold');
    expect(gold).to.include({ status: 2 });
    expect(gold.stderr).to.include("'gold' is invalid").and.include('free, pro, enterprise, internal, none');
  });

  it('suspend, resume and revoke-key apply to the next request', async () => {
    const { apiKey } = await customer('status@example.com');
    const { accessToken } = signedIn(await signIn('status@example.com'));
    expect(await asJson('suspend', 'status@example.com')).to.have.nested.property('account.status', 'suspended');
    expect(await status(apiKey)).to.equal(403);
    expect(codeOf(await signIn('status@example.com'))).to.deep.equal([403, 'account_suspended']);
    expect(codeOf(await me(accessToken))).to.deep.equal([403, 'account_suspended']);
    expect(await say('resume', 'status@example.com')).to.equal('status@example.com is active.\n');
    expect(await status(apiKey)).to.equal(200);
    expect((await me(accessToken)).status).to.equal(200);
    expect(await asJson('revoke-key', 'status@example.com'))
      .to.deep.include({ revoked: true })
      .and.to.have.nested.property('account.key', null);
    expect(await status(apiKey)).to.equal(401);
    expect(await say('revoke-key', 'status@example.com')).to.equal('status@example.com has no key.\n');
  });

  it('show lists publishable keys by their hints, and revoke-publishable-key revokes one of them', async () => {
    const { account: view } = await customer('pages@example.com');
    const { body: signedIn } = await signIn('pages@example.com');
    const made = await ask(server, '/auth/publishable-keys', {
      bearer: String(signedIn.accessToken),
      body: { name: 'Shop', origins: ['example.com'], dailyLimit: 5 },
    });
    const { id, key } = (made.body as { publishableKey: { id: string; key: string } }).publishableKey;
    const picture = async () =>
      (await fetch(`${server.base}/v1/svg/github?key=${key}`, { headers: { Origin: 'https://example.com' } })).status;
    expect(await picture()).to.equal(200);
    // Waits until the time of last use is stored. The service stores it after the response.
    const line = new RegExp(`publishable key ${id} +…${key.slice(-4)} +Shop +example.com +5 per day +last used 20`);
    const text = await eventually(async () => {
      const shown = await say('show', view.id);
      return line.test(shown) ? shown : undefined;
    }, 'last use of the publishable key');
    const shown = await asJson<{ publishableKeys: object[] }>('show', view.id);
    expect(shown.publishableKeys).to.have.length(1);
    expect(shown.publishableKeys[0]).to.include({ id, hint: key.slice(-4), dailyLimit: 5 });
    expect(text + JSON.stringify(shown)).not.to.include(key);
    expect(rejected(await account('revoke-publishable-key', view.id, 'f'.repeat(16)))).to.equal(
      `pages@example.com has no publishable key ${'f'.repeat(16)}.\n`,
    );
    expect(await picture()).to.equal(200);
    expect(await say('revoke-publishable-key', view.id, id)).to.equal(
      `The publishable key ${id} of pages@example.com is revoked.\n`,
    );
    expect(await picture()).to.equal(401);
    expect(await say('show', view.id)).to.include('The publishable key “Shop” was revoked.');
  });

  it('logout-all ends every session', async () => {
    await customer('everywhere@example.com');
    const tokens = [await signIn('everywhere@example.com'), await signIn('everywhere@example.com')].map(
      (answer) => signedIn(answer).accessToken,
    );
    for (const token of tokens) expect((await me(token)).status).to.equal(200);
    // Two sign-ins and the registration have each started a session.
    expect(await asJson('logout-all', 'everywhere@example.com')).to.have.property('endedSessions', 3);
    for (const token of tokens) expect(codeOf(await me(token))).to.deep.equal([401, 'invalid_token']);
    expect(await asJson('logout-all', 'everywhere@example.com')).to.have.property('endedSessions', 0);
  });

  it('unlock allows sign-ins that were throttled', async () => {
    await customer('locked@example.com');
    for (let tries = 0; tries < 10; tries++)
      expect(codeOf(await signIn('locked@example.com', 'not the pass phrase'))).to.deep.equal([
        401,
        'invalid_credentials',
      ]);
    expect(codeOf(await signIn('locked@example.com'))).to.deep.equal([429, 'login_throttled']);
    expect(await say('unlock', 'locked@example.com')).to.equal('locked@example.com can sign in again.\n');
    expect((await signIn('locked@example.com')).status).to.equal(200);
  });

  it('unlock allows sign-ins from a trusted browser that were throttled', async () => {
    await customer('mistyped@example.com');
    const { deviceCookie } = signedIn(await signIn('mistyped@example.com'));
    const inBrowser = (password?: string) => signIn('mistyped@example.com', password, { Cookie: deviceCookie });
    for (let tries = 0; tries < 10; tries++) expect((await inBrowser('not the pass phrase')).status).to.equal(401);
    expect((await inBrowser()).status).to.equal(429);
    await say('unlock', 'mistyped@example.com');
    expect((await inBrowser()).status).to.equal(200);
  });

  it('suspend allows signing out, and resume does not restore sessions that were signed out', async () => {
    await customer('leaving@example.com');
    const [byToken, byCookie] = [
      signedIn(await signIn('leaving@example.com')),
      signedIn(await signIn('leaving@example.com')),
    ];
    await say('suspend', 'leaving@example.com');
    expect((await ask(server, '/auth/logout', { bearer: byToken.accessToken })).status).to.equal(204);
    expect(
      (await ask(server, '/auth/logout', { cookie: byCookie.cookie, headers: OWN_PAGE, body: {} })).status,
    ).to.equal(204);
    await say('resume', 'leaving@example.com');
    for (const { accessToken } of [byToken, byCookie])
      expect(codeOf(await me(accessToken))).to.deep.equal([401, 'invalid_token']);
  });

  it('reset-link prints a link that works once, invalidates older ones, and mails nothing', async () => {
    const { account: view } = await customer('forgot@example.com');
    // Sends the pending mails first, so that all later mails come from the next command.
    await parts.outbox.drain();
    const { resetLink: older } = await asJson<Pick<Created, 'resetLink'>>('reset-link', view.id);
    const link = /https:\S+/.exec(await say('reset-link', view.id))?.[0] ?? '';
    expect(await setPassword(older.address, 'another pass phrase')).to.equal(400);
    expect((await parts.accounts.find(view.id))!.mails).to.deep.equal([]);
    expect(await setPassword(link, 'another pass phrase')).to.equal(204);
    expect(await setPassword(link, 'another pass phrase')).to.equal(400);
    expect((await signIn('forgot@example.com', 'another pass phrase')).status).to.equal(200);
  });

  it('delete requires --yes, removes the account, and frees its e-mail address', async () => {
    const { apiKey, account: view } = await asJson<Created>('create', 'gone@example.com');
    expect(await status(apiKey)).to.equal(200);
    expect(await account('delete', 'gone@example.com')).to.include({ status: 2 });
    expect(await status(apiKey)).to.equal(200);
    expect(await asJson('delete', 'gone@example.com', '--yes')).to.deep.equal({
      deleted: { id: view.id, email: 'gone@example.com' },
      service: PUBLIC_ORIGIN,
    });
    // The command sends this mail before it ends, because the mail is not stored.
    const about = mailsTo(server, 'gone@example.com').filter((mail) => mail.includes('Your account was deleted'));
    expect(about).to.have.length(1);
    expect(about[0]).to.include('The operator of this service deleted your account.');
    expect(await status(apiKey)).to.equal(401);
    expect(db.prepare('SELECT COUNT(*) AS left FROM usage WHERE account_id = ?').get(view.id)).to.deep.equal({
      left: 0,
    });
    expect(rejected(await account('show', view.id))).to.equal(`There is no account "${view.id}".\n`);
    expect(
      (await ask(server, '/auth/register', { body: { email: 'gone@example.com', password: PASSWORD } })).status,
    ).to.equal(201);
  });

  it('delete completes a deletion that was interrupted', async () => {
    const { account: view } = await asJson<Created>('create', 'half@example.com');
    db.prepare(`UPDATE accounts SET record = json_set(record, '$.deleting', json('true')) WHERE id = ?`).run(view.id);
    expect(await asJson('show', view.id)).to.have.property('status', 'being deleted');
    expect(rejected(await account('suspend', view.id))).to.equal('There is no such account.\n');
    await say('delete', view.id, '--yes');
    expect(await parts.accounts.find(view.id)).to.equal(undefined);
  });

  it('list --sort used prints the accounts with most requests first, page by page', async () => {
    const [much, little] = [await customer('much@example.com'), await customer('little@example.com')];
    await server.setUsed(much.apiKey, 'svg', 900_000);
    await server.setUsed(much.apiKey, 'png', 42);
    await server.setUsed(little.apiKey, 'search', 900_001);
    const used = await account('list', '--sort', 'used', '--limit', '2', '--days', '1');
    expect(used.stderr).to.equal('There are more accounts. Use --limit and --page to see them.\n');
    const [heading, ...rows] = used.stdout.trimEnd().split('\n');
    expect(heading).to.match(/CREATED +LAST USE +REQUESTS$/);
    expect(rows[0]).to.match(/much@example\.com .* 900042$/);
    expect(rows[1]).to.match(/little@example\.com .* 900001$/);
    const page = (at: number) => account('list', '--sort', 'used', '--limit', '1', '--page', String(at), '--json');
    const second = JSON.parse((await page(2)).stdout) as (View & { requests: number })[];
    expect(second).to.have.length(1);
    expect(second[0]).to.include({ id: little.account.id, requests: 900_001 });
    const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
    for (const days of [29, 30])
      db.prepare('INSERT INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?)').run(
        little.account.id,
        daysAgo(days),
        'svg',
        1000 + days,
      );
    const month = JSON.parse((await account('list', '--sort', 'used', '--limit', '1', '--json')).stdout) as object[];
    expect(month[0], 'in the last 30 days by default').to.include({ id: little.account.id, requests: 901_030 });
    for (const [words, reason] of [
      [['--sort', 'used', '--page', '100'], 'must be less than 10000'],
      [['--days', '401'], '--days must be at most 400'],
    ] as const) {
      const { status: code, stderr } = await account('list', ...words);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.include(reason);
    }
  });

  it('list prints accounts, and show the sessions and events of one', async () => {
    const { account: view } = await customer('shown@example.com');
    await signIn('shown@example.com');
    const all = await asJson<View[]>('list');
    expect(all.find(({ id }) => id === view.id)).to.include({
      email: 'shown@example.com',
      tier: 'free',
      status: 'active',
    });
    const first = await account('list', '--limit', '1');
    expect(first.stdout.split('\n')).to.have.length(3);
    expect(first.stderr).to.equal('There are more accounts. Use --limit and --page to see them.\n');
    const second = JSON.parse((await account('list', '--limit', '1', '--page', '2', '--json')).stdout) as View[];
    expect(second.map(({ id }) => id)).to.deep.equal([all[1]!.id]);
    const shown = await asJson<{ sessions: object[]; recentEvents: { type: string; by: { kind: string } }[] }>(
      'show',
      'shown@example.com',
    );
    expect(shown.sessions).to.have.length(2);
    expect(shown.recentEvents[0]).to.deep.include({
      type: 'authn_login_success',
      by: { kind: 'customer', address: '127.0.0.0/24' },
    });
    expect(await say('show', view.id))
      .to.include('shown@example.com')
      .and.include('Signed in.   127.0.0.0/24')
      .and.include('session ');
  });

  it('show prints today’s usage of each bucket with the limit of the tier, of a suspended account, too', async () => {
    const { apiKey, account: view } = await asJson<Created>('create', 'usage@example.com');
    for (const path of ['/v1/svg/github', '/v1/svg/gitlab', '/v1/catalog/github']) await server.get(path, apiKey);
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    db.prepare('INSERT INTO usage (account_id, day, bucket, used) VALUES (?, ?, ?, ?)').run(
      view.id,
      yesterday,
      'png',
      7,
    );
    await say('suspend', view.id);
    const { usageToday } = await asJson<{ usageToday: { date: string; endpoints: object } }>('show', view.id);
    expect(usageToday.date).to.match(/^\d{4}-\d\d-\d\d$/);
    expect(usageToday.endpoints).to.have.all.keys(BUCKETS);
    expect(usageToday.endpoints).to.deep.include({
      svg: { used: 2, limit: 1000 },
      png: { used: 0, limit: 500 },
      catalog: { used: 1, limit: 1000 },
    });
    expect(await say('show', view.id))
      .to.match(/^ +svg +2 of 1000$/m)
      .and.match(/^ +png +0 of 500$/m);
    await say('set-tier', view.id, 'internal');
    expect(await say('show', view.id)).to.match(/^ +svg +2 \(no limit\)$/m);
  });

  it('warns of links to localhost, and still prints them', async () => {
    await asJson<Created>('create', 'local@example.com');
    const run = (variables: Record<string, string>, ...words: string[]) =>
      runCli('account', words, { DATA_DIR: server.dataDir, ...variables });
    for (const words of [
      ['reset-link', 'local@example.com'],
      ['create', 'local2@example.com'],
    ]) {
      const { status: code, stdout, stderr } = await run({}, ...words);
      expect(code).to.equal(0);
      expect(stdout).to.include('http://localhost:3000/reset-password#token=');
      expect(stderr).to.match(
        /^The link points to localhost:3000, so it works on this machine only\. Set PUBLIC_URL .+\n$/,
      );
    }
    expect((await run({ PUBLIC_URL: PUBLIC_ORIGIN }, 'reset-link', 'local@example.com')).stderr).to.equal('');
  });

  it('set-email changes the address immediately, keeps sessions and key, and mails both addresses', async () => {
    const { account: view, apiKey } = await customer('before@example.com');
    const { accessToken } = signedIn(await signIn('before@example.com'));
    await customer('taken@example.com');
    for (let count = 0; count < 10; count++) await signIn('after@example.com');
    expect((await signIn('after@example.com')).status, 'by strangers, before').to.equal(429);
    expect(await say('set-email', 'Before@example.com', ' After@example.com ')).to.equal(
      `The e-mail address of ${view.id} was changed from before@example.com to After@example.com.\n`,
    );
    expect((await me(accessToken)).body.account).to.include({ email: 'After@example.com', emailVerified: false });
    expect([await status(apiKey), (await signIn('after@example.com')).status]).to.deep.equal([200, 200]);
    expect((await signIn('before@example.com')).status).to.equal(401);
    await parts.outbox.drain();
    const mailed = (email: string, text: string) =>
      eventually(() => mailsTo(server, email).some((mail) => mail.includes(text)), `mail to ${email}`);
    await mailed('before@example.com', 'Subject: Blazon: E-mail address changed');
    await mailed('After@example.com', 'Subject: Blazon: Verify your e-mail address');
    const events = await parts.audit.read(view.id, { limit: 10 });
    expect(events.find(({ type }) => type === 'user_updated')).to.deep.include({
      by: { kind: 'operator', address: null },
      detail: { emailChanged: true },
    });
    for (const [words, stderr] of [
      [[view.id, 'TAKEN@example.com'], /^There is already an account with this e-mail address\.\n$/],
      [[view.id, 'AFTER@example.com'], /already the address of this account/],
      [[view.id, 'nobody'], /^"nobody" is not an e-mail address\.\n$/],
    ] as const) {
      expect(rejected(await account('set-email', ...words))).to.match(stderr);
    }
    expect(await asJson('set-email', view.id, 'json@example.com')).to.have.nested.property(
      'account.email',
      'json@example.com',
    );
  });

  it('show escapes control characters of untrusted text', async () => {
    await customer('terminal@example.com');
    // U+009B (a C1 control character) controls terminals like `ESC [` does. HTTP headers may contain it.
    await signIn('terminal@example.com', PASSWORD, { 'User-Agent': 'a\u009b2Jb' });
    expect(await say('show', 'terminal@example.com')).to.include('a\\u009b2Jb');
  });

  it('records every change as the operator’s', async () => {
    const { account: view } = await asJson<Created>('create', 'audit@example.com');
    for (const words of [
      ['set-tier', view.id, 'pro'],
      ['set-email', view.id, 'audited@example.com'],
      ['suspend', view.id],
      ['resume', view.id],
      ['reset-link', view.id],
      ['unlock', view.id],
      ['revoke-key', view.id],
      ['delete', view.id, '--yes'],
    ])
      await say(...words);
    const events = await parts.audit.read(view.id, { limit: 100 });
    expect(events.every(({ by }) => by.kind === 'operator' && by.address === null)).to.equal(true);
    expect([...events].reverse().map(({ type }) => type)).to.deep.equal([
      'user_created',
      'authn_token_created',
      'authz_change',
      'user_updated',
      'authn_token_created',
      'authn_login_lock',
      'user_updated',
      'authn_token_created',
      'user_updated',
      'authn_token_revoked',
      'user_deleted',
    ]);
  });

  it('leaves mails to the service', async () => {
    await asJson<Created>('create', 'mail@example.com');
    const inOutbox = () => readdirSync(join(server.dataDir, 'outbox')).length;
    const { id, mails } = (await parts.accounts.findByEmail('mail@example.com'))!;
    expect(mails.map(({ kind }) => kind)).to.deep.equal(['verify-email']);
    const before = inOutbox();
    await parts.outbox.drain();
    expect(inOutbox()).to.be.greaterThan(before);
    expect((await parts.accounts.find(id))!.mails).to.deep.equal([]);
  });

  it('loses no change when commands, the service and requests run concurrently', async () => {
    const { apiKey, account: view } = await asJson<Created>('create', 'busy@example.com');
    // Sends the pending mails before the version is read, because each sent mail increments the version of the account.
    await parts.outbox.drain();
    const { version: before } = (await parts.accounts.find(view.id))!;
    const state = { done: false };
    const commands = Promise.all(
      Array.from({ length: repeated(3, 8) }, (_, index) =>
        runCliProcess('account', ['set-tier', view.id, TIERS[index % 4]!], {
          DATA_DIR: server.dataDir,
          PUBLIC_URL: PUBLIC_ORIGIN,
        }),
      ),
    ).finally(() => (state.done = true));
    let ownChanges = 0;
    const changes = (async () => {
      while (!state.done) {
        await parts.actors.run(view.id, { kind: 'customer', address: null }, makeResetLink);
        ownChanges += 1;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const statuses: number[] = [];
    const requests = (async () => {
      while (!state.done) statuses.push(await status(apiKey));
    })();
    const results = await commands;
    await Promise.all([changes, requests]);
    expect(results.map(({ status: code, stderr }) => [code, stderr])).to.deep.equal(results.map(() => [0, '']));
    expect(statuses.filter((code) => code !== 200 && code !== 429)).to.deep.equal([]);
    const { version, tier } = (await parts.accounts.find(view.id))!;
    const events = [...(await parts.audit.read(view.id, { limit: 10_000 }))].reverse();
    const moves = events.filter(({ type }) => type === 'authz_change').map(({ detail }) => detail!);
    expect(moves.length).to.be.at.least(repeated(2, 4));
    expect(version - before).to.equal(moves.length + ownChanges);
    // Each change starts with the tier that the previous change has set.
    expect(moves.map(({ from }) => from)).to.deep.equal(['free', ...moves.map(({ to }) => to)].slice(0, -1));
    expect(tier).to.equal(moves.at(-1)!.to);
    expect(db.prepare('PRAGMA integrity_check').get()).to.deep.equal({ integrity_check: 'ok' });
  });

  it('rejects wrong arguments in one line', async () => {
    for (const [words, code, said] of [
      [['show', 'nobody@example.com'], 1, 'There is no account "nobody@example.com".'],
      [['suspend', 'nobody'], 1, 'There is no account "nobody".'],
      [['create', 'x@example.com', '--tier', 'gold'], 2, 'Allowed choices are free, pro, enterprise, internal.'],
      [['list', '--limit', '0'], 2, 'The value must be a whole number of at least 1.'],
      [['regenerate-key', 'x@example.com'], 2, 'unknown command'],
      [['show'], 2, 'missing required argument'],
    ] as const) {
      const { status: given, stderr } = await account(...words);
      expect(given, words.join(' ')).to.equal(code);
      expect(stderr, words.join(' ')).to.include(said).and.not.include('    at ');
    }
  });

  it('exits with 78 and one line for a wrong configuration', async () => {
    for (const variables of [{ DATA_DIR: '/dev/null' }, { DATA_DIR: server.dataDir, PORT: 'abc' }]) {
      const { status: given, stderr } = await runCli('account', ['list'], variables);
      expect(given).to.equal(78);
      expect(stderr).to.match(/^(DATA_DIR|PORT): .+\n$/);
    }
  });

  it('has each command in docs/accounts.md', async () => {
    const manual = readFileSync(fileURLToPath(new URL('../../../docs/accounts.md', import.meta.url)), 'utf8');
    const names = [...(await say('--help')).matchAll(/^ {2}([a-z][a-z-]*) (?:\[options\] )?[<[ ]/gm)]
      .map(([, name]) => name!)
      .filter((name) => name !== 'help');
    expect(names).to.include.members(['create', 'list', 'delete']);
    for (const name of names) expect(manual).to.match(new RegExp(`[|·] \`${name} `));
  });

  it('prints no hash', async () => {
    const all = printed.join('\n');
    expect(all).to.not.include('argon2');
    for (const { key, sessions } of await parts.accounts.list({ limit: 1000 })) {
      for (const secret of [key?.hash, ...sessions.map(({ tokenHash }) => tokenHash)])
        if (secret !== undefined) expect(all).to.not.include(secret);
    }
    expect(all).to.not.match(/[0-9a-f]{64}/);
  });
});
