// Dispatcher with a clock that the test moves: failing endpoints, suspended accounts, and exactly one delivery of each
// change.
import { expect } from 'chai';
import fc from 'fast-check';
import { SYSTEM } from '../../src/accounts/audit-event.js';
import { addPublishableKey } from '../../src/accounts/changes/publishable-keys.js';
import { setSuspended } from '../../src/accounts/changes/status.js';
import { regenerateKey } from '../../src/accounts/changes/credentials.js';
import { newSession } from '../../src/accounts/session.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/time.js';
import { newDelivery } from '../../src/webhooks/delivery.js';
import { createDispatcher } from '../../src/webhooks/dispatcher.js';
import { addEndpoint, endpointIn, testEndpoint, webhooksOf } from '../../src/webhooks/endpoint.js';
import type { EventKind } from '../../src/webhooks/event.js';
import { newSecret } from '../../src/webhooks/signing-secret.js';
import { openTestAccounts, someClient, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { eventually } from '../support/auth.js';
import { startWebhookReceiver, verified, type Received } from './webhook-receiver.js';

const receiver = await startWebhookReceiver();
const requestsReceiver = await startWebhookReceiver();
const ROOT = ['any secret'] as const;

describe('the webhook dispatcher', () => {
  let parts: TestAccounts;
  let nowMs: number;
  before(async () => {
    nowMs = Date.now();
    parts = await openTestAccounts({
      ...{ now: () => nowMs, mails: 'by the job', variables: { WEBHOOK_ORIGINS: receiver.origin } },
    });
    parts.webhookDispatcher.start();
  });
  after(async () => {
    await parts.close();
    await receiver.close();
  });
  beforeEach(() => receiver.answerWith(undefined));

  /** Creates an account with an endpoint. By default, the path of the endpoint's URL is the account id. */
  async function subscribed(kinds: readonly EventKind[], path?: string) {
    const at = new Date(nowMs);
    const { account } = someAccount({ at });
    const { session } = newSession(account.id, { userAgent: null, address: null }, at);
    await parts.accounts.insert({ ...account, mails: [], sessions: [session] });
    const settings = { url: `${receiver.origin}/${path ?? account.id}`, kinds, description: '' };
    const secret = newSecret(ROOT).stored;
    const endpoint = await parts.actors.run(account.id, SYSTEM, (current, now) =>
      addEndpoint(current, settings, secret, now),
    );
    return { id: account.id, endpointId: endpoint.id, session: session.id };
  }
  const test = ({ id, endpointId }: Awaited<ReturnType<typeof subscribed>>) =>
    parts.actors.run(id, SYSTEM, (account, at) => testEndpoint(account, endpointId, at));
  const latest = async (endpointId: string) => (await parts.webhookDeliveries.list(endpointId, { limit: 1 }))[0];

  it('disables an endpoint whose requests failed for five days, and mails the owner', async () => {
    const one = await subscribed(['webhook.test']);
    // The endpoint's secret is not derived from the service's JWT_SECRET, so each try fails before a request is sent.
    await test(one);
    await eventually(async () => (await latest(one.endpointId))?.tries === 1, 'first try');
    expect((await latest(one.endpointId))?.lastTry?.response).to.include('JWT_SECRET');
    nowMs += 5 * DAY_MS - HOUR_MS;
    await eventually(async () => (await latest(one.endpointId))?.tries === 2, 'second try');
    expect(endpointIn((await parts.accounts.find(one.id))!, one.endpointId)).to.deep.include({ enabled: true });
    nowMs += 2 * HOUR_MS;
    await eventually(async () => {
      const endpoint = endpointIn((await parts.accounts.find(one.id))!, one.endpointId);
      return endpoint?.enabled === false && endpoint.disabledReason === 'failing';
    }, 'disabled endpoint');
    const { mails } = (await parts.accounts.find(one.id))!;
    expect(mails.map(({ kind }) => kind)).to.include('webhook-disabled');
    expect(mails.at(-1)?.content?.lines.join(' ')).to.include('failed for 5 days');
  });

  it('counts five days of failures anew after the owner has enabled an endpoint', async () => {
    const one = await subscribed(['webhook.test']);
    const { id, endpointId } = one;
    const isEnabled = async () => endpointIn((await parts.accounts.find(id))!, endpointId)?.enabled;
    const failed = async (tries: number): Promise<void> => {
      await eventually(async () => (await latest(endpointId))?.tries === tries, `try ${tries}`);
      await eventually(() => parts.webhookDispatcher.sending() === 0, 'end of the turn');
    };
    await test(one);
    await failed(1);
    nowMs += 4 * DAY_MS;
    await failed(2);
    const account = (await parts.accounts.find(id))!;
    const who = { caller: { account, session: account.sessions[0]! }, client: someClient() };
    for (const enabled of [false, true]) await parts.webhooks.edit(who, endpointId, { enabled });
    nowMs += 4 * DAY_MS;
    await failed(3);
    expect(await isEnabled(), 'eight days after the first failure').to.equal(true);
    nowMs += 5 * DAY_MS;
    await failed(4);
    expect(await isEnabled(), 'five days after the third failure').to.equal(false);
  });

  it('sends nothing while the account is suspended, and goes on afterwards', async () => {
    const one = await subscribed(['webhook.test']);
    await test(one);
    await eventually(async () => (await latest(one.endpointId))?.tries === 1, 'first try');
    await parts.actors.run(one.id, SYSTEM, (account) => setSuspended(account, true));
    nowMs += HOUR_MS;
    await eventually(
      async () => (await parts.webhookDeliveries.claim(new Date(nowMs), { limit: 1, claimMs: 1 })).length === 0,
      'turn',
    );
    expect((await latest(one.endpointId))?.tries).to.equal(1);
    await parts.actors.run(one.id, SYSTEM, (account) => setSuspended(account, false));
    nowMs += HOUR_MS;
    await eventually(async () => ((await latest(one.endpointId))?.tries ?? 0) > 1, 'second try');
  });

  it('makes one delivery of exactly each change of a subscribed kind, in any sequence of changes', async () => {
    const change = fc.constantFrom('key', 'publishable', 'suspend', 'lift');
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const one = await subscribed(['key.regenerated', 'publishable_key.changed']);
        const expected: string[] = [];
        let isSuspended = false;
        for (const name of changes) {
          if (name === 'suspend' || name === 'lift') {
            isSuspended = name === 'suspend';
            await parts.actors.run(one.id, SYSTEM, (account) => setSuspended(account, isSuspended));
          } else if (name === 'key') {
            await parts.actors.run(one.id, SYSTEM, (account, at) => regenerateKey(account, undefined, at));
            if (!isSuspended) expected.push('key.regenerated');
          } else if (!isSuspended) {
            const settings = { name: 'Site', origins: [], dailyLimit: null };
            await parts.actors.run(one.id, SYSTEM, (account, at) =>
              addPublishableKey(account, { session: one.session, settings }, at),
            );
            expected.push('publishable_key.changed');
          }
        }
        await parts.actors.run(one.id, SYSTEM, (account) => setSuspended(account, false));
        await eventually(async () => webhooksOf((await parts.accounts.find(one.id))!).events.length === 0, 'queue');
        const made = (await parts.webhookDeliveries.list(one.endpointId, { limit: 100 })).toReversed();
        expect(made.map(({ kind }) => kind)).to.deep.equal(expected);
        const times = made.map(({ createdAt }) => createdAt.getTime());
        expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).to.equal(true);
      }),
      { numRuns: 15 },
    );
  });
});

