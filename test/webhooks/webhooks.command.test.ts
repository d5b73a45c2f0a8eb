// `npm run webhooks`: lists, shows and disables endpoints.
import { expect } from 'chai';
import { SYSTEM } from '../../src/accounts/audit-event.js';
import { newDelivery, tried } from '../../src/webhooks/delivery.js';
import { addEndpoint, endpointIn } from '../../src/webhooks/endpoint.js';
import { newSecret } from '../../src/webhooks/signing-secret.js';
import { openTestAccounts, type TestAccounts } from '../support/account-services.js';
import { someAccount } from '../support/accounts.js';
import { rejected, runCli } from '../support/cli.js';
import { temporaryDir } from '../support/temporary.js';

describe('npm run webhooks', () => {
  const folder = temporaryDir();
  let parts: TestAccounts;
  before(async () => void (parts = await openTestAccounts({ dataDir: folder.path })));
  after(async () => {
    await parts.close();
    folder.remove();
  });
  const webhooks = (...words: string[]) => runCli('webhooks', words, { DATA_DIR: folder.path });

  it('lists, shows and disables an endpoint, without its secret', async () => {
    const { account } = someAccount();
    await parts.accounts.insert(account);
    const { secret, stored } = newSecret(['any']);
    const settings = { url: 'https://example.com/hook', kinds: ['webhook.test'], description: 'Team' } as const;
    const { id } = await parts.actors.run(account.id, SYSTEM, (current, at) =>
      addEndpoint(current, settings, stored, at),
    );
    const listed = await webhooks('list');
    expect(listed.stdout).to.match(new RegExp(`${id}\\s+${account.email}\\s+enabled\\s+https://example.com/hook`));
    expect((await webhooks('list', '--account', account.email)).stdout).to.equal(listed.stdout);
    const shown = await webhooks('show', id, '--json');
    expect(JSON.parse(shown.stdout)).to.deep.include({ id, enabled: true, description: 'Team', deliveries: [] });
    expect(shown.stdout).to.not.include(stored.nonce).and.to.not.include(secret);
    expect((await webhooks('disable', id)).stdout).to.equal(`The endpoint ${id} is disabled.\n`);
    const after = (await parts.accounts.find(account.id))!;
    expect(endpointIn(after, id)).to.deep.include({ enabled: false, disabledReason: 'operator' });
    expect(after.mails.map(({ kind }) => kind)).to.include('webhooks-changed');
    expect(rejected(await webhooks('show', 'none'))).to.equal('There is no webhook endpoint "none".\n');
  });

  it('shows the deliveries of an endpoint, and lists at most as many endpoints as the limit says', async () => {
    const { account } = someAccount();
    await parts.accounts.insert(account);
    const settings = { url: 'https://example.com/many', kinds: ['webhook.test'], description: '' } as const;
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      const { stored } = newSecret(['any']);
      const { id } = await parts.actors.run(account.id, SYSTEM, (current, at) =>
        addEndpoint(current, settings, stored, at),
      );
      ids.push(id);
    }
    const listed = await webhooks('list', '--account', account.id, '--json');
    expect((JSON.parse(listed.stdout) as { id: string }[]).map(({ id }) => id)).to.deep.equal(ids);
    const two = await webhooks('list', '--account', account.id, '--limit', '2', '--json');
    expect((JSON.parse(two.stdout) as { id: string }[]).map(({ id }) => id)).to.deep.equal(ids.slice(0, 2));

    const event = { id: `evt_${'1'.repeat(18)}`, kind: 'webhook.test', atMs: Date.now(), data: {} } as const;
    const delivery = newDelivery({ id: ids[0]! }, event);
    await parts.webhookDeliveries.add([delivery]);
    const lastTry = { at: new Date(), httpStatus: 503, durationMs: 3, response: 'busy', retryAfterMs: undefined };
    await parts.webhookDeliveries.save({ ...tried(delivery, lastTry, 0), version: 2 });
    const shown = (await webhooks('show', ids[0]!)).stdout;
    expect(shown)
      .to.match(/^account +\S+@/m)
      .and.to.match(/^state +enabled$/m);
    expect(shown).to.match(new RegExp(`^${event.id} +webhook\\.test +pending +1 +503$`, 'm'));
    expect(rejected(await webhooks('disable', `${account.id}Endp0int0001`))).to.include('There is no webhook endpoint');
  });
});
