// The order of features, for the checks of what may import what. src/features.ts has the same order.

/** Features in their order: each may import those before it. The same order as in src/features.ts. */
const FEATURES = ['platform', 'accounts', 'metering', 'catalog', 'search', 'brands', 'pictures', 'own-brands'];
/** Only src/features.ts imports them, so that each can be deleted. */
const OPTIONAL = [
  'billing',
  'visitor-counters',
  'iconify',
  'compat',
  'agents',
  'missing-names',
  'logo-reports',
  'webhooks',
];

module.exports = { FEATURES, OPTIONAL };
