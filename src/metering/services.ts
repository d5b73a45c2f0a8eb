// Stores and services of metering.
import type { ResponseCounts } from './response-counts.js';
import type { Analytics } from './analytics.js';
import type { Metering } from './metering.js';
import type { QuotaAdmissions } from './quota-admissions.js';
import type { QuotaReports } from './quota-reports.js';
import type { ResponseHistory } from './response-history.js';
import type { UsageHistory } from './usage-history.js';

declare module '../platform/services.js' {
  interface Services {
    readonly responseCounts: Pick<ResponseCounts, 'count'>;
    readonly metering: Metering;
    readonly analytics: Analytics;
    readonly quotaReports: QuotaReports;
  }
}

declare module '../platform/stores/stores.js' {
  interface Stores {
    readonly admissions: QuotaAdmissions;
    readonly responses: ResponseHistory;
    readonly usage: UsageHistory;
  }
}
