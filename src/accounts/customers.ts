// Interface to customers at a payment provider. The feature `billing` implements it.
import { billingOffError } from '../platform/errors.js';

/** All methods reject with AppError `billing_unavailable` if the provider is not configured or cannot be reached. */
export interface Customers {
  readonly isConfigured: boolean;
  closeCheckouts(customerId: string): Promise<void>;
  /**
   * Closes open checkouts and deletes the customer, which ends all subscriptions immediately. A repeated call has no
   * further effect.
   */
  deleteCustomer(customerId: string): Promise<void>;
}

export const NO_CUSTOMERS: Customers = {
  isConfigured: false,
  closeCheckouts: () => Promise.reject(billingOffError()),
  deleteCustomer: () => Promise.reject(billingOffError()),
};

/**
 * Returns the customers that the feature `billing` provides. Reads `services.customers` on each call, because `billing`
 * is opened after `accounts`.
 */
export function customersOf(services: { readonly customers?: Customers }): Customers {
  const customers = (): Customers => services.customers ?? NO_CUSTOMERS;
  return {
    get isConfigured() {
      return customers().isConfigured;
    },
    closeCheckouts: (id) => customers().closeCheckouts(id),
    deleteCustomer: (id) => customers().deleteCustomer(id),
  };
}
