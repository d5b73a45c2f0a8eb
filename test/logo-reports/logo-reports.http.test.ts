// Reports about wrong logos: the public route, and the operator's list.
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { ask, newLinkToken, signedIn } from '../support/auth.js';
import { expectError, expectInvalid } from '../support/expect-error.js';
import { suiteServer } from '../support/server.js';

const OPERATOR = 'operator@example.com';

describe('reports about wrong logos', () => {
  const server = suiteServer({ TRUST_PROXY: '1', OPERATOR_EMAILS: `other@example.com,${OPERATOR}` });
  const report = (slug: string, body: unknown, address = '192.0.2.1') =>
    fetch(`${server.base}/v1/catalog/${slug}/reports`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address, Origin: 'https://elsewhere.example' },
      body: JSON.stringify(body),
    });
  const account = async (email: string) =>
    signedIn(await ask(server, '/auth/register', { body: { email, password: PASSWORD } }));
  const list = async (bearer: string) => (await ask(server, '/dashboard/reports', { bearer, method: 'GET' })).body;

  it('are accepted from every page without a key, and stored without their sender', async () => {
    const response = await report('GitHub', { reason: 'outdated', comment: '  The new one has no tail. ' });
    expect([response.status, response.headers.get('Access-Control-Allow-Origin')]).to.deep.equal([204, '*']);
    expect((await report('github', { reason: 'other', comment: ' ' })).status).to.equal(204);
    const [github] = await server.stores.logoReports.list();
    expect(Object.keys(github ?? {})).to.have.members(['slug', 'reasons', 'comments', 'firstAt', 'lastAt']);
    expect(github).to.deep.include({ slug: 'github', reasons: { outdated: 1, other: 1 } });
    expect(github?.comments.map(({ text }) => text)).to.deep.equal(['The new one has no tail.']);
  });

  it('are rejected for unknown logos, other reasons and long comments', async () => {
    await expectError(await report('no-such-brand', { reason: 'outdated' }), 404, 'not_found');
    await expectInvalid(await report('github', { reason: 'ugly' }), 'reason');
    await expectInvalid(await report('github', { reason: 'other', comment: 'x'.repeat(501) }), 'comment');
  });

  it('are limited by address', async () => {
    for (let sent = 0; sent < 10; sent++) {
      const { status } = await report('stripe', { reason: 'other' }, '198.51.100.7');
      if (status !== 204) expect(status).to.equal(429);
    }
    const rejected = await report('stripe', { reason: 'other' }, '198.51.100.7');
    expect(rejected.headers.get('Retry-After')).to.match(/^\d+$/);
    await expectError(rejected, 429, 'rate_limited');
  });

  it('are listed and removed by a verified operator only', async () => {
    const [operator, stranger] = [await account(OPERATOR), await account('stranger@example.com')];
    for (const { accessToken } of [operator, stranger])
      expect(await list(accessToken), 'not verified').to.deep.equal({ isOperator: false, reports: [] });
    const remove = (bearer: string) => ask(server, '/dashboard/reports/github', { bearer, method: 'DELETE' });
    expect((await remove(operator.accessToken)).status).to.equal(403);
    const token = await newLinkToken(server, OPERATOR, { purpose: 'verify-email' });
    expect((await ask(server, '/auth/verify-email', { body: { token } })).status).to.be.below(300);
    const { isOperator, reports } = (await list(operator.accessToken)) as {
      isOperator: boolean;
      reports: { slug: string; count: number }[];
    };
    expect(isOperator).to.equal(true);
    expect(reports.map(({ slug }) => slug)).to.include.members(['github', 'stripe']);
    expect((await remove(stranger.accessToken)).status).to.equal(403);
    expect((await remove(operator.accessToken)).status).to.equal(204);
    const left = (await list(operator.accessToken)) as { reports: { slug: string }[] };
    expect(left.reports.map(({ slug }) => slug)).to.not.include('github');
  });
});
