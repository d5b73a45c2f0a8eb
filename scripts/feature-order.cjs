// Order of the features, for the checks of imports. src/features.ts has the same order.

/** Required features. Each may import the features before it. */
const FEATURES = ['platform', 'accounts', 'metering', 'catalog', 'search', 'brands', 'pictures', 'own-brands'];
/** Optional features. Only src/features.ts imports them, so that each can be deleted. */
const OPTIONAL = [
  'billing',
  'visitor-counters',
  'iconify',
  'compat',
  'agents',
  'missing-names',
  'logo-reports',
  'quota-alerts',
  'webhooks',
  'site-icons',
];

module.exports = { FEATURES, OPTIONAL };