describe('the requests of a webhook dispatcher', () => {
  let parts: TestAccounts;
  let nowMs: number;
  const endings: (() => void)[] = [];
  before(async () => {
    // Starts one day before the real time, because a test advances this clock by one day and then verifies requests.
    // The verifying library accepts a difference of at most five minutes from the real time.
    nowMs = Date.now() - DAY_MS;
    parts = await openTestAccounts({
      ...{ now: () => nowMs, mails: 'by the job', variables: { WEBHOOK_ORIGINS: requestsReceiver.origin } },
    });
    parts.webhookDispatcher.start();
  });
  after(async () => {
    await parts.close();
    await requestsReceiver.close();
  });
  afterEach(() => requestsReceiver.answerWith(undefined));

  /** Creates an account with endpoints. The service generates their secrets. */
  async function customer(endpoints = 1) {
    const at = new Date(nowMs);
    const { account } = someAccount({ at });
    const { session } = newSession(account.id, { userAgent: null, address: null }, at);
    await parts.accounts.insert({ ...account, mails: [], sessions: [session] });
    const who = { caller: { account, session }, client: someClient() };
    const url = `${requestsReceiver.origin}/${account.id}`;
    const added = [];
    for (let n = 0; n < endpoints; n++)
      added.push(await parts.webhooks.add(who, { url, kinds: ['webhook.test'], description: '' }));
    const requests = () => requestsReceiver.requests.filter(({ path }) => path === `/${account.id}`);
    return { who, id: account.id, endpoints: added, requests };
  }
  const verifies = (request: Received, secret: string): boolean => {
    try {
      return verified(request, secret).type === 'webhook.test';
    } catch {
      return false;
    }
  };
  /**
   * Advances the clock until the latest event is due. Its time may be in the future, because it must be at least 1 ms
   * after the account's previous event.
   */
  const becomeDue = (): void => void (nowMs += 1000);
  /** Makes the receiver respond only after `answer` is called. */
  function holdRequests(): { readonly answer: () => void } {
    requestsReceiver.answerWith((response) => void endings.push(() => response.writeHead(204).end()));
    return {
      answer() {
        requestsReceiver.answerWith(undefined);
        for (const end of endings.splice(0)) end();
      },
    };
  }

  it('have the signatures of both secrets until 24 hours after a rotation, and then only of the new one', async () => {
    const { who, endpoints, requests } = await customer();
    const [{ endpoint, secret: old }] = endpoints as [(typeof endpoints)[number]];
    const { secret: fresh } = await parts.webhooks.rotate(who, endpoint.id);
    const signed = async (count: number): Promise<readonly boolean[]> => {
      await parts.webhooks.test(who, endpoint.id);
      const request = await eventually(() => requests()[count - 1], 'request');
      return [verifies(request, fresh), verifies(request, old)];
    };
    nowMs += DAY_MS - MINUTE_MS;
    expect(await signed(1)).to.deep.equal([true, true]);
    nowMs += MINUTE_MS;
    expect(await signed(2)).to.deep.equal([true, false]);
    expect(String(requests()[1]?.headers['webhook-signature']).split(' ')).to.have.length(1);
  });

  it('are twenty at once, and the others wait', async () => {
    const held = holdRequests();
    const owners = await Promise.all([1, 2, 3, 4, 5].map(() => customer(5)));
    for (const { who, endpoints } of owners)
      for (const { endpoint } of endpoints) await parts.webhooks.test(who, endpoint.id);
    becomeDue();
    const all = () => owners.flatMap(({ requests }) => requests());
    await eventually(() => all().length === 20, 'twenty requests');
    const made = async () => {
      const listed = await Promise.all(owners.map(({ id }) => parts.webhookDeliveries.list(id, { limit: 10 })));
      return listed.flat();
    };
    await eventually(async () => (await made()).length === 25, 'deliveries');
    expect(parts.webhookDispatcher.sending()).to.equal(20);
    // The dispatcher has not claimed the other five queues, so the test can claim them.
    const waiting = await parts.webhookDeliveries.claim(new Date(nowMs), { limit: 25, claimMs: 1000 });
    expect(waiting).to.have.length(5);
    for (const queue of waiting) await parts.webhookDeliveries.release(queue);
    expect(all()).to.have.length(20);
    held.answer();
    await eventually(async () => (await made()).every(({ status }) => status === 'delivered'), 'all deliveries');
    expect(all()).to.have.length(25);
  });

  it('that fail after the owner has enabled the endpoint during the request count five days from then', async () => {
    const { who, id, endpoints } = await customer();
    const endpointId = endpoints[0]!.endpoint.id;
    const failed = (count: number) =>
      eventually(async () => {
        const [delivery] = await parts.webhookDeliveries.list(endpointId, { limit: 1 });
        return delivery?.tries === count && parts.webhookDispatcher.sending() === 0;
      }, `try ${count}`);
    const isEnabled = async () => endpointIn((await parts.accounts.find(id))!, endpointId)?.enabled;
    requestsReceiver.answerWith((response) => void response.writeHead(500).end());
    await parts.webhooks.test(who, endpointId);
    becomeDue();
    await failed(1);
    const held: (() => void)[] = [];
    requestsReceiver.answerWith((response) => void held.push(() => response.writeHead(500).end()));
    nowMs += 5 * DAY_MS + HOUR_MS;
    await eventually(() => held.length === 1, 'second request');
    await parts.webhooks.edit(who, endpointId, { enabled: true });
    requestsReceiver.answerWith((response) => void response.writeHead(500).end());
    for (const end of held) end();
    await failed(2);
    expect(await isEnabled(), 'after the request during which the owner enabled it').to.equal(true);
    nowMs += 4 * DAY_MS;
    await failed(3);
    expect(await isEnabled(), 'four days later').to.equal(true);
  });

  it('of one account with many deliveries do not delay another account', async () => {
    const held = holdRequests();
    const busy = await customer();
    const [{ endpoint }] = busy.endpoints as [(typeof busy.endpoints)[number]];
    for (let n = 0; n < 100; n++) await parts.webhooks.test(busy.who, endpoint.id);
    becomeDue();
    await eventually(() => busy.requests().length > 0, 'first request of the busy account');
    const other = await customer();
    await parts.webhooks.test(other.who, other.endpoints[0]!.endpoint.id);
    await eventually(() => other.requests().length > 0, 'request of the other account');
    expect(busy.requests(), 'requests of the busy account meanwhile').to.have.length(1);
    held.answer();
    await eventually(() => busy.requests().length === 100, 'all deliveries of the busy account');
  });
});

