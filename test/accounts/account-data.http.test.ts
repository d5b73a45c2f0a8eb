// GET /auth/me, /auth/activity, POST /auth/export, DELETE /auth/account
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { accountSchema, type AccountId } from '../../src/accounts/account.js';
import { parseAccountId } from '../../src/accounts/account-id.js';
import { auditEvents } from '../../src/accounts/audit-event.js';
import type { ErrorDetail } from '../../src/platform/errors.js';
import { EXPORT_PAGE } from '../../src/accounts/account-data.js';
import { PASSWORD } from '../support/accounts.js';
import { accountCalls, ask, eventually, from, newLinkToken, signedIn } from '../support/auth.js';
import { suiteServer } from '../support/server.js';
import { ROUTES } from '../support/route-bench.js';

const EXPORT_FIELDS = [
  'account',
  'publishableKeys',
  'sessions',
  'links',
  'mails',
  'activity',
  'usage',
  'responses',
  'ownBrands',
  'billing',
  'alerts',
  'webhooks',
  'webhookDeliveries',
];

/** Fields of an account that the export contains. Some have another name or form in the export. */
const EXPORTED =
  'id email emailVerified tier createdAt key publishableKeys ownBrands sessions links mails billing features'.split(
    ' ',
  );
/**
 * Fields of an account that the export omits: secrets and internal fields. `suspended` and `deleting` are omitted
 * because they would always be false or null: suspended and deleted accounts cannot be exported.
 */
const LEFT_OUT = 'password operatorTier suspended throttleNoticeAt unlocks noticedAt deleting version'.split(' ');

interface Event {
  readonly id: string;
  readonly at: string;
  readonly type: string;
  readonly message: string;
  readonly by: string;
  readonly address: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}

