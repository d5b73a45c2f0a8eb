// Payments where none are configured: everything is rejected.
import { AppError } from '../errors.js';
import type { Payments } from '../ports/payments.js';

function rejected(): AppError {
  return new AppError(
    'billing_unavailable',
    'Billing is not set up here: the operator has not given STRIPE_SECRET_KEY.',
  );
}

export function createNoPayments(): Payments {
  const reject = () => Promise.reject(rejected());
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
      throw rejected();
    },
  };
}
