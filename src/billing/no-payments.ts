// Payments where none are configured: everything is rejected.
import { billingOffError } from '../platform/errors.js';
import type { Payments } from './payments.js';

export function createNoPayments(): Payments {
  const reject = () => Promise.reject(billingOffError());
  return {
    isConfigured: false,
    createCustomer: reject,
    setEmail: reject,
    subscriptions: reject,
    checkout: reject,
    closeCheckouts: reject,
    portal: reject,
    setCancelAtPeriodEnd: reject,
    deleteCustomer: reject,
    prices: () => Promise.resolve([]),
    priceProblems: () => Promise.resolve([]),
    readEvent() {
      throw billingOffError();
    },
  };
}
