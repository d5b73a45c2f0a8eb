// Webhook endpoints over HTTP: they are managed, and receive signed events.
import { expect } from 'chai';
import { strToU8, zipSync } from 'fflate';
import type { AccountId } from '../../src/accounts/account.js';
import { endpointIn } from '../../src/webhooks/endpoint.js';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually, from, mailsTo } from '../support/auth.js';
import { suiteServer, type Customer } from '../support/server.js';
import { startWebhookReceiver, verified, type WebhookReceiver } from './webhook-receiver.js';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly kinds: readonly string[];
  readonly enabled: boolean;
  readonly disabledReason: string | null;
  readonly secretHint: string;
}

interface Delivery {
  readonly id: string;
  readonly status: string;
  readonly tries: number;
  readonly nextTryAt: string | null;
  readonly lastTry: { readonly at: string; readonly httpStatus: number | null; readonly durationMs: number } | null;
}

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path fill="#f00" d="M0 0h2v2H0z"/></svg>';
const receiver: WebhookReceiver = await startWebhookReceiver();

describe('webhooks', () => {
  let customer: Customer;
  const server = suiteServer({ TRUST_PROXY: '1', WEBHOOK_ORIGINS: receiver.origin });
  before(() => server.service.startJobs());
  after(() => receiver.close());
  beforeEach(async () => {
    receiver.answerWith(undefined);
    customer = await server.customer('free');
  });

  const send = (path: string, { method = 'POST', body }: { method?: string; body?: unknown } = {}) =>
    ask(server, path, { method, bearer: customer.accessToken, headers: from(), ...(body !== undefined && { body }) });

  async function add(kinds: readonly string[], url = receiver.url) {
    const { status, body, text } = await send('/auth/webhooks', { body: { url, kinds } });
    expect(status, text).to.equal(201);
    return body as unknown as { webhook: Webhook; secret: string };
  }

  const receivedBy = (path: string) => receiver.requests.filter((one) => one.path === path);
  const received = (path: string, count = 1) =>
    eventually(() => (receivedBy(path).length >= count ? receivedBy(path) : undefined), `${count} requests at ${path}`);

  it('send a signed event that a receiver verifies with the library', async () => {
    const { secret } = await add(['key.regenerated'], `${receiver.origin}/first`);
    const { body } = await send('/auth/regenerate-key', { body: { currentPassword: PASSWORD } });
    const [request] = await received('/first');
    const { type, data, timestamp } = verified(request!, secret);
    expect({ type, data }).to.deep.equal({ type: 'key.regenerated', data: (body as { key: object }).key });
    expect(new Date(timestamp).getTime()).to.be.closeTo(Date.now(), 60_000);
    expect(request!.headers['webhook-id']).to.match(/^evt_[0-9a-z]{10}[0-9A-Za-z]{8}$/);
    expect(() => verified({ ...request!, body: `${request!.body} ` }, secret)).to.throw(/No matching signature/);
  });

  it('are managed by their owner only, without showing the secret again', async () => {
    const { webhook, secret } = await add(['key.regenerated', 'brand.updated']);
    expect(secret).to.match(/^whsec_[0-9A-Za-z+/]{32}$/);
    expect(webhook).to.deep.include({ enabled: true, disabledReason: null, secretHint: secret.slice(-4) });
    const { body } = await send('/auth/webhooks', { method: 'GET' });
    expect(body).to.deep.equal({ webhooks: [webhook] });
    const path = `/auth/webhooks/${webhook.id}`;
    expect((await send(path, { method: 'GET' })).body).to.deep.equal({ webhook });
    const edited = await send(path, { method: 'PATCH', body: { description: ' Team ', enabled: false } });
    const after = { ...webhook, description: 'Team', enabled: false, disabledReason: 'owner' };
    expect(edited.body).to.deep.equal({ webhook: after });
    const owner = customer;
    customer = await server.customer('free');
    for (const [method, end, given] of [
      ['GET', '', undefined],
      ['PATCH', '', {}],
      ['DELETE', '', undefined],
      ['POST', '/rotate-secret', undefined],
      ['POST', '/test', undefined],
      ['GET', '/deliveries', undefined],
      ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
    ] as const)
      expect((await send(path + end, { method, body: given })).status, `${method} ${end}`).to.equal(404);
    customer = owner;
    expect((await send(path, { method: 'DELETE' })).status).to.equal(204);
    expect((await send('/auth/webhooks', { method: 'GET' })).body).to.deep.equal({ webhooks: [] });
    expect(Buffer.from(await server.stored()).includes(secret.slice(6))).to.equal(false);
    const { events } = (await send('/auth/activity', { method: 'GET' })).body as { events: { message: string }[] };
    const host = new URL(receiver.url).host;
    expect(events.map(({ message }) => message).slice(0, 3)).to.deep.equal([
      `A webhook endpoint at ${host} was removed.`,
      `A webhook endpoint at ${host} was disabled.`,
      `A webhook endpoint at ${host} was added.`,
    ]);
    await eventually(
      () => mailsTo(server, customer.email).some((mail) => mail.includes('Webhook endpoints changed')),
      'mail',
    );
  });

  it('are limited to five per account, even if they are added at once', async () => {
    const body = { url: receiver.url, kinds: ['webhook.test'] };
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await send('/auth/webhooks', { body })).status),
    );
    expect(statuses.sort()).to.deep.equal([201, 201, 201, 201, 201, 409, 409, 409]);
  });

  it('name what is wrong with an endpoint, and what is allowed', async () => {
    const invalid: readonly (readonly [string, object])[] = [
      ['url', { url: 'http://example.com/hook' }],
      ['url', { url: 'https://10.0.0.7/hook' }],
      ['url', { url: 'https://[::1]/hook' }],
      ['url', { url: 'https://localhost/hook' }],
      ['url', { url: 'https://printer.local/hook' }],
      ['url', { url: 'https://169.254.169.254/latest' }],
      ['url', { url: 'https://user:pass@example.com/hook' }],
      ['url', { url: 'https://example.com:8443/hook' }],
      ['url', { url: `https://example.com/${'x'.repeat(2048)}` }],
      ['url', { url: 'ftp://example.com' }],
      ['url', { url: 'hook' }],
      ['kinds', { kinds: [] }],
      ['kinds.0', { kinds: ['key.lost'] }],
      ['description', { description: 'x'.repeat(201) }],
    ];
    for (const [field, given] of invalid) {
      const body = { url: receiver.url, kinds: ['key.regenerated'], ...given };
      const { status, body: answer } = await send('/auth/webhooks', { body });
      const [detail] = (answer as { details: { field: string; allowed: unknown }[] }).details;
      expect([status, detail?.field.split(/[.[]/)[0]], JSON.stringify(given)).to.deep.equal([400, field.split('.')[0]]);
      expect(detail?.allowed, field).to.not.equal(undefined);
    }
    const { webhook } = await add(['webhook.test']);
    const path = `/auth/webhooks/${webhook.id}`;
    expect((await send(path, { method: 'PATCH', body: { url: 'http://example.com' } })).status).to.equal(400);
  });

  it('send every kind of a change that the account makes, in the order of the changes', async () => {
    const kinds = ['key.regenerated', 'publishable_key.changed', 'sessions.ended', 'brand.updated', 'brand.removed'];
    const { webhook, secret } = await add(kinds, `${receiver.origin}/kinds`);
    const regenerated = await send('/auth/regenerate-key', { body: { currentPassword: PASSWORD } });
    const { apiKey } = regenerated.body as { apiKey: string };
    const key = (await send('/auth/publishable-keys', { body: { name: 'Site' } })).body as {
      publishableKey: { id: string };
    };
    await send(`/auth/publishable-keys/${key.publishableKey.id}`, { method: 'PATCH', body: { name: 'Page' } });
    await send(`/auth/publishable-keys/${key.publishableKey.id}`, { method: 'DELETE' });
    const brand = (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
      fetch(`${server.base}/v1/brands${path}`, {
        method,
        ...(body !== undefined && { body }),
        headers: { 'X-API-Key': apiKey, ...(body !== undefined && { 'Content-Type': type }) },
      });
    expect((await brand('PUT', '/intranet', '{"title":"Intranet"}')).status).to.equal(201);
    expect(
      (
        await brand(
          'PUT',
          '',
          zipSync({ 'wiki.svg': strToU8(DRAWING), 'chat.svg': strToU8(DRAWING) }),
          'application/zip',
        )
      ).status,
    ).to.equal(200);
    expect((await brand('DELETE', '/intranet')).status).to.equal(204);
    await send('/auth/logout-all', { body: { currentPassword: PASSWORD } });
    const requests = await received('/kinds', 9);
    const contents = requests.map((request) => verified(request, secret));
    const id = key.publishableKey.id;
    expect(contents.map(({ type, data }) => [type, data])).to.deep.equal([
      ['key.regenerated', (regenerated.body as { key: object }).key],
      ['publishable_key.changed', { id, name: 'Site', change: 'created' }],
      ['publishable_key.changed', { id, name: 'Page', change: 'updated' }],
      ['publishable_key.changed', { id, name: 'Page', change: 'revoked' }],
      ['brand.updated', { slug: 'intranet' }],
      ...contents.slice(5, 7).map(({ data }) => ['brand.updated', data]),
      ['brand.removed', { slug: 'intranet' }],
      ['sessions.ended', { count: 1 }],
    ]);
    expect(contents.slice(5, 7).map(({ data }) => data.slug)).to.have.members(['wiki', 'chat']);
    const times = contents.map(({ timestamp }) => timestamp);
    expect(new Set(times).size).to.equal(times.length);
    expect([...times].sort()).to.deep.equal(times);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).to.equal(9);
    const account = await server.stores.accounts.find(customer.id as AccountId);
    expect(endpointIn(account!, webhook.id)).to.deep.include({ enabled: true });
  });

  it('report 80 % of a quota and its end, once per bucket and day', async () => {
    const limit = 1000;
    const path = `/${customer.id}`;
    const { secret } = await add(['quota.threshold', 'quota.exhausted'], receiver.origin + path);
    const picture = async () => (await server.get('/v1/svg/github', customer.apiKey)).status;
    await server.setUsed(customer.apiKey, 'svg', limit * 0.8 - 1);
    for (let n = 0; n < 3; n++) expect(await picture()).to.equal(200);
    await received(path);
    await server.setUsed(customer.apiKey, 'svg', limit - 1);
    for (const status of [200, 429, 429]) expect(await picture()).to.equal(status);
    const contents = (await received(path, 2)).map((one) => verified(one, secret));
    const date = new Date().toISOString().slice(0, 10);
    expect(contents.map(({ type, data }) => [type, data])).to.deep.equal([
      ['quota.threshold', { bucket: 'svg', used: limit * 0.8, limit, percent: 80, date }],
      ['quota.exhausted', { bucket: 'svg', used: limit, limit, date }],
    ]);
    // Sends a test event. If this event arrives third, no quota event was sent twice.
    await send(`/auth/webhooks/${(await add(['webhook.test'], receiver.origin + path)).webhook.id}/test`);
    expect((await received(path, 3)).map(({ body }) => (JSON.parse(body) as { type: string }).type)).to.deep.equal([
      ...['quota.threshold', 'quota.exhausted', 'webhook.test'],
    ]);
  });

  it('send only the kinds of each endpoint, and nothing to a disabled one', async () => {
    await add(['brand.updated'], `${receiver.origin}/other-kind`);
    const { webhook } = await add(['key.regenerated'], `${receiver.origin}/disabled`);
    await send(`/auth/webhooks/${webhook.id}`, { method: 'PATCH', body: { enabled: false } });
    await add(['key.regenerated'], `${receiver.origin}/enabled`);
    await send('/auth/regenerate-key', { body: { currentPassword: PASSWORD } });
    await received('/enabled');
    expect(receivedBy('/other-kind')).to.deep.equal([]);
    expect(receivedBy('/disabled')).to.deep.equal([]);
    expect((await send(`/auth/webhooks/${webhook.id}/test`)).body).to.include({ error: 'conflict' });
  });

  it('sign with both secrets after a rotation', async () => {
    const { webhook, secret } = await add(['webhook.test'], `${receiver.origin}/rotated`);
    const { body } = await send(`/auth/webhooks/${webhook.id}/rotate-secret`);
    const fresh = (body as { secret: string }).secret;
    expect(fresh).to.not.equal(secret);
    expect((await send(`/auth/webhooks/${webhook.id}/test`)).status).to.equal(202);
    const [request] = await received('/rotated');
    for (const one of [fresh, secret])
      expect(verified(request!, one)).to.deep.include({ type: 'webhook.test', data: { webhookId: webhook.id } });
    expect(String(request!.headers['webhook-signature']).split(' ')).to.have.length(2);
  });

  const deliveriesOf = async (id: string, query = '') =>
    (await send(`/auth/webhooks/${id}/deliveries${query}`, { method: 'GET' })).body as unknown as {
      deliveries: Delivery[];
      nextCursor: string | null;
    };

  it('list deliveries by page and status, and replay failed ones with the same id', async () => {
    const path = '/replayed';
    const { webhook, secret } = await add(['webhook.test'], receiver.origin + path);
    receiver.answerStatus(410, {}, 'gone\u0000 away');
    await send(`/auth/webhooks/${webhook.id}/test`);
    const failed = await eventually(
      async () => (await deliveriesOf(webhook.id, '?status=failed')).deliveries[0],
      'failed delivery',
    );
    expect(failed).to.deep.include({ kind: 'webhook.test', tries: 1, nextTryAt: null });
    expect(failed.lastTry).to.deep.include({ httpStatus: 410, response: 'gone\ufffd away' });
    const gone = (await send(`/auth/webhooks/${webhook.id}`, { method: 'GET' })).body as { webhook: Webhook };
    expect(gone.webhook).to.deep.include({ enabled: false, disabledReason: 'gone' });
    await eventually(
      () =>
        mailsTo(server, customer.email).some(
          (mail) => mail.includes('Webhook endpoint disabled') && mail.includes('410'),
        ),
      'mail',
    );
    const replay = `/auth/webhooks/${webhook.id}/deliveries/${failed.id}/replay`;
    expect((await send(replay)).status).to.equal(409);

    receiver.answerWith(undefined);
    await send(`/auth/webhooks/${webhook.id}`, { method: 'PATCH', body: { enabled: true } });
    expect((await send(replay)).body).to.deep.equal({ replayed: 1 });
    const [first, second] = await received(path, 2);
    expect(second!.headers['webhook-id']).to.equal(first!.headers['webhook-id']);
    expect(verified(second!, secret)).to.deep.equal(verified(first!, secret));
    await eventually(async () => (await deliveriesOf(webhook.id, '?status=delivered')).deliveries[0], 'delivery');
    const since = { since: '2026-01-01T00:00:00Z' };
    expect((await send(`/auth/webhooks/${webhook.id}/replay`, { body: since })).body).to.deep.equal({ replayed: 0 });
    expect((await send(`/auth/webhooks/${webhook.id}/replay`, { body: { since: 'today' } })).status).to.equal(400);

    await send(`/auth/webhooks/${webhook.id}/test`);
    await received(path, 3);
    const page = await deliveriesOf(webhook.id, '?limit=1');
    expect(page.deliveries[0]!.id > failed.id).to.equal(true);
    const rest = await deliveriesOf(webhook.id, `?limit=1&cursor=${page.nextCursor}`);
    expect(rest.deliveries.map(({ id }) => id)).to.deep.equal([failed.id]);
    expect(rest.nextCursor).to.equal(null);
    expect((await send(`/auth/webhooks/${webhook.id}/deliveries/none/replay`)).status).to.equal(404);
  });

  it('try again later if a receiver fails, and follow no redirect', async () => {
    const { webhook } = await add(['webhook.test'], `${receiver.origin}/failing`);
    receiver.answerStatus(302, { Location: `${receiver.origin}/elsewhere` });
    await send(`/auth/webhooks/${webhook.id}/test`);
    const pending = await eventually(
      async () => (await deliveriesOf(webhook.id)).deliveries.find(({ tries }) => tries === 1),
      'failed try',
    );
    expect(pending).to.deep.include({ status: 'pending' });
    const waitMs = Date.parse(pending.nextTryAt!) - Date.parse(pending.lastTry!.at) - pending.lastTry!.durationMs;
    expect(waitMs).to.be.within(5000, 5501);
    receiver.answerWith(undefined);
    await received('/failing', 2);
    expect(receivedBy('/elsewhere')).to.deep.equal([]);
  });

  it('are part of the export, without secrets, and end with the account', async () => {
    const { webhook, secret } = await add(['webhook.test'], `${receiver.origin}/exported`);
    await send(`/auth/webhooks/${webhook.id}/test`);
    await eventually(async () => (await deliveriesOf(webhook.id, '?status=delivered')).deliveries[0], 'delivery');
    const { body, text } = await send('/auth/export', { body: { currentPassword: PASSWORD } });
    expect(body.webhooks).to.deep.equal([webhook]);
    expect((body.webhookDeliveries as { body: string }[])[0]?.body).to.include('webhook.test');
    expect(text).to.not.include(secret.slice(6));
    expect(text).to.not.include('nonce');
    await send('/auth/account', { method: 'DELETE', body: { currentPassword: PASSWORD } });
    const { accounts, webhookDeliveries } = server.stores;
    expect(await accounts.find(customer.id as AccountId)).to.equal(undefined);
    expect(await webhookDeliveries.list(customer.id, { limit: 1 })).to.deep.equal([]);
    const [queue] = await webhookDeliveries.claim(new Date(), { limit: 1, claimMs: 1 });
    expect(queue?.id.startsWith(customer.id)).to.not.equal(true);
  });
});
