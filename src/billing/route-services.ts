// Services that handlers get from this feature.
import type { PaymentEventProcessing } from './payment-events.js';
import type { PriceList } from './price-list.js';
import type { Purchases } from './purchases.js';
import type { Subscriptions } from './subscriptions.js';

declare module '../platform/http/route-services.js' {
  interface Deployment {
    readonly billing: 'on' | 'off';
  }

  interface RouteServices {
    readonly purchases: Purchases;
    readonly subscriptions: Subscriptions;
    readonly prices: PriceList;
    readonly paymentEventProcessing: Pick<PaymentEventProcessing, 'receive'>;
  }
}
