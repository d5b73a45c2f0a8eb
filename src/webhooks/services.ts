// Stores of this feature, and services that handlers get from it.
import type { Dispatcher } from './dispatcher.js';
import type { WebhookEndpoints } from './endpoints.js';
import type { WebhookDeliveries } from './webhook-deliveries.js';

declare module '../platform/services.js' {
  interface Services {
    readonly webhooks: WebhookEndpoints;
    readonly webhookDispatcher: Dispatcher;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly webhookDeliveries: WebhookDeliveries;
  }
}
