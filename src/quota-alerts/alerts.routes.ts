// GET|PATCH /auth/alerts: mails about quotas, on or off.
import { z } from 'zod';
import { exportedValue } from '../accounts/export-field.js';
import { CHANGE_ERRORS } from '../accounts/schemas.routes.js';
import { changeSignedIn } from '../accounts/signed-in-change.js';
import { json, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { hasQuotaAlerts, setQuotaAlerts } from './quota-alerts.js';

const quota = z.boolean({ error: 'must be true or false' }).meta({
  description: 'Mails when a bucket passes 80 % of its limit and when it reaches it, once per bucket and day.',
  allowed: 'true or false',
});
const alerts = z.object({ quota }).meta({ id: 'Alerts', description: 'Mails that the account gets.' });
const alertsSchema = z.object({ alerts });

export const exportFields = [exportedValue('alerts', alerts, async (account) => ({ quota: hasQuotaAlerts(account) }))];

export const alertRoutes: readonly Route[] = [
  route('GET /auth/alerts', {
    auth: 'bearer',
    summary: 'Get the alerts',
    description: 'Mails about quotas are on by default for a verified address.',
    responses: { 200: { description: 'Which mails the account gets', schema: alertsSchema } },
    handle: ({ caller: { account } }) => json(200, { alerts: { quota: hasQuotaAlerts(account) } }, NO_STORE),
  }),
  route('PATCH /auth/alerts', {
    auth: 'bearer',
    summary: 'Change the alerts',
    description: 'Switches mails about quotas.',
    body: z.strictObject({ quota: quota.optional() }),
    responses: { 200: { description: 'Which mails the account gets now', schema: alertsSchema } },
    errors: CHANGE_ERRORS,
    handle: async ({ body: { quota: given }, caller, client }, { actors }) => {
      const on = given ?? hasQuotaAlerts(caller.account);
      if (given !== undefined)
        await changeSignedIn(actors, { caller, client }, (account) => setQuotaAlerts(account, given));
      return json(200, { alerts: { quota: on } }, NO_STORE);
    },
  }),
];
