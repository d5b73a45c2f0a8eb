// List of all features. A feature may use the features before it in the list.
import { accounts } from './accounts/index.js';
import { agents } from './agents/index.js';
import { billing } from './billing/index.js';
import { brands } from './brands/index.js';
import { catalog } from './catalog/index.js';
import { compat } from './compat/index.js';
import { iconify } from './iconify/index.js';
import { logoReports } from './logo-reports/index.js';
import { metering } from './metering/index.js';
import { missingNames } from './missing-names/index.js';
import { ownBrands } from './own-brands/index.js';
import { pictures } from './pictures/index.js';
import type { Feature } from './platform/feature.js';
import { platform } from './platform/index.js';
import { quotaAlerts } from './quota-alerts/index.js';
import { search } from './search/index.js';
import { siteIcons } from './site-icons/index.js';
import { visitorCounters } from './visitor-counters/index.js';
import { webhooks } from './webhooks/index.js';

export const FEATURES: readonly Feature[] = [
  platform,
  accounts,
  metering,
  catalog,
  search,
  brands,
  pictures,
  ownBrands,
  // Optional features. To remove one, delete its folder, its tests, and its two lines in this file.
  billing,
  visitorCounters,
  iconify,
  compat,
  agents,
  missingNames,
  logoReports,
  quotaAlerts,
  webhooks,
  siteIcons,
];
