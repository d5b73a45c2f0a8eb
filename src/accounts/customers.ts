// Customers at a payment provider, as far as accounts need them. The feature billing implements this interface.
import { billingOffError } from '../platform/errors.js';

/** Every method rejects with AppError `billing_unavailable` when the provider cannot be reached or is not configured. */
export interface Customers {
  readonly isConfigured: boolean;
  /** Closes the open checkouts of a customer. */
  closeCheckouts(customerId: string): Promise<void>;
  /** Closes open checkouts and deletes the customer, which ends all subscriptions immediately. Safe to repeat. */
  deleteCustomer(customerId: string): Promise<void>;
}

export const NO_CUSTOMERS: Customers = {
  isConfigured: false,
  closeCheckouts: () => Promise.reject(billingOffError()),
  deleteCustomer: () => Promise.reject(billingOffError()),
};

/** Returns the customers that billing provides. The indirection is needed because billing is opened after accounts. */
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
