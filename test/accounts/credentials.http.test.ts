// POST /auth/regenerate-key, /auth/change-password
import { Agent, get } from 'node:http';
import { expect } from 'chai';
import { parseApiKey } from '../../src/accounts/api-key.js';
import { PASSWORD } from '../support/accounts.js';
import { accountCalls, ask, eventually, mailsTo, signedIn } from '../support/auth.js';
import { suiteServer } from '../support/server.js';

const OTHER = 'another long pass phrase';

describe('regenerating the key', () => {
  const server = suiteServer();

  const { confirm, me } = accountCalls(server);
  const regenerate = (bearer: string) => confirm('/auth/regenerate-key', bearer);
  const usage = async (key: string) => (await server.get('/v1/usage', key)).status;

  it('returns a new key and rejects the old one', async () => {
    const { accessToken, apiKey, id } = await server.customer();
    const { status, body, headers } = await regenerate(accessToken);
    expect(status).to.equal(200);
    expect(headers.get('cache-control')).to.equal('no-store');
    expect(body).to.have.all.keys('apiKey', 'key');
    const fresh = String(body.apiKey);
    expect(body.key).to.have.all.keys('hint', 'createdAt');
    expect(body).to.have.nested.property('key.hint', fresh.slice(-4));
    expect(parseApiKey(fresh)?.accountId).to.equal(id);
    expect([await usage(apiKey), await usage(fresh)]).to.deep.equal([401, 200]);
    const me = await ask(server, '/auth/me', { method: 'GET', bearer: accessToken });
    expect(me.body).to.have.nested.property('account.key.hint', fresh.slice(-4));
    expect(me.body).to.have.nested.property('account.key.lastUsedAt', null);
  });

  it('rejects the old key on the connection that used it, and accepts other keys there', async () => {
    const [one, other] = [await server.customer(), await server.customer()];
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const status = (key: string): Promise<number> =>
      new Promise((resolve, reject) => {
        get(`${server.base}/v1/svg/github`, { agent, headers: { 'X-API-Key': key } }, (response) => {
          response.resume().on('end', () => resolve(response.statusCode ?? 0));
        }).on('error', reject);
      });
    try {
      for (const key of [one.apiKey, other.apiKey, one.apiKey]) expect(await status(key)).to.equal(200);
      const { body } = await regenerate(one.accessToken);
      expect(await status(one.apiKey)).to.equal(401);
      for (const key of [String(body.apiKey), other.apiKey]) expect(await status(key)).to.equal(200);
      expect(await status(`${other.apiKey.slice(0, -1)}!`)).to.equal(401);
      for (const [{ apiKey }, used] of [
        [{ apiKey: String(body.apiKey) }, 3],
        [other, 2],
      ] as const) {
        expect((await server.used(apiKey)).svg).to.equal(used);
      }
    } finally {
      agent.destroy();
    }
  });

  it("keeps today's usage", async () => {
    const { accessToken, apiKey } = await server.customer();
    await server.get('/v1/svg/github', apiKey);
    const { body } = await regenerate(accessToken);
    await server.get('/v1/svg/github', String(body.apiKey));
    expect((await server.used(String(body.apiKey))).svg).to.equal(2);
  });

  it('leaves exactly one valid key after many concurrent requests', async () => {
    const { accessToken, apiKey } = await server.customer();
    const answers = await Promise.all(Array.from({ length: 8 }, () => regenerate(accessToken)));
    const keys = answers.filter(({ status }) => status === 200).map(({ body }) => String(body.apiKey));
    expect(keys.length).to.be.at.least(1);
    const statuses = await Promise.all([apiKey, ...keys].map(usage));
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses[0]).to.equal(401);
  });

  it('keeps sessions, notifies the owner, and stores the key nowhere', async () => {
    const { accessToken, email } = await server.customer();
    const { body } = await regenerate(accessToken);
    expect(await me(accessToken)).to.equal(200);
    const mail = await eventually(() => mailsTo(server, email)[0], 'mail');
    expect(mail).to.include('API key replaced');
    expect(mail).to.not.include(body.apiKey);
    expect((await server.stored()).includes(String(body.apiKey))).to.equal(false);
  });
});

describe('changing the password', () => {
  const server = suiteServer();

  const { confirm, login, me, refresh } = accountCalls(server);
  const change = (bearer: string, newPassword: string) => confirm('/auth/change-password', bearer, { newPassword });

  it('ends all other sessions, and accepts only the new password from then on', async () => {
    const { email, accessToken, cookie, apiKey } = await server.customer();
    const other = signedIn(await login(email));
    const { status, text } = await change(accessToken, OTHER);
    expect([status, text]).to.deep.equal([204, '']);
    expect([await me(accessToken), await me(other.accessToken)]).to.deep.equal([200, 401]);
    expect((await refresh(cookie)).status).to.equal(200);
    expect((await refresh(other.cookie)).status).to.equal(401);
    expect([(await login(email)).status, (await login(email, OTHER)).status]).to.deep.equal([401, 200]);
    expect((await server.get('/v1/usage', apiKey)).status).to.equal(200);
    expect(await eventually(() => mailsTo(server, email)[0], 'mail'))
      .to.include('Subject: Blazon: Password changed')
      .and.not.include('API key');
  });

  it('accepts any Unicode spelling of the same characters', async () => {
    const { email, accessToken } = await server.customer();
    expect((await change(accessToken, 'a longer cafe\u0301 phrase')).status).to.equal(204);
    expect((await login(email, 'a longer caf\u00e9 phrase')).status).to.equal(200);
  });

  it('explains what is wrong with the new password without repeating it', async () => {
    const { email, accessToken } = await server.customer();
    for (const bad of ['tiny pw', '123456qwerty', email, PASSWORD, 'x'.repeat(257), 'aaaaaaaaaaaaaa']) {
      const { status, body, text } = await change(accessToken, bad);
      expect([status, body.error], bad).to.deep.equal([400, 'invalid_request']);
      expect(body).to.have.nested.property('details[0].field', 'newPassword');
      expect(text).to.not.include(bad);
    }
    expect((await login(email)).status).to.equal(200);
  });

  it('accepts one of two simultaneous changes', async () => {
    const { email, accessToken } = await server.customer();
    const wanted = [OTHER, 'yet another pass phrase'];
    const answers = await Promise.all(wanted.map((password) => change(accessToken, password)));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 401]);
    const winner = wanted[answers.findIndex(({ status }) => status === 204)]!;
    expect((await login(email, winner)).status).to.equal(200);
  });
});
