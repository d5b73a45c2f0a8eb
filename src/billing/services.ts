// Stores and services of billing.
import type { BillingSync } from './billing-sync.js';
import type { PaymentEventProcessing } from './payment-events.js';
import type { PriceList } from './price-list.js';
import type { Purchases } from './purchases.js';
import type { Subscriptions } from './subscriptions.js';
import type { PaymentEvents } from './payment-event-store.js';

declare module '../platform/services.js' {
  interface Services {
    readonly isBillingConfigured: boolean;
    readonly billing: BillingSync;
    readonly purchases: Purchases;
    readonly subscriptions: Subscriptions;
    readonly prices: PriceList;
    readonly paymentEventProcessing: PaymentEventProcessing;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly paymentEvents: PaymentEvents;
  }
}
