// Signing secrets: derived from a secret of the deployment, with an overlap after a rotation.
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { newSecret, OVERLAP_MS, rotated, signatures } from '../../src/webhooks/signing-secret.js';

const ROOTS = ['first secret of the deployment', 'replaced secret of the deployment'] as const;
const BODY = '{"type":"webhook.test"}';
const message = (atMs: number) => ({ id: 'evt_1', body: BODY, atMs });
const signs = (secret: string, signature: string | undefined, atMs: number): boolean =>
  signature?.split(' ').includes(new Webhook(secret).sign('evt_1', new Date(atMs), BODY)) === true;

describe('a signing secret', () => {
  it('signs what the library verifies, and is not part of the stored value', () => {
    const { secret, stored } = newSecret(ROOTS);
    const signature = signatures(ROOTS, [stored], message(Date.now()))!;
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': signature,
    };
    expect(new Webhook(secret).verify(BODY, headers)).to.deep.equal({ type: 'webhook.test' });
    expect(JSON.stringify(stored)).to.not.include(secret.slice(6, 20));
    expect(stored.hint).to.equal(secret.slice(-4));
  });

  it('signs with the old and the new secret for 24 hours after a rotation', () => {
    const [old, fresh] = [newSecret(ROOTS), newSecret(ROOTS)];
    const secrets = rotated([old.stored], fresh.stored, 1000);
    for (const [atMs, both] of [
      [1000, true],
      [1000 + OVERLAP_MS - 1, true],
      [1000 + OVERLAP_MS, false],
    ] as const) {
      const signature = signatures(ROOTS, secrets, message(atMs));
      expect([signs(fresh.secret, signature, atMs), signs(old.secret, signature, atMs)]).to.deep.equal([true, both]);
    }
    expect(rotated(secrets, newSecret(ROOTS).stored, 1000 + OVERLAP_MS)).to.have.length(2);
  });

  it('still signs while the replaced secret of the deployment stays in the list, and not without it', () => {
    const { secret, stored } = newSecret([ROOTS[1]]);
    expect(signs(secret, signatures(ROOTS, [stored], message(0)), 0)).to.equal(true);
    expect(signatures([ROOTS[0]], [stored], message(0))).to.equal(undefined);
  });
});
