// Stores of this feature, and services that handlers get from it.
import type { Dispatcher } from './dispatcher.js';
import type { ReadEndpointUrl } from './endpoint-url.js';
import type { WebhookEndpoints } from './endpoints.js';
import type { WebhookDeliveries } from './webhook-deliveries.js';

declare module '../platform/services.js' {
  interface Services {
    readonly webhooks: WebhookEndpoints;
    readonly webhookDispatcher: Dispatcher;
    readonly readEndpointUrl: ReadEndpointUrl;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly webhookDeliveries: WebhookDeliveries;
  }
}
