// The reason why a webhook endpoint is disabled, and which changes keep or remove this reason.
import { expect } from 'chai';
import { addEndpoint, disableEndpoint, editEndpoint } from '../../src/webhooks/endpoint.js';
import { newSecret } from '../../src/webhooks/signing-secret.js';
import { someAccount } from '../support/accounts.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));

describe('the reason why a webhook endpoint is disabled', () => {
  const settings = { url: 'https://hooks.example/', kinds: ['webhook.test' as const], description: '' };
  const secret = newSecret(['any secret']).stored;
  const { account, result: endpoint } = addEndpoint(someAccount({ at: AT }).account, settings, secret, AT);

  it('is who has disabled it, and ends when it is enabled', () => {
    for (const by of ['owner', 'operator'] as const) {
      const disabled = editEndpoint(account, endpoint.id, { enabled: false, by }, AT);
      expect(disabled.result).to.include({ enabled: false, disabledReason: by });
      const enabled = editEndpoint(disabled.account, endpoint.id, { enabled: true, by: 'owner' }, AT);
      expect(enabled.result).to.deep.equal(endpoint);
    }
  });

  it('stays when the owner changes or disables an endpoint that is gone, has failed, or was disabled', () => {
    for (const [disabled, reason] of [
      [disableEndpoint(account, endpoint.id, 'gone', AT), 'gone'],
      [disableEndpoint(account, endpoint.id, 'failing', AT), 'failing'],
      [editEndpoint(account, endpoint.id, { enabled: false, by: 'operator' }, AT), 'operator'],
    ] as const)
      for (const edit of [{ description: 'Orders' }, { enabled: false }])
        expect(editEndpoint(disabled.account, endpoint.id, { ...edit, by: 'owner' }, AT).result).to.deep.include({
          enabled: false,
          disabledReason: reason,
        });
  });
});
