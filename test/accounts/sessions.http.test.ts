// GET /auth/sessions, DELETE /auth/sessions/{id}, POST /auth/logout-all
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { accountCalls, ask, eventually, signedIn } from '../support/auth.js';
import { DAY_MS } from '../support/clock.js';
import { suiteServer } from '../support/server.js';

interface Listed {
  readonly id: string;
  readonly current: boolean;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  readonly userAgent: string | null;
  readonly address: string | null;
}

describe('sessions', () => {
  let clockMs = Date.now();
  const server = suiteServer({ TRUST_PROXY: '1' }, () => clockMs);

  const { confirm, me, ...calls } = accountCalls(server);
  const login = async (email: string, headers: Record<string, string> = {}) =>
    signedIn(await calls.login(email, PASSWORD, { headers }));
  const refresh = async (cookie: string) => (await calls.refresh(cookie)).status;
  const list = async (bearer: string) =>
    (await ask(server, '/auth/sessions', { method: 'GET', bearer })).body.sessions as Listed[];
  const end = (bearer: string, id: string) => ask(server, `/auth/sessions/${id}`, { method: 'DELETE', bearer });

  it('are listed, newest first, with client, network and expiry', async () => {
    const { email, accessToken } = await server.customer();
    clockMs += 1000;
    const laptop = await login(email, { 'User-Agent': 'Laptop/1.0', 'X-Forwarded-For': '203.0.113.77' });
    const [first, second, ...rest] = await list(laptop.accessToken);
    expect(rest).to.deep.equal([]);
    expect(first).to.have.all.keys('id', 'current', 'createdAt', 'lastUsedAt', 'expiresAt', 'userAgent', 'address');
    expect(first).to.deep.include({
      current: true,
      userAgent: 'Laptop/1.0',
      address: '203.0.113.0/24',
      createdAt: new Date(clockMs).toISOString(),
    });
    expect(Date.parse(first!.expiresAt) - Date.parse(first!.lastUsedAt)).to.equal(7 * 86_400_000);
    expect(second).to.deep.include({ current: false, userAgent: null, address: null });
    expect((await list(accessToken)).map(({ current }) => current)).to.deep.equal([false, true]);
    expect(JSON.stringify(await list(accessToken))).to.not.match(/[0-9a-f]{64}/);
  });

  it('end 30 days after the sign-in, though used every day: cookie and access token', async () => {
    const { email } = await server.customer();
    const { cookie, accessToken } = await login(email);
    const beganMs = clockMs;
    for (let day = 1; day < 30; day++) {
      clockMs = beganMs + day * DAY_MS;
      expect(await refresh(cookie), `day ${day}`).to.equal(200);
      await eventually(async () => {
        const { accessToken: bearer } = (await calls.refresh(cookie)).body as { accessToken: string };
        const own = (await list(bearer)).find(({ current }) => current)!;
        return Date.parse(own.lastUsedAt) === clockMs;
      }, 'use of the day');
    }
    clockMs = beganMs + 30 * DAY_MS - 1000;
    const last = String((await calls.refresh(cookie)).body.accessToken);
    expect([await me(last), await me(accessToken)]).to.deep.equal([200, 401]);
    clockMs += 1000;
    expect([await refresh(cookie), await me(last)]).to.deep.equal([401, 401]);
  });

  it('store their last use to the minute', async () => {
    const { accessToken } = await server.customer();
    const [before] = await list(accessToken);
    clockMs += 30_000;
    await list(accessToken);
    expect((await list(accessToken))[0]?.lastUsedAt).to.equal(before?.lastUsedAt);
    clockMs += 31_000;
    await list(accessToken);
    await eventually(async () => (await list(accessToken))[0]?.lastUsedAt === new Date(clockMs).toISOString(), 'write');
  });

  it('store at most 256 characters of the user agent', async () => {
    const { email } = await server.customer();
    const { accessToken } = await login(email, { 'User-Agent': 'x'.repeat(4000) });
    expect((await list(accessToken))[0]?.userAgent).to.equal('x'.repeat(256));
  });

  it('can be ended one by one, with their tokens and cookies', async () => {
    const { email, accessToken, cookie } = await server.customer();
    const other = await login(email);
    const target = (await list(other.accessToken)).find(({ current }) => !current)!;
    const ended = await end(other.accessToken, target.id);
    expect([ended.status, ended.text, ended.headers.getSetCookie()]).to.deep.equal([204, '', []]);
    expect([await me(accessToken), await refresh(cookie), await me(other.accessToken)]).to.deep.equal([401, 401, 200]);
    const again = await end(other.accessToken, target.id);
    expect([again.status, again.body.error]).to.deep.equal([404, 'not_found']);
  });

  it('can end themselves, which deletes the cookie', async () => {
    const { accessToken } = await server.customer();
    const [own] = await list(accessToken);
    const { status, headers } = await end(accessToken, own!.id);
    expect(status).to.equal(204);
    expect(headers.getSetCookie()[0]).to.match(/^__Host-blazon_session=; Max-Age=0;/);
    expect(await me(accessToken)).to.equal(401);
  });

  it('cannot be ended by another account', async () => {
    const [owner, stranger] = [await server.customer(), await server.customer()];
    const [target] = await list(owner.accessToken);
    expect((await end(stranger.accessToken, target!.id)).status).to.equal(404);
    expect(await me(owner.accessToken)).to.equal(200);
  });

  it('can all be ended together', async () => {
    const { email, accessToken, cookie, apiKey } = await server.customer();
    const others = [await login(email), await login(email)];
    const { status, body, headers } = await confirm('/auth/logout-all', accessToken);
    expect([status, body]).to.deep.equal([200, { endedSessions: 3 }]);
    expect(headers.getSetCookie()[0]).to.match(/^__Host-blazon_session=; Max-Age=0;/);
    for (const token of [accessToken, ...others.map((other) => other.accessToken)])
      expect(await me(token)).to.equal(401);
    for (const one of [cookie, ...others.map((other) => other.cookie)]) expect(await refresh(one)).to.equal(401);
    expect((await server.get('/v1/usage', apiKey)).status).to.equal(200);
  });

  it('returns either a live or an ended session to a sign-in during logout-all', async () => {
    const { email, accessToken } = await server.customer();
    const [ended, ...fresh] = await Promise.all([
      confirm('/auth/logout-all', accessToken),
      ...Array.from({ length: 5 }, () => login(email)),
    ]);
    const live = (await Promise.all(fresh.map((one) => me(one.accessToken)))).filter((status) => status === 200).length;
    expect(ended.body.endedSessions).to.equal(1 + fresh.length - live);
  });

  it('rejects a request whose session ends while its body arrives', async () => {
    const { email, accessToken } = await server.customer();
    const other = await login(email);
    let finish: () => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const text = JSON.stringify({ currentPassword: PASSWORD });
        controller.enqueue(Buffer.from(text.slice(0, 5)));
        finish = () => {
          controller.enqueue(Buffer.from(text.slice(5)));
          controller.close();
        };
      },
    });
    const headers = { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'application/json' };
    const slow = fetch(`${server.base}/auth/regenerate-key`, { method: 'POST', headers, body, duplex: 'half' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const target = (await list(other.accessToken)).find(({ current }) => !current)!;
    await end(other.accessToken, target.id);
    finish();
    expect((await slow).status).to.equal(401);
  });
});
