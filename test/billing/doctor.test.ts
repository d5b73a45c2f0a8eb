// Findings of `npm run doctor` about prices and about the webhook.
import { expect } from 'chai';
import { priceFindings, webhookFindings } from '../../src/billing/doctor.js';
import { expectationId, type StoredPaymentEvent } from '../../src/billing/payment-event.js';
import { AppError, PaymentsAwayError } from '../../src/platform/errors.js';
import { DAY_MS } from '../support/clock.js';

const AT = new Date(Date.UTC(2026, 4, 1, 12));
const later = (ms: number) => new Date(AT.getTime() + ms);

describe('the findings about prices', () => {
  const find = (priceProblems: () => Promise<readonly string[]>, isConfigured = true) =>
    priceFindings({ isConfigured, priceProblems });

  it('are none if billing is off', async () => {
    expect(await find(() => expect.fail('must not be called'), false)).to.deep.equal([]);
  });

  it('are one per problem, or one that all is well', async () => {
    const statuses = async (problems: readonly string[]) =>
      (await find(async () => problems)).map(({ status, message }) => [status, message]);
    expect(await statuses(['One.', 'Two.'])).to.deep.equal([
      ['error', 'One.'],
      ['error', 'Two.'],
    ]);
    expect((await statuses([])).map(([status]) => status)).to.deep.equal(['ok']);
  });

  it('tell a provider that does not respond from one that rejects the key, and keep other errors', async () => {
    const [away] = await find(() => Promise.reject(new PaymentsAwayError('away')));
    expect(away).to.deep.include({ status: 'warning', message: 'The prices could not be checked: away' });
    const [refused] = await find(() => Promise.reject(new AppError('billing_unavailable', 'wrong key')));
    expect(refused).to.deep.include({ status: 'error', message: 'wrong key' });
    const bug = new TypeError('bug');
    expect(await find(() => Promise.reject(bug)).catch((error: unknown) => error)).to.equal(bug);
  });
});

describe('the findings about the webhook', () => {
  const event = (id: string, more: Partial<StoredPaymentEvent>): StoredPaymentEvent => ({
    ...{ id, type: 'invoice.paid', customerId: 'cus_1', createdAt: AT, receivedAt: AT, dueAt: null },
    ...{ tries: 0, finishedAt: AT, error: null, version: 1 },
    ...more,
  });
  const arrived = (receivedAt: Date) => event('evt_1', { receivedAt });
  const missing = event(expectationId('sub_1'), { finishedAt: later(DAY_MS), error: 'no Stripe event has arrived' });
  const find = async (...events: readonly StoredPaymentEvent[]) => {
    const findings = await webhookFindings({
      async latest(page) {
        expect(page).to.deep.equal({ limit: 100 });
        return events;
      },
    });
    return findings.map(({ status, message }) => [status, message]);
  };
  const WARNING = [
    'warning',
    'Stripe has had a subscription of the customer cus_1 since 2026-05-01, but no webhook event for it has arrived.',
  ];

  it('are none before the first purchase, and while an event may still arrive', async () => {
    expect(await find()).to.deep.equal([]);
    expect(await find({ ...missing, finishedAt: null, error: null })).to.deep.equal([]);
    expect(await find({ ...missing, error: null }), 'it has arrived').to.deep.equal([]);
  });

  it('warn of a missing event until another one arrives', async () => {
    expect(await find(missing)).to.deep.equal([WARNING]);
    expect(await find(missing, arrived(later(DAY_MS - 1)))).to.deep.equal([WARNING]);
    expect(await find(arrived(later(DAY_MS)), missing)).to.deep.equal([
      ['ok', 'The latest Stripe event arrived on 2026-05-02.'],
    ]);
    expect(await find(arrived(AT), { ...missing, error: null })).to.deep.equal([
      ['ok', 'The latest Stripe event arrived on 2026-05-01.'],
    ]);
  });
});
