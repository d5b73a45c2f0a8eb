// Replacement of `Payments` if no provider is configured. All methods reject.
import { NO_CUSTOMERS } from '../accounts/customers.js';
import { billingOffError } from '../platform/errors.js';
import type { Payments } from './payments.js';

export function createNoPayments(): Payments {
  const reject = () => Promise.reject(billingOffError());
  return {
    ...NO_CUSTOMERS,
    createCustomer: reject,
    setEmail: reject,
    subscriptions: reject,
    checkout: reject,
    portal: reject,
    setCancelAtPeriodEnd: reject,
    prices: () => Promise.resolve([]),
    priceProblems: () => Promise.resolve([]),
    readEvent() {
      throw billingOffError();
    },
  };
}
