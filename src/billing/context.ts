// Context shared by the billing services. Each service declares the parts that it needs.
import type { AccountContext } from '../accounts/context.js';
import type { Payments } from './payments.js';

export interface BillingContext extends AccountContext {
  readonly payments: Payments;
}
