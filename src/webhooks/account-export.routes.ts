// Webhook endpoints and deliveries in the export of an account, without secrets.
import { z } from 'zod';
import { exportedList, exportedValue } from '../accounts/export-field.js';
import { exportedDelivery, presentExported } from './deliveries.routes.js';
import { MAX_ENDPOINTS, webhooksOf } from './endpoint.js';
import { presentEndpoint, webhookSchema } from './endpoints.routes.js';

const PAGE = 100;

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
        const page = await webhookDeliveries.list(id, { limit: PAGE, before });
        yield page.map(presentExported);
        if (page.length < PAGE) return;
        before = page.at(-1)?.id;
      }
    },
  ),
];