describe('the account of the caller', () => {
  const server = suiteServer({ TRUST_PROXY: '1' });

  const { confirm, login, me, refresh, register } = accountCalls(server);
  const get = (path: string, bearer: string) => ask(server, path, { method: 'GET', bearer });
  const events = async (bearer: string, query = '') =>
    (await get(`/auth/activity${query}`, bearer)).body as { events: Event[]; nextCursor: string | null };

  it('exports or explicitly omits each of its fields', () => {
    expect(Object.keys(accountSchema.shape)).to.have.members([...EXPORTED, ...LEFT_OUT]);
  });

  it('is returned without any secret', async () => {
    const { accessToken, email, apiKey, id } = await server.customer();
    await server.get('/v1/svg/github', apiKey);
    await eventually(
      async () => (await server.stores.accounts.find(id as AccountId))?.key?.lastUsedAt ?? undefined,
      'last use of the key',
    );
    const { body, text } = await get('/auth/me', accessToken);
    expect(Object.keys(body)).to.deep.equal(['account']);
    expect(body.account).to.have.all.keys('id', 'email', 'emailVerified', 'tier', 'createdAt', 'key');
    expect(body.account).to.deep.include({ id, email, emailVerified: false, tier: 'free' });
    expect(body).to.have.nested.property('account.key.hint', apiKey.slice(-4));
    expect(body).to.have.nested.property('account.key.lastUsedAt').that.is.a('string');
    expect(text).to.not.match(/argon2|[0-9a-f]{64}/);
  });

  const PATHS: readonly (readonly [string, (key: string) => Promise<Response>])[] = [
    ['HEAD', (key) => fetch(`${server.base}/v1/svg/github`, { method: 'HEAD', headers: { 'X-API-Key': key } })],
    ['an answer of 304', (key) => server.get('/v1/svg/github', key, { 'If-None-Match': '*' })],
    ['a slug that is unknown', (key) => server.get('/v1/catalog/nobody-has-this', key)],
    ['/v1/usage', (key) => server.get('/v1/usage', key)],
    ['/v1/analytics/usage', (key) => server.get('/v1/analytics/usage', key)],
    ['/v1/subscription', (key) => server.get('/v1/subscription', key)],
  ];
  for (const [name, request] of PATHS) {
    it(`states that the key was used with ${name}`, async () => {
      const { accessToken, apiKey } = await server.customer();
      expect((await request(apiKey)).status).to.not.equal(401);
      const used = async () => {
        const { body } = await get('/auth/me', accessToken);
        return (body.account as { readonly key: { readonly lastUsedAt: string | null } }).key.lastUsedAt ?? undefined;
      };
      expect(await eventually(used, 'last use of the key')).to.be.a('string');
    });
  }

  describe('activity', () => {
    it('lists security events with their network, newest first', async () => {
      const email = 'busy@example.com';
      const { accessToken } = signedIn(await register(email));
      for (const currentPassword of ['not this pass phrase', PASSWORD])
        await ask(server, '/auth/regenerate-key', {
          bearer: accessToken,
          body: { currentPassword },
          headers: from('203.0.113.9'),
        });
      const page = await events(accessToken);
      expect(page.nextCursor).to.equal(null);
      expect(page.events.map(({ type }) => type)).to.deep.equal([
        'authn_token_created',
        'authn_login_fail',
        'authn_login_success',
        'user_created',
      ]);
      const [newest] = page.events;
      expect(newest).to.have.all.keys('id', 'at', 'type', 'message', 'by', 'address', 'detail');
      expect(newest).to.deep.include({ by: 'customer', address: '203.0.113.0/24' });
      expect(newest?.message).to.be.a('string').and.not.empty;
      expect(newest?.detail).to.include({ token: 'API key' });
      expect(JSON.stringify(page)).to.not.match(/blz_|argon2|[0-9a-f]{64}|pass phrase/);
    });

    it('returns pages without gaps or repetitions', async () => {
      const { accessToken, email } = await server.customer();
      for (let count = 0; count < 7; count++) await login(email);
      const all = (await events(accessToken)).events.map(({ id }) => id);
      expect(all).to.have.length(7);
      expect((await events(accessToken, '?limit=7')).nextCursor, 'a full last page').to.equal(null);
      const paged: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page = await events(accessToken, `?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`);
        expect(page.events.length).to.be.within(1, 3);
        paged.push(...page.events.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(paged).to.deep.equal(all);
    });

    it('returns twenty events by default, and none of own brands', async () => {
      const { accessToken, id } = await server.customer();
      const account = { id: parseAccountId(id)!, version: 1 };
      const facts = Array.from({ length: 42 }, (_, index) => ({
        type: 'user_updated' as const,
        detail: index % 2 === 0 ? { emailVerified: true } : { ownBrand: 'acme', change: 'created' },
      }));
      const by = { kind: 'customer', address: null } as const;
      for (const [index, fact] of facts.entries())
        await server.stores.audit.append(auditEvents([fact], { account, by, at: new Date(Date.now() - index) }));
      const first = await events(accessToken);
      expect(first.events).to.have.length(20);
      const second = await events(accessToken, `?cursor=${first.nextCursor!}`);
      expect([second.events.length, second.nextCursor]).to.deep.equal([1, null]);
      const shown = [...first.events, ...second.events].map(({ message }) => message);
      expect(new Set(shown)).to.deep.equal(new Set(['The e-mail address was verified.']));
    });

    it('rejects an invalid limit or cursor by name', async () => {
      const { accessToken } = await server.customer();
      for (const [query, field] of [
        ['limit=0', 'limit'],
        ['limit=101', 'limit'],
        ['cursor=nonsense', 'cursor'],
      ] as const) {
        const { status, body } = await get(`/auth/activity?${query}`, accessToken);
        expect([status, (body.details as ErrorDetail[])[0]?.field], query).to.deep.equal([400, field]);
      }
      expect((await get('/auth/activity?limit=100', accessToken)).status).to.equal(200);
    });

    it('never lists activity of another account, even with its cursor', async () => {
      const [one, two] = [await server.customer(), await server.customer()];
      await login(one.email);
      const [event] = (await events(one.accessToken)).events;
      expect((await events(two.accessToken, `?cursor=${event!.id}`)).events).to.deep.equal([]);
    });
  });

  describe('export', () => {
    it('contains everything but hashes, and is recorded', async () => {
      const { accessToken, apiKey, email } = signedIn(await register('export@example.com'));
      await server.get('/v1/svg/github', apiKey);
      const { status, body, text, headers } = await confirm('/auth/export', accessToken);
      expect(status).to.equal(200);
      expect(headers.get('content-disposition')).to.equal('attachment; filename="blazon-account.json"');
      expect(body).to.have.all.keys(EXPORT_FIELDS);
      expect(body).to.have.nested.property('account.email', email);
      expect(body.sessions).to.have.length(1);
      // The service stores response counts every few seconds, so these counts may not yet include the request above.
      // The test does not check them.
      expect(body.responses).to.be.an('array');
      expect(body.usage).to.deep.equal([{ date: new Date().toISOString().slice(0, 10), bucket: 'svg', used: 1 }]);
      expect((body.activity as Event[]).map(({ type }) => type)).to.deep.equal([
        'sensitive_read',
        'authn_login_success',
        'user_created',
      ]);
      expect(text).to.not.match(/argon2|[0-9a-f]{64}|nonce|tokenHash/);
      expect(text).to.not.include(apiKey);
    });

    it('is complete and as documented for a long activity log', async () => {
      const { accessToken, id } = await server.customer();
      const recorded = Array.from({ length: 3 * EXPORT_PAGE }, (_, index) =>
        auditEvents([{ type: 'authn_login_fail' }], {
          account: { id: parseAccountId(id)!, version: 1 },
          by: { kind: 'customer', address: null },
          at: new Date(Date.now() - 10_000 + index),
        }),
      ).flat();
      await server.stores.audit.append(recorded);
      const { body, text, headers } = await confirm('/auth/export', accessToken);
      expect([headers.get('transfer-encoding'), headers.get('cache-control')]).to.deep.equal(['chunked', 'no-store']);
      const [own, ...activity] = body.activity as Event[];
      expect(own?.type).to.equal('sensitive_read');
      expect(activity.map((event) => event.id)).to.deep.equal(recorded.map((event) => event.id).reverse());
      expect(Object.keys(body)).to.deep.equal(EXPORT_FIELDS);
      const schema = ROUTES.find(({ path }) => path === '/auth/export')?.responses[200]?.schema;
      expect(schema?.safeParse(body).error).to.equal(undefined);
      expect(text).to.equal(
        JSON.stringify(schema?.parse(body)),
        'no field beside those of the schema, no space wasted',
      );
    });

    it('is rejected if the account is suspended while the password is checked', async () => {
      const { accessToken, apiKey } = await server.customer();
      const headers = from();
      // These sign-ins delay the export, because passwords from one client are checked one after the other.
      const before = Array.from({ length: 12 }, (_, index) =>
        ask(server, '/auth/login', { body: { email: `nobody${index}@example.com`, password: PASSWORD }, headers }),
      );
      await sleep(20);
      const exported = ask(server, '/auth/export', {
        bearer: accessToken,
        body: { currentPassword: PASSWORD },
        headers,
      });
      await Promise.race(before);
      await server.suspend(apiKey);
      const { status, body } = await exported;
      expect([status, body.error]).to.deep.equal([403, 'account_suspended']);
      await Promise.all(before);
    });
  });

  describe('deletion', () => {
    it('revokes key, sessions and links, and frees the e-mail address', async () => {
      const email = 'leaving@example.com';
      const leaving = signedIn(await register(email));
      const other = signedIn(await login(email));
      const link = await newLinkToken(server, email, { purpose: 'verify-email' });
      const { status, text, headers } = await confirm('/auth/account', leaving.accessToken, {}, 'DELETE');
      expect([status, text]).to.deep.equal([204, '']);
      expect(headers.getSetCookie()[0]).to.match(/^__Host-blazon_session=; Max-Age=0;/);
      expect((await server.get('/v1/usage', leaving.apiKey)).status).to.equal(401);
      expect((await server.get('/v1/svg/github', leaving.apiKey)).status).to.equal(401);
      for (const one of [leaving, other]) {
        expect(await me(one.accessToken)).to.equal(401);
        expect((await get('/v1/usage', one.accessToken)).body.error).to.equal('invalid_api_key');
        expect((await refresh(one.cookie)).status).to.equal(401);
      }
      expect((await ask(server, '/auth/verify-email', { body: { token: link } })).status).to.equal(400);
      expect((await login(email)).body.error).to.equal('invalid_credentials');
      const again = signedIn(await register(email));
      expect(again.id).to.not.equal(leaving.id);
      expect((await server.get('/v1/usage', again.apiKey)).status).to.equal(200);
      expect((await server.get('/v1/usage', leaving.apiKey)).status).to.equal(401);
    });
  });

  it('returns the same usage for an access token as for the key', async () => {
    const { accessToken, apiKey } = await server.customer();
    await server.get('/v1/svg/github', apiKey);
    const [byKey, byBearer] = [
      await (await server.get('/v1/usage', apiKey)).json(),
      (await get('/v1/usage', accessToken)).body,
    ];
    expect(byBearer).to.deep.equal(byKey);
    expect(byBearer).to.have.nested.property('endpoints.svg.used', 1);
  });
});