describe('the webhook dispatcher of a suspended account', () => {
  it('looks at the queue again after ten minutes', async () => {
    const nowMs = Date.UTC(2026, 4, 1, 12);
    const at = new Date(nowMs);
    const parts = await openTestAccounts({ now: () => nowMs });
    const deliveries = parts.webhookDeliveries;
    const settings = { url: 'https://hooks.example/', kinds: ['webhook.test' as const], description: '' };
    const added = addEndpoint(someAccount({ at }).account, settings, newSecret(ROOT).stored, at);
    await parts.accounts.insert({ ...added.account, suspended: true });
    await deliveries.add([newDelivery(added.result, { id: 'evt_1', kind: 'webhook.test', atMs: nowMs, data: {} })]);
    let turns = 0;
    const dispatcher = createDispatcher({
      ...{ accounts: parts.accounts, actors: parts.actors, now: () => nowMs },
      webhookDeliveries: {
        ...deliveries,
        claim: async (...due) => (turns === 0 ? deliveries.claim(...due) : []),
        release: (...queue) => deliveries.release(...queue).finally(() => turns++),
      },
      send: async () => expect.fail('nothing is sent'),
      onTry: () => undefined,
      onError: (error) => expect.fail(String(error)),
    });
    dispatcher.start();
    await eventually(() => turns > 0, 'the turn');
    await dispatcher.close();
    const claimed = (ms: number) => deliveries.claim(new Date(nowMs + ms), { limit: 1, claimMs: 1 });
    expect(await claimed(10 * MINUTE_MS - 1)).to.deep.equal([]);
    expect(await claimed(10 * MINUTE_MS)).to.have.length(1);
    await parts.close();
  });
});
