// Opens quota alerts: listens to the reports of metering.
import type { Opening } from '../platform/feature.js';
import { withQuotaAlert } from './quota-alerts.js';

export function openQuotaAlerts({ env, services }: Opening) {
  // These values come from the environment, because commands have no `services.deployment`.
  const operator = {
    billing: env.STRIPE_SECRET_KEY === '' ? 'off' : 'on',
    operatorContact: env.OPERATOR_CONTACT || null,
  } as const;
  services.quotaReports.listen((account, report, at) => withQuotaAlert(account, report, at, operator));
  return { services: {} };
}
