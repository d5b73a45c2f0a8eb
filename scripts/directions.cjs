// Rules for imports between folders, including type imports. ARCHITECTURE.md describes them.

const { FEATURES, OPTIONAL } = require('./feature-order.cjs');

const ALL = [...FEATURES, ...OPTIONAL, 'serving', 'operations', 'cli'];
/** Folders that may import the list of all features (src/features.ts). */
const USERS_OF_ALL = ['operations', 'cli'];

/**
 * Suffixes of adapters. A suffix names the outside system or the entry point that the file serves. Files without a
 * suffix are rules, use cases and ports.
 */
const LAYER = '\\.(routes|sqlite|mongodb|redis|records|files|worker|command|job|embedded|cluster)\\.ts$';
/** Files that connect the layers of a feature. */
const COMPOSERS = '^src/[^/]+/(index|open|serve|stores|doctor|catalog-tools)\\.ts$';
/** Folders in which every file counts as an adapter, with or without a suffix in its name. */
const LAYER_FOLDER =
  '^src/(platform/(http|stores|processes|command-line|outgoing)|accounts/authentication|billing/stripe|catalog/sources)/';
/**
 * Files that do I/O, although their names lack the suffixes in `LAYER`. They start something or use the operating
 * system.
 */
const STARTERS = [
  '^src/operations/',
  '^src/(cli|serving)/',
  '^src/catalog/(first-import|sources/bundle-folder)\\.ts$',
  '^src/platform/(log|command-text|package-version|mail/mailers|metrics/prometheus)\\.ts$',
];
const ABOVE = '^src/(cli|operations|serving)/|^src/[^/]+\\.ts$';

/** Files that load the drivers of one family of stores: SQLite (embedded), or MongoDB and Redis (cluster). */
const FAMILY =
  '\\.(sqlite|mongodb|redis|embedded|cluster)\\.ts$|^src/platform/stores/(sqlite|mongodb|redis)/|^src/platform/stores/(embedded|cluster)-stores\\.ts$';

const only = (name, from, allowed, fromNot) => ({
  name,
  severity: 'error',
  from: { path: from, ...(fromNot && { pathNot: fromNot }) },
  to: { path: '^(src|workers|config|test|scripts)/', pathNot: allowed },
});

const inOrder = ALL.map((feature) => {
  const before = FEATURES.includes(feature) ? FEATURES.slice(0, FEATURES.indexOf(feature)) : FEATURES;
  const folders = [feature, ...before, ...(feature === 'cli' ? ['operations'] : [])].join('|');
  return {
    name: `${feature}-imports-what-stands-before-it`,
    severity: 'error',
    from: { path: `^src/${feature}/` },
    to: { path: '^src/', pathNot: `^src/(${folders})/${USERS_OF_ALL.includes(feature) ? '|^src/features\\.ts$' : ''}` },
  };
});

/** Returns the rule that only files that match `users` may import a driver. */
const driver = (name, path, users) => ({
  name: `only-its-files-import-${name}`,
  severity: 'error',
  from: { path: '^(src|config|workers)/', pathNot: users },
  to: { path },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^(src|workers|config)/',
        pathNot: '\\.d\\.ts$|^src/(dashboard|platform/http/pages/assets)/',
      },
      to: {},
    },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    ...inOrder,
    only('errors-import-nothing', '^src/platform/errors\\.ts$', '^$'),
    {
      name: 'rules-import-no-layer',
      severity: 'error',
      from: {
        path: `^src/(${ALL.join('|')})/`,
        pathNot: [LAYER, LAYER_FOLDER, COMPOSERS, '\\.mail\\.ts$', ...STARTERS],
      },
      to: { path: [LAYER] },
    },
    {
      name: 'rules-have-no-io',
      severity: 'error',
      from: { path: `^src/(${ALL.join('|')})/`, pathNot: [LAYER, LAYER_FOLDER, COMPOSERS, ...STARTERS] },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(node:)?(crypto|zlib|timers/promises|stream/consumers|url)$',
      },
    },
    only(
      'routes',
      '^src/.*\\.routes\\.ts$',
      '^src/(?!cli/|dashboard/)(?!.*\\.(sqlite|mongodb|redis|records|files|worker|command)\\.ts$)',
    ),
    only('sqlite', '\\.sqlite\\.ts$|^src/platform/stores/sqlite/', notLayers('sqlite')),
    only('mongodb', '\\.mongodb\\.ts$|^src/platform/stores/mongodb/', notLayers('mongodb')),
    only('redis', '\\.redis\\.ts$|^src/platform/stores/redis/', notLayers('redis')),
    only('records', '\\.records\\.ts$', notLayers('records')),
    only('client', '^src/client/', '^src/client/'),
    only('dashboard', '^src/dashboard/', '^src/(dashboard/|platform/http/pages/dashboard-settings\\.ts)'),
    {
      name: 'only-the-build-imports-the-dashboard',
      severity: 'error',
      from: { pathNot: '^src/dashboard/' },
      to: { path: '^src/dashboard/' },
    },
    {
      name: 'the-dashboard-shares-types-alone',
      severity: 'error',
      from: { path: '^src/dashboard/' },
      to: { path: '^src/platform/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workers-know-rules-alone',
      severity: 'error',
      from: { path: '^workers/' },
      to: { path: ['^(test|scripts|config)/', ABOVE, LAYER, LAYER_FOLDER] },
    },
    {
      name: 'src-is-types-to-workers',
      severity: 'error',
      from: { path: '^workers/' },
      to: {
        path: '^src/',
        pathNot: '^src/(?:catalog/page-colors|platform/drawing-rejections)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workers-are-types-to-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^workers/', dependencyTypesNot: ['type-only'] },
    },
    {
      // An embedded service must not load drivers of the cluster, and a service of the cluster must not load SQLite.
      name: 'families-are-imported-when-used',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [FAMILY, '^src/operations/(transfer|inspect)-\\w+\\.ts$'],
      },
      to: {
        path: FAMILY,
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    driver('mongodb', 'node_modules/mongodb/', '\\.mongodb\\.ts$|^src/platform/stores/mongodb/'),
    driver('ioredis', 'node_modules/ioredis/', '\\.redis\\.ts$|^src/platform/stores/redis/'),
    driver(
      'sqlite',
      '@photostructure/sqlite',
      '^src/platform/stores/sqlite/(guarded-database|database|file-lock)\\.ts$',
    ),
    driver('undici', 'node_modules/undici/', '^src/platform/outgoing/'),
    driver('stripe', 'node_modules/stripe/', '^src/billing/stripe/'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};

/**
 * Returns a pattern of the paths that files of this layer may import. It matches src/ without the command line, the
 * dashboard, HTTP, and the files of other layers.
 */
function notLayers(layer) {
  const others = [
    'routes',
    'sqlite',
    'mongodb',
    'redis',
    'records',
    'files',
    'worker',
    'command',
    'job',
    'mail',
    'embedded',
    'cluster',
  ];
  const denied = others.filter((other) => other !== layer).join('|');
  return `^src/(?!cli/|dashboard/|platform/(http|command-line)/)(?!.*\\.(${denied})\\.ts$)`;
}
