// Alerts, endpoints and deliveries in the export of an account, without secrets.
import { z } from 'zod';
import { exportedList, exportedValue } from '../accounts/export-field.js';
import type { Presented } from '../platform/http/openapi/times-and-counts.js';
import { MAX_ENDPOINTS, hasQuotaAlerts, webhooksOf } from './endpoint.js';
import type { WebhookDeliveries } from './webhook-deliveries.js';
import { deliverySchema, presentDelivery, presentEndpoint, webhookSchema } from './fields.routes.js';

const PAGE = 100;
const exportedDelivery = deliverySchema.extend({
  body: z.string().meta({ description: 'Content of the event, JSON.', example: '{"type":"webhook.test"}' }),
});

export const exportFields = [
  exportedValue(
    'alerts',
    z
      .object({ quota: z.boolean().meta({ description: 'Mails about quotas.' }) })
      .meta({ description: 'Mails of the account.' }),
    async (account) => ({ quota: hasQuotaAlerts(account) }),
  ),
  exportedValue(
    'webhooks',
    z.array(webhookSchema).max(MAX_ENDPOINTS).meta({ description: 'All webhook endpoints.' }),
    async (account) => webhooksOf(account).endpoints.map(presentEndpoint),
  ),
  exportedList(
    'webhookDeliveries',
    z.array(exportedDelivery).meta({ description: 'All stored deliveries, by endpoint, newest first.' }),
    async function* (account, { webhookDeliveries }) {
      for (const { id } of webhooksOf(account).endpoints) yield* deliveriesOf(webhookDeliveries, id);
    },
  ),
];

async function* deliveriesOf(
  deliveries: Pick<WebhookDeliveries, 'list'>,
  endpointId: string,
): AsyncGenerator<readonly Presented<typeof exportedDelivery>[], void> {
  for (let before: string | undefined; ;) {
    const page = await deliveries.list(endpointId, { limit: PAGE, before });
    yield page.map((one) => ({ ...presentDelivery(one), body: one.body }));
    if (page.length < PAGE) return;
    before = page.at(-1)?.id;
  }
}
