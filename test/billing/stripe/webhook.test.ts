// Stripe webhook: which fields of an event are read, and how old a signature may be.
import { expect } from 'chai';
import { Stripe } from 'stripe';
import { readEvent } from '../../../src/billing/stripe/webhook.js';
import { SECOND_MS } from '../../../src/platform/time.js';
import { thrownBy } from '../../support/thrown.js';

const SECRET = 'whsec_of_this_test';
const NOW_SECONDS = Date.UTC(2026, 4, 1, 12) / SECOND_MS;

describe('an event of Stripe', () => {
  const { webhooks } = new Stripe('sk_test_of_this_test');
  const read = (
    object: object,
    { aheadSeconds = 0, secret = SECRET, secrets = [SECRET], signature = '' } = {},
    more: object = {},
  ) => {
    const fields = { id: 'evt_1', object: 'event', type: 'some.type', created: NOW_SECONDS - 5, data: { object } };
    const event = { ...fields, ...more };
    const payload = JSON.stringify(event);
    const timestamp = NOW_SECONDS + aheadSeconds;
    const made = signature || webhooks.generateTestHeaderString({ payload, secret, timestamp });
    return readEvent(Buffer.from(payload), made, { webhooks, secrets, now: () => NOW_SECONDS * SECOND_MS });
  };

  for (const [what, object, customerId] of [
    ['a customer', { object: 'customer', id: 'cus_1' }, 'cus_1'],
    ['a customer, whatever it refers to', { object: 'customer', id: 'cus_1', customer: 'cus_2' }, 'cus_1'],
    ['an object of a customer', { object: 'subscription', id: 'sub_1', customer: 'cus_2' }, 'cus_2'],
    ['an object with its customer inside', { object: 'invoice', id: 'in_1', customer: { id: 'cus_3' } }, 'cus_3'],
    ['an object of no customer', { object: 'price', id: 'price_1' }, null],
    ['an object whose customer is gone', { object: 'invoice', id: 'in_1', customer: null }, null],
  ] as const)
    it(`names its customer: ${what}`, () => {
      expect(read(object)).to.deep.equal({
        id: 'evt_1',
        type: 'some.type',
        customerId,
        createdAt: new Date((NOW_SECONDS - 5) * SECOND_MS),
      });
    });

  it('is rejected if a field is not as Stripe sends it', () => {
    const object = { object: 'price', id: 'price_1' };
    for (const wrong of [
      { id: 'expected_sub_1' },
      { id: 'evt_' },
      { id: 'evt_1 ' },
      { id: `evt_${'1'.repeat(251)}` },
      { object: 'subscription' },
      { type: 'x'.repeat(256) },
      { created: -1 },
      { created: 253_402_300_800 },
      { created: 0.5 },
      { data: { object: { customer: 'x'.repeat(256) } } },
    ])
      expect(thrownBy(() => read(object, {}, wrong)).message, JSON.stringify(wrong)).to.equal(
        'The body is not a Stripe event.',
      );
  });

  it('is signed by any of the secrets, five minutes from now at most, either way', () => {
    const object = { object: 'price', id: 'price_1' };
    for (const aheadSeconds of [-300, 0, 300]) expect(read(object, { aheadSeconds })).to.include({ id: 'evt_1' });
    expect(read(object, { secrets: ['whsec_another', SECRET] })).to.include({ id: 'evt_1' });
    for (const [wrong, reason] of [
      [{ aheadSeconds: 301 }, 'by more than 300 seconds'],
      [{ aheadSeconds: -301 }, 'by more than 300 seconds'],
      [{ secret: 'whsec_another' }, 'does not match'],
      [{ signature: 'v1=0' }, 'does not have the form'],
      [{ signature: `t=${NOW_SECONDS},v1=${'0'.repeat(2000)}` }, 'does not have the form'],
      [{ signature: `t=${NOW_SECONDS},v1=${'0'.repeat(64)}` }, 'does not match'],
    ] as const) {
      const error = thrownBy(() => read(object, wrong));
      expect(error).to.include({ code: 'invalid_request' });
      expect(error.message).to.include(reason);
    }
  });
});
