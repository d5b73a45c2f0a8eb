// `kill -9` between a change and its delivery: every acknowledged change is delivered, with one id, in order.
import { expect } from 'chai';
import { PASSWORD } from '../support/accounts.js';
import { ask, eventually } from '../support/auth.js';
import { serviceFolder, startService } from '../support/service-process.js';
import { startWebhookReceiver, verified } from './webhook-receiver.js';

const receiver = await startWebhookReceiver();

describe('webhooks of a killed service', () => {
  const folder = serviceFolder();
  after(() => receiver.close());

  it('are sent by the next process, although the receiver was down and the process was killed at once', async function () {
    this.timeout(180_000);
    const variables = { DATA_DIR: folder(), WEBHOOK_ORIGINS: receiver.origin, LOG_LEVEL: 'error' };
    receiver.answerStatus(500);
    const first = await startService(variables);
    const registered = await ask(first, '/auth/register', { body: { email: 'ada@example.com', password: PASSWORD } });
    const { accessToken: bearer } = registered.body as { accessToken: string };
    const kinds = ['publishable_key.changed'];
    const added = await ask(first, '/auth/webhooks', { bearer, body: { url: receiver.url, kinds } });
    const { secret } = added.body as { secret: string };
    const names: string[] = [];
    for (let n = 0; n < 3; n++) {
      const name = `Key ${n}`;
      const made = await ask(first, '/auth/publishable-keys', { bearer, body: { name } });
      if (made.status === 201) names.push(name);
    }
    // Kills the service when the last change is acknowledged, without waiting for its delivery.
    await first.kill();
    receiver.answerWith(undefined);
    const failed = receiver.requests.length;
    await startService(variables);
    const delivered = await eventually(() => {
      const found = receiver.requests.slice(failed);
      return new Set(found.map(({ headers }) => headers['webhook-id'])).size >= names.length ? found : undefined;
    }, 'deliveries');
    const byId = new Map(delivered.map((one) => [one.headers['webhook-id'], verified(one, secret)]));
    const inOrder = [...byId.values()].sort((one, other) => (one.timestamp < other.timestamp ? -1 : 1));
    expect(inOrder.map(({ data }) => data.name)).to.deep.equal(names);
    for (const { headers, body } of receiver.requests.slice(0, failed)) {
      const again = delivered.find((one) => one.headers['webhook-id'] === headers['webhook-id']);
      expect(again?.body, 'the same event in each try').to.equal(body);
    }
  });
});
