// POST /auth/login, /auth/refresh, /auth/logout, and the cookies that they set.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import jwt from 'jsonwebtoken';
import { rightPasswordRateLimit } from '../../src/accounts/password-rate-limits.js';
import { PASSWORD } from '../support/accounts.js';
import { accountCalls, ask, OWN_PAGE, signedIn } from '../support/auth.js';
import { MAX_SESSIONS, newSession } from '../../src/accounts/session.js';
import { DAY_MS } from '../support/clock.js';
import { suiteServer } from '../support/server.js';

describe('signing in', () => {
  let clockMs = Date.now();
  const server = suiteServer({}, () => clockMs);

  const { login, me, refresh } = accountCalls(server);

  it('returns the account, an access token and both cookies', async () => {
    const { email, id } = await server.customer();
    const answer = await login(email.toUpperCase());
    expect(answer.status).to.equal(200);
    expect(answer.body).to.have.all.keys('account', 'accessToken', 'tokenType', 'expiresIn');
    expect(answer.body).to.deep.include({ tokenType: 'Bearer', expiresIn: 900 });
    expect(answer.body.account).to.deep.include({ id, email, emailVerified: false, tier: 'free' });
    const [session, device] = answer.headers.getSetCookie();
    expect(session).to.match(
      /^__Host-blazon_session=[\w-]{55}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(device).to.match(
      /^__Host-blazon_device=[0-9A-Za-z]{16}[0-9a-z]{8}\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(await me(signedIn(answer).accessToken)).to.equal(200);
  });

  it('issues tokens with account, session and expiry, but without secrets', async () => {
    const { email, id } = await server.customer();
    const answer = signedIn(await login(email));
    const { header, payload } = jwt.decode(answer.accessToken, { complete: true })!;
    expect(header).to.have.all.keys('alg', 'typ', 'kid');
    expect(header.alg).to.equal('HS256');
    expect(payload).to.have.all.keys('iss', 'aud', 'sub', 'sid', 'iat', 'exp', 'jti');
    const { iss, sub, iat, exp } = payload as jwt.JwtPayload;
    expect({ iss, sub, lifetime: exp! - iat! }).to.deep.equal({ iss: 'https://icons.example', sub: id, lifetime: 900 });
  });

  it('answers an unknown e-mail address like a wrong password', async () => {
    const { email } = await server.customer();
    const [wrong, unknown] = [await login(email, 'not this pass phrase'), await login('nobody-at-all@example.com')];
    expect([wrong.status, wrong.body.error, wrong.body.message]).to.deep.equal([
      401,
      'invalid_credentials',
      'The e-mail address or the password is wrong.',
    ]);
    expect(unknown.status).to.equal(401);
    expect(unknown.text).to.equal(wrong.text);
    const names = ({ headers }: typeof wrong) => [...headers.keys()].sort();
    expect(names(unknown)).to.deep.equal(names(wrong));
    expect(wrong.headers.getSetCookie()).to.deep.equal([]);
  });

  it('reveals a suspension only if the password is right', async () => {
    const { email, apiKey } = await server.customer();
    await server.suspend(apiKey);
    expect((await login(email, 'not this pass phrase')).body.error).to.equal('invalid_credentials');
    const { status, body } = await login(email);
    expect([status, body.error]).to.deep.equal([403, 'account_suspended']);
  });

  describe('with 100 live sessions', () => {
    /**
     * Fills the account to 100 sessions. The first session was just used. The second session has not been used for the
     * longest time.
     */
    async function crowded() {
      const customer = await server.customer();
      const id = customer.id as AccountId;
      const made = Array.from({ length: MAX_SESSIONS - 1 }, (_, index) =>
        newSession(id, { userAgent: null, address: null }, new Date(clockMs - DAY_MS + index)),
      );
      await server.change(id, ({ sessions }) => ({ sessions: [...sessions, ...made.map(({ session }) => session)] }));
      return { ...customer, cookies: made.map(({ token }) => `__Host-blazon_session=${token}`) };
    }
    const enter = (email: string, endOldest?: unknown) =>
      ask(server, '/auth/login', { body: { email, password: PASSWORD, endOldest } });
    const statusOf = async (cookie: string) => (await refresh(cookie)).status;

    it('rejects another one without ending any', async () => {
      const { email, accessToken, cookies } = await crowded();
      for (const endOldest of [undefined, false]) {
        const { status, body, headers } = await enter(email, endOldest);
        expect([status, body.error]).to.deep.equal([409, 'session_limit']);
        expect(headers.getSetCookie()).to.deep.equal([]);
      }
      expect(await me(accessToken)).to.equal(200);
      expect(new Set(await Promise.all(cookies.map(statusOf)))).to.deep.equal(new Set([200]));
    });

    it('accepts another one also if the hundred began within 15 minutes', async () => {
      const { email, id } = await crowded();
      const limit = rightPasswordRateLimit(id as AccountId, 'sign-in');
      for (let count = 0; count < 100; count++) await server.stores.rateLimits.consume([limit]);
      expect((await enter(email)).status).to.equal(409);
      expect((await enter(email, true)).status).to.equal(200);
    });

    it('ends the least recently used one on request, and records it', async () => {
      const { email, accessToken, cookies, id } = await crowded();
      const before = (await server.stores.accounts.find(id as AccountId))!.sessions;
      const entered = signedIn(await enter(email, true));
      expect([await me(accessToken), await me(entered.accessToken)]).to.deep.equal([200, 200]);
      const [unused = '', ...others] = cookies;
      expect((await refresh(unused)).body.error).to.equal('session_ended');
      expect(new Set(await Promise.all(others.map(statusOf)))).to.deep.equal(new Set([200]));
      const { body } = await ask(server, '/auth/activity', { method: 'GET', bearer: accessToken });
      const ended = (body.events as { type: string; detail: object }[]).filter(
        ({ type }) => type === 'session_expired',
      );
      expect(ended.map(({ detail }) => detail)).to.deep.equal([{ session: before[1]!.id, why: 'too many' }]);
    });

    it('counts no expired ones', async () => {
      const { email } = await crowded();
      clockMs += 7 * DAY_MS;
      expect((await enter(email)).status).to.equal(200);
    });

    it('reveals the limit only with the right password, and accepts only true or false', async () => {
      const { email } = await crowded();
      expect((await login(email, 'not this pass phrase')).body.error).to.equal('invalid_credentials');
      const { status, body } = await enter(email, 'yes');
      expect([status, body.details]).to.deep.equal([
        400,
        [{ field: 'endOldest', reason: 'must be true or false', allowed: 'true or false' }],
      ]);
    });
  });

  describe('refreshing', () => {
    it('distinguishes a missing cookie from an ended session', async () => {
      const absent = await ask(server, '/auth/refresh', { headers: OWN_PAGE });
      const ended = await refresh('__Host-blazon_session=nonsense');
      for (const { status, body } of [absent, ended])
        expect([status, body.error]).to.deep.equal([401, 'session_ended']);
      expect(absent.body.message).to.equal('There is no session cookie. Sign in first.');
      expect(ended.body.message).to.equal('The session has ended. Sign in again.');
    });

    it('returns a new access token for the cookie', async () => {
      const { cookie } = await server.customer();
      const { status, body, headers } = await refresh(cookie);
      expect(status).to.equal(200);
      expect(body).to.have.all.keys('accessToken', 'tokenType', 'expiresIn');
      expect(await me(String(body.accessToken))).to.equal(200);
      expect(headers.get('cache-control')).to.equal('no-store');
    });

    it('finds the session among other cookies', async () => {
      const { cookie } = await server.customer();
      expect((await refresh(`a=b; ${cookie}; x__Host-blazon_session=nonsense; c="d"`)).status).to.equal(200);
    });
  });

  it('explains what is wrong with a credential, and how to send it', async () => {
    const { apiKey, accessToken } = await server.customer();
    const say = async (path: string, headers: Record<string, string>) =>
      String((await ask(server, path, { method: 'GET', headers })).body.message);
    const bearer = /Authorization: Bearer <accessToken>/;
    expect(await say('/auth/me', {}))
      .to.match(/^The access token is missing\./)
      .and.match(bearer);
    expect(await say('/auth/me', { 'X-API-Key': apiKey }))
      .to.match(/^This route does not accept an API key\./)
      .and.match(bearer);
    for (const authorization of [accessToken, `Token ${accessToken}`, 'Basic YTpi']) {
      expect(await say('/auth/me', { Authorization: authorization }))
        .to.match(/does not contain an access token/)
        .and.match(bearer);
    }
    expect(await say('/auth/me', { Authorization: `Bearer ${apiKey}` })).to.match(
      /malformed or expired, or its session has ended/,
    );
    for (const credential of [apiKey, accessToken]) {
      expect(await say('/v1/svg/github', { Authorization: `Bearer ${credential}` })).to.match(
        /Send the API key in the X-API-Key header/,
      );
    }
    expect(await say('/v1/svg/github', {})).to.match(/missing or not valid. Send it in the X-API-Key header/);
    await server.revokeKey(apiKey);
    expect(await say('/v1/svg/github', { 'X-API-Key': apiKey })).to.match(/replaced or revoked/);
  });

  it('reads the scheme Bearer in any case, with any number of spaces', async () => {
    const { accessToken } = await server.customer();
    for (const scheme of ['bearer ', 'BEARER ', 'Bearer   ']) {
      const headers = { Authorization: scheme + accessToken };
      expect((await ask(server, '/auth/me', { method: 'GET', headers })).status, scheme).to.equal(200);
    }
  });

  it('rejects two credentials with a cookie, too', async () => {
    const { accessToken, apiKey, cookie } = await server.customer();
    const headers = { ...OWN_PAGE, Authorization: `Bearer ${accessToken}`, 'X-API-Key': apiKey };
    for (const [method, path] of [
      ['POST', '/auth/refresh'],
      ['GET', '/dashboard/search?q=git'],
    ] as const) {
      const { status, body } = await ask(server, path, { method, cookie, headers });
      expect([status, body.error], path).to.deep.equal([400, 'invalid_request']);
      expect(body).to.have.nested.property('details[0].field', 'Authorization');
    }
  });

  describe('time', () => {
    it('ends access tokens after 15 minutes', async () => {
      const { accessToken, cookie } = await server.customer();
      clockMs += 899_000;
      expect(await me(accessToken)).to.equal(200);
      clockMs += 2000;
      expect(await me(accessToken)).to.equal(401);
      expect((await refresh(cookie)).status).to.equal(200);
    });
  });

  describe('signing out', () => {
    it('ends this session, deletes its cookie, and keeps the others and the device', async () => {
      const { email } = await server.customer();
      const [one, two] = [signedIn(await login(email)), signedIn(await login(email))];
      const out = await ask(server, '/auth/logout', { cookie: one.cookie, headers: OWN_PAGE });
      expect([out.status, out.text]).to.deep.equal([204, '']);
      expect(out.headers.getSetCookie()).to.deep.equal([
        '__Host-blazon_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure',
      ]);
      expect([await me(one.accessToken), await me(two.accessToken)]).to.deep.equal([401, 200]);
      expect((await refresh(one.cookie)).body.error).to.equal('session_ended');
    });

    it('accepts an access token without Origin or Sec-Fetch-Site', async () => {
      const { accessToken, cookie } = await server.customer();
      expect((await ask(server, '/auth/logout', { bearer: accessToken })).status).to.equal(204);
      expect(await me(accessToken)).to.equal(401);
      expect((await refresh(cookie)).status).to.equal(401);
    });

    it('is possible for a suspended account, by token and by cookie', async () => {
      const { email, apiKey, accessToken } = await server.customer();
      const { cookie } = signedIn(await login(email));
      await server.suspend(apiKey);
      expect((await refresh(cookie)).body.error).to.equal('account_suspended');
      expect((await ask(server, '/auth/logout', { bearer: accessToken })).status).to.equal(204);
      expect((await ask(server, '/auth/logout', { cookie, headers: OWN_PAGE })).status).to.equal(204);
      expect(await me(accessToken)).to.equal(401);
      expect((await refresh(cookie)).body.error).to.equal('session_ended');
    });

    it('needs JSON with a cookie, although the body may be empty', async () => {
      const { cookie } = await server.customer();
      const { 'Content-Type': type, ...page } = OWN_PAGE;
      for (const path of ['/auth/logout', '/auth/refresh']) {
        const { status, body } = await ask(server, path, { cookie, headers: page });
        expect([status, body.error], path).to.deep.equal([415, 'unsupported_media_type']);
      }
      expect(
        (await ask(server, '/auth/logout', { cookie, headers: { ...page, 'Content-Type': type } })).status,
      ).to.equal(204);
    });

    it('answers the same for a cookie of an ended or unknown session', async () => {
      const { cookie } = await server.customer();
      for (const stale of [cookie, cookie, '__Host-blazon_session=nonsense', '__Host-blazon_session=']) {
        const { status, headers } = await ask(server, '/auth/logout', { cookie: stale, headers: OWN_PAGE });
        expect(status).to.equal(204);
        expect(headers.getSetCookie()[0]).to.match(/^__Host-blazon_session=; Max-Age=0;/);
      }
    });
  });

  it('stores no secret of a session in clear', async () => {
    const { cookie, email } = await server.customer();
    const token = cookie.split('=')[1]!;
    const { deviceCookie } = signedIn(await login(email));
    const kept = await server.stored();
    expect(kept.includes(token)).to.equal(false);
    expect(kept.includes(token.slice(12))).to.equal(false);
    expect(kept.includes(deviceCookie.split('=')[1]!)).to.equal(false);
  });
});

describe('signing in on plain-http localhost', () => {
  const server = suiteServer({ PUBLIC_URL: 'http://localhost:3000' });

  it('sets cookies without Secure and without a __Host- prefix', async () => {
    const answer = await accountCalls(server).register('ada@example.com');
    const [session, device] = answer.headers.getSetCookie();
    expect(session).to.match(/^blazon_session_3000=[\w-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(device).to.match(/^blazon_device_3000=[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/);
    const headers = { 'Content-Type': 'application/json', Origin: 'http://localhost:3000' };
    expect((await ask(server, '/auth/refresh', { cookie: signedIn(answer).cookie, headers })).status).to.equal(200);
  });
});

describe('signing in to two services on one host', () => {
  const [one, other] = [4711, 4712].map((port) => {
    const origin = `http://localhost:${port}`;
    return { origin, server: suiteServer({ PUBLIC_URL: origin }) };
  }) as [Service, Service];

  interface Service {
    readonly origin: string;
    readonly server: ReturnType<typeof suiteServer>;
  }

  it('keeps both sessions, since browsers send the cookies of a host to all of its ports', async () => {
    const jar = new Map<string, string>();
    async function ask({ origin, server }: Service, path: string, body: object): Promise<number> {
      const Cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { 'Content-Type': 'application/json', Origin: origin, Cookie };
      const answer = await fetch(server.base + path, { method: 'POST', headers, body: JSON.stringify(body) });
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      return answer.status;
    }
    const owner = { email: 'ada@example.com', password: PASSWORD };
    for (const service of [one, other]) expect(await ask(service, '/auth/register', owner)).to.equal(201);
    expect([...jar.keys()]).to.deep.equal([
      ...['blazon_session_4711', 'blazon_device_4711'],
      ...['blazon_session_4712', 'blazon_device_4712'],
    ]);
    for (const service of [one, other]) expect(await ask(service, '/auth/refresh', {})).to.equal(200);
    expect(await ask(other, '/auth/logout', {})).to.equal(204);
    expect(await ask(one, '/auth/refresh', {})).to.equal(200);
    expect(await ask(other, '/auth/refresh', {})).to.equal(401);
  });
});
