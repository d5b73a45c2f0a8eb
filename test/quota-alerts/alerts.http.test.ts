// Alerts over HTTP: mails about quotas, once per bucket and day, and the link to unsubscribe from these mails.
import { expect } from 'chai';
import type { AccountId } from '../../src/accounts/account.js';
import { ask, eventually, from, mailsTo } from '../support/auth.js';
import { unfolded } from '../support/quoted-printable.js';
import { suiteServer, type Customer } from '../support/server.js';

/** Daily limit of the bucket `svg` in the tier `free`. */
const LIMIT = 1000;

describe('alerts', () => {
  let customer: Customer;
  const server = suiteServer({ TRUST_PROXY: '1' });
  before(() => server.service.startJobs());
  beforeEach(async () => {
    customer = await server.customer('free');
  });

  const send = (path: string, { method = 'POST', body }: { method?: string; body?: unknown } = {}) =>
    ask(server, path, { method, bearer: customer.accessToken, headers: from(), ...(body !== undefined && { body }) });
  const picture = async () => (await server.get('/v1/svg/github', customer.apiKey)).status;
  const alerts = () => mailsTo(server, customer.email).filter((mail) => mail.includes('List-Unsubscribe'));
  const reported = async () => {
    const account = await server.stores.accounts.find(customer.id as AccountId);
    return account?.features['quota-reports'];
  };

  it('are on by default for verified addresses only', async () => {
    expect((await send('/auth/alerts', { method: 'GET' })).body).to.deep.equal({ alerts: { quota: false } });
    await server.change(customer.id as AccountId, () => ({ emailVerified: true }));
    expect((await send('/auth/alerts', { method: 'GET' })).body).to.deep.equal({ alerts: { quota: true } });
    const off = await send('/auth/alerts', { method: 'PATCH', body: { quota: false } });
    expect(off.body).to.deep.equal({ alerts: { quota: false } });
    expect((await send('/auth/alerts', { method: 'GET' })).body).to.deep.equal({ alerts: { quota: false } });
    expect((await send('/auth/alerts', { method: 'PATCH', body: { quota: 'no' } })).status).to.equal(400);
    const empty = await send('/auth/alerts', { method: 'PATCH', body: {} });
    expect(empty.body, 'nothing is changed').to.deep.equal({ alerts: { quota: false } });
  });

  it('are mailed at 80 % and at the limit, once per bucket and day', async () => {
    await send('/auth/alerts', { method: 'PATCH', body: { quota: true } });
    await server.setUsed(customer.apiKey, 'svg', LIMIT * 0.8 - 2);
    expect(await picture()).to.equal(200);
    expect(await reported()).to.equal(undefined);
    for (let n = 0; n < 3; n++) expect(await picture()).to.equal(200);
    await eventually(async () => (await reported()) !== undefined, 'report');
    await eventually(() => alerts().length === 1, 'mail');
    await server.setUsed(customer.apiKey, 'svg', LIMIT - 1);
    expect(await picture()).to.equal(200);
    for (let n = 0; n < 3; n++) expect(await picture()).to.equal(429);
    await eventually(() => alerts().length === 2, 'second mail');
    const [first, last] = alerts().map(unfolded);
    const texts = [first!, last!].sort((one) => (one.includes('Subject: Blazon: 80 %') ? -1 : 1));
    expect(texts[0]).to.match(/used 800 of 1,000 requests[\s\S]*reset at \d{4}-\d\d-\d\d 00:00 UTC[\s\S]*plan is free/);
    expect(texts[0]).to.include('Ask the operator of this service for higher limits.');
    expect(texts[1]).to.include('used 1,000 of 1,000 requests');
  });

  it('count the requests of pages with a publishable key', async () => {
    const made = await send('/auth/publishable-keys', { body: { name: 'Page', dailyLimit: null } });
    const { key } = (made.body as { publishableKey: { key: string } }).publishableKey;
    await send('/auth/alerts', { method: 'PATCH', body: { quota: true } });
    await server.setUsed(customer.apiKey, 'svg', LIMIT * 0.8);
    expect((await fetch(`${server.base}/v1/svg/github?key=${key}`)).status).to.equal(200);
    await eventually(() => alerts().length === 1, 'mail');
  });

  it('end with one click in the mail program, or on the page of the link', async () => {
    await send('/auth/alerts', { method: 'PATCH', body: { quota: true } });
    await server.setUsed(customer.apiKey, 'svg', LIMIT - 1);
    await picture();
    const mail = await eventually(() => alerts()[0], 'mail');
    expect(mail).to.match(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    const address = /^List-Unsubscribe: <(https:\/\/icons\.example\/[^>\s]+)>\r?$/m.exec(mail)?.[1];
    expect(unfolded(mail)).to.include(`open ${address}`);
    const { pathname, search } = new URL(address!);
    const page = await fetch(server.base + pathname + search);
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const [cacheControl, referrer] = ['cache-control', 'referrer-policy'].map((name) => page.headers.get(name));
    expect([cacheControl, referrer], 'the token in the URL stays secret').to.deep.equal(['no-store', 'no-referrer']);
    expect((await send('/auth/alerts', { method: 'GET' })).body).to.deep.equal({ alerts: { quota: true } });
    const wrong = await fetch(`${server.base}${pathname}${search.slice(0, -1)}${search.endsWith('A') ? 'B' : 'A'}`, {
      method: 'POST',
    });
    const none = await fetch(server.base + pathname, { method: 'POST' });
    expect([wrong.status, none.status]).to.deep.equal([400, 400]);
    const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
    for (const body of [
      form,
      (() => {
        const data = new FormData();
        data.set('List-Unsubscribe', 'One-Click');
        return data;
      })(),
      null,
    ])
      expect((await fetch(server.base + pathname + search, { method: 'POST', body })).status).to.equal(204);
    const large = await fetch(server.base + pathname + search, { method: 'POST', body: 'x'.repeat(5000) });
    expect(large.status).to.equal(413);
    expect((await send('/auth/alerts', { method: 'GET' })).body).to.deep.equal({ alerts: { quota: false } });
    const id = customer.id as AccountId;
    await server.change(id, () => ({ deleting: true }));
    await server.stores.accounts.remove(id);
    const late = await fetch(server.base + pathname + search, { method: 'POST' });
    expect(late.status, 'of a deleted account').to.equal(204);
  });
});
