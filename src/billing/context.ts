// Context that the services of billing share; each names the parts that it needs.
import type { AccountContext } from '../accounts/context.js';
import type { Payments } from './payments.js';

export interface BillingContext extends AccountContext {
  readonly payments: Payments;
}
