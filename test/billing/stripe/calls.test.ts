// Calls of Stripe's API: how many run and wait, which are rejected without a request, and how errors are converted.
import { expect } from 'chai';
import { Stripe } from 'stripe';
import { createStripeCalls } from '../../../src/billing/stripe/calls.js';
import { AppError, PaymentsAwayError } from '../../../src/platform/errors.js';
import { backgroundSettled, rejection } from '../../support/account-services.js';

const { errors } = Stripe;
const AWAY = new errors.StripeConnectionError({ message: 'away' });

describe('calls of Stripe', () => {
  /** Starts `count` calls. The test ends each running call with an item of `running`. */
  function begin(call: ReturnType<typeof createStripeCalls>, count: number) {
    const running: { readonly resolve: (value: string) => void; readonly reject: (error: Error) => void }[] = [];
    const outcomes = Array.from({ length: count }, () =>
      rejection(call(() => new Promise<string>((resolve, reject) => void running.push({ resolve, reject })))),
    );
    return { running, outcomes };
  }

  it('run 32 at once, keep 256 waiting, and reject more', async () => {
    const call = createStripeCalls({ now: () => 0 });
    const { running, outcomes } = begin(call, 32 + 256);
    await backgroundSettled();
    expect(running).to.have.length(32);
    const more = await call(() => expect.fail('must not run')).catch((error: unknown) => error);
    expect(more).to.be.instanceOf(PaymentsAwayError);
    expect((more as Error).message).to.equal('Too many requests are waiting for the payment provider.');
    running[0]?.resolve('done');
    await outcomes[0];
    await backgroundSettled();
    expect(running, 'the next one').to.have.length(33);
    begin(call, 1);
    while (running.length < 32 + 256) {
      for (const { resolve } of running) resolve('done');
      await backgroundSettled();
    }
  });

  it('that wait are rejected without a request if Stripe becomes unavailable', async () => {
    const { running, outcomes } = begin(createStripeCalls({ now: () => 0 }), 33);
    await backgroundSettled();
    for (const { reject } of running) reject(AWAY);
    expect(new Set(await Promise.all(outcomes))).to.deep.equal(new Set(['billing_unavailable']));
    expect(running).to.have.length(32);
  });

  const stripeError = { message: `wrong: ${'x'.repeat(400)}`, type: 'card_error' } as const;
  for (const [error, code, isAway] of [
    [AWAY, 'billing_unavailable', true],
    [new errors.StripeRateLimitError(stripeError), 'billing_unavailable', true],
    [new errors.StripeAPIError(stripeError), 'billing_unavailable', true],
    [new errors.StripeIdempotencyError(stripeError), 'billing_unavailable', true],
    [new errors.StripeAuthenticationError(stripeError), 'billing_unavailable', false],
    [new errors.StripePermissionError(stripeError), 'billing_unavailable', false],
    [new errors.StripeInvalidRequestError(stripeError), 'conflict', false],
    [new errors.StripeCardError(stripeError), 'conflict', false],
  ] as const)
    it(`convert a ${error.type} to ${code}, with at most 300 characters of its text as the cause`, async () => {
      const call = createStripeCalls({ now: () => 0, operatorContact: 'mailto:ops@icons.example' });
      const converted = await call(() => Promise.reject(error)).catch((one: unknown) => one);
      expect(converted).to.be.instanceOf(AppError).with.property('code', code);
      expect(converted instanceof PaymentsAwayError).to.equal(isAway);
      const { cause, message } = converted as AppError;
      expect((cause as Error).message).to.equal(`Error: ${error.message}`.slice(0, 300));
      expect(message.includes('mailto:ops@icons.example'), 'names the operator').to.equal(!isAway);
    });

  it('leave errors of other code as they are', async () => {
    const bug = new TypeError('bug');
    expect(await rejection(createStripeCalls({ now: () => 0 })(() => Promise.reject(bug)))).to.equal(bug);
  });
});
