// Customers at a payment provider, as far as accounts deal with them. The feature billing implements it.
import { billingOffError } from '../platform/errors.js';

/** Every method rejects with AppError `billing_unavailable` when the provider cannot be reached or is not configured. */
export interface Customers {
  readonly isConfigured: boolean;
  /** Closes the open checkouts of a customer. */
  closeCheckouts(customerId: string): Promise<void>;
  /** Closes open checkouts and deletes the customer, which ends all subscriptions at once. Safe to repeat. */
  deleteCustomer(customerId: string): Promise<void>;
}

export const NO_CUSTOMERS: Customers = {
  isConfigured: false,
  closeCheckouts: () => Promise.reject(billingOffError()),
  deleteCustomer: () => Promise.reject(billingOffError()),
};

/** The customers of the feature that has them. It is opened after accounts. */
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
