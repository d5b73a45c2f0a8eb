// Quota alerts: mails about quotas that are nearly or completely used.
import type { Feature } from '../platform/feature.js';

export const quotaAlerts: Feature = {
  name: 'quota-alerts',
  routes: async () => (await import('./all.routes.js')).routes,
  open: async () => (await import('./open.js')).openQuotaAlerts,
  exportFields: async () => (await import('./alerts.routes.js')).exportFields,
};
