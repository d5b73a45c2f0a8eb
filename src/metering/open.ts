// Opens metering: admissions, usage and analytics.
import { readPlans } from '../../config/plans.js';
import type { Opening } from '../platform/feature.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { createAnalytics } from './analytics.js';
import { createAccountUsage, createMetering } from './metering.js';
import type { Admission, QuotaAdmissions } from './quota-admissions.js';
import { createQuotaReports } from './quota-reports.js';

export function openMetering({ stores, services, now, metrics }: Opening) {
  const plans = readPlans();
  const quotaReports = createQuotaReports(services.accountContext);
  const metering = createMetering({ admissions: measured(stores.admissions, metrics), plans, quotaReports });
  return {
    services: {
      ...{ metering, quotaReports },
      accountUsage: createAccountUsage({ metering, usage: stores.usage, plans, now }),
      analytics: createAnalytics(stores),
    },
  };
}

function measured(admissions: QuotaAdmissions, metrics: Metrics | undefined): QuotaAdmissions {
  if (!metrics) return admissions;
  return {
    ...admissions,
    async admit(request) {
      let admission: Admission;
      try {
        admission = await admissions.admit(request);
      } catch (error) {
        metrics.admission(request.bucket, 'failed');
        throw error;
      }
      metrics.admission(request.bucket, admission.rejected ?? 'admitted');
      return admission;
    },
  };
}
