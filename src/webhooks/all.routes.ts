// All routes of webhooks, and the fields of webhooks in the export of an account.
import { z } from 'zod';
import { exportedList, exportedValue } from '../accounts/export-field.js';
import { withPolicy, type Route } from '../platform/http/route.js';
import { deliveryRoutes, exportedDelivery, presentDelivery } from './deliveries.routes.js';
import { MAX_ENDPOINTS, webhooksOf } from './endpoint.js';
import { endpointRoutes, presentEndpoint, webhookSchema } from './endpoints.routes.js';

const EXPORTED_AT_ONCE = 100;

export const routes = (): readonly Route[] =>
  withPolicy({ tag: 'Webhooks', throttled: true }, [...endpointRoutes, ...deliveryRoutes]);

export const exportFields = [
  exportedValue(
    'webhooks',
    z.array(webhookSchema).max(MAX_ENDPOINTS).meta({ description: 'All webhook endpoints.' }),
    async (account) => webhooksOf(account).endpoints.map(presentEndpoint),
  ),
  exportedList(
    'webhookDeliveries',
    z.array(exportedDelivery).meta({ description: 'All stored deliveries, by endpoint, newest first.' }),
    async function* ({ id }, { webhookDeliveries }) {
      for (let before: string | undefined; ;) {
        const page = await webhookDeliveries.list(id, { limit: EXPORTED_AT_ONCE, before });
        yield page.map((delivery) => ({ ...presentDelivery(delivery), body: delivery.body }));
        if (page.length < EXPORTED_AT_ONCE) return;
        before = page.at(-1)?.id;
      }
    },
  ),
];
