// Who may import whom (type imports included). The picture is in ARCHITECTURE.md.
const only = (name, from, allowed) => ({
  name,
  severity: 'error',
  from: { path: from },
  to: { path: '^(src|workers|config|test|scripts)/', pathNot: allowed },
});
const SELF = '$1';

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, path: '^(src|workers|config)/', pathNot: '\\.d\\.ts$|^src/(dashboard|http/pages/assets)/' },
      to: {},
    },
    { name: 'nothing-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    only('errors-import-nothing', '^src/errors\\.ts$', '^$'),
    only('domain-is-pure', '^src/domain/', '^src/(domain/|errors\\.ts)'),
    {
      name: 'domain-has-no-io',
      severity: 'error',
      from: { path: '^src/domain/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|zlib)$' },
    },
    only('ports-are-types-of-domain', '^src/ports/', '^src/(domain|ports)/'),
    only('stores-know-no-family', '^src/stores/', '^src/(stores/|domain/|ports/|errors\\.ts)'),
    only('actors', '^src/actors/', '^src/(actors/|domain/|ports/|errors\\.ts)'),
    only('services', '^src/services/', '^src/(domain/|ports/|actors/|services/|errors\\.ts)'),
    only('jobs', '^src/jobs/', '^src/(jobs/|actors/|services/|domain/|ports/|errors\\.ts)'),
    only('client', '^src/client/', '^src/client/'),
    only('dashboard', '^src/dashboard/', '^src/(dashboard/|http/pages/dashboard-settings\\.ts)'),
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
      to: { path: '^src/http/', dependencyTypesNot: ['type-only'] },
    },
    only('http', '^src/http/', '^src/(http/|services/|domain/|errors\\.ts)'),
    only(
      'cli',
      '^src/cli/',
      '^(src/(cli/|services/|actors/|jobs/|domain/|errors\\.ts|log\\.ts|installation\\.ts|package-version\\.ts|compose/)|config/)',
    ),
    only(
      'adapters-know-no-core',
      '^src/adapters/([^/]+)/',
      `^src/(adapters/${SELF}/|ports/|domain/|errors\\.ts)|^workers/`,
    ),
    only('workers-know-the-core-alone', '^workers/', '^(workers|src/(domain|ports))/'),
    {
      name: 'the-core-is-types-to-workers',
      severity: 'error',
      from: { path: '^workers/' },
      to: {
        path: '^src/',
        pathNot: '^src/domain/catalog/(?:page-colors|drawing-rejections)\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    only('single-adapters-know-no-core', '^src/adapters/[^/]+\\.ts$', '^src/(ports/|domain/|errors\\.ts)'),
    {
      name: 'workers-are-types-to-src',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^workers/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-compose-imports-adapters',
      severity: 'error',
      from: { path: '^(src|config|workers|scripts)/', pathNot: '^src/(adapters|compose)/' },
      to: { path: '^src/adapters/' },
    },
    {
      name: 'three-files-know-the-embedded-family',
      severity: 'error',
      from: {
        path: '^(src|config|workers|scripts)/',
        pathNot: '^src/(adapters/embedded/|compose/(embedded-stores|inspect-embedded|transfer-embedded)\\.ts$)',
      },
      to: { path: '^src/adapters/embedded/' },
    },
    {
      name: 'three-files-know-the-cluster-family',
      severity: 'error',
      from: {
        path: '^(src|config|workers|scripts)/',
        pathNot: '^src/(adapters/(mongodb|redis)/|compose/(cluster-stores|inspect-cluster|transfer-cluster)\\.ts$)',
      },
      to: { path: '^src/adapters/(mongodb|redis)/' },
    },
    {
      // So that an embedded start loads no driver of the cluster, and a cluster start no SQLite.
      name: 'families-are-imported-when-used',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/compose/transfer-\\w+\\.ts$' },
      to: {
        path: '^src/compose/(embedded-stores|cluster-stores|inspect-cluster)\\.ts$',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'drivers-stay-in-their-adapter',
      severity: 'error',
      from: { path: '^(src|config|workers)/', pathNot: '^src/adapters/(mongodb|redis)/' },
      to: { path: 'node_modules/(mongodb|ioredis)/' },
    },
    {
      name: 'stores-use-the-guarded-database',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/adapters/embedded/sqlite/(guarded-database|database|file-lock)\\.ts$' },
      to: { path: '@photostructure/sqlite' },
    },
    {
      name: 'compose-is-the-top',
      severity: 'error',
      from: { path: '^src/compose/' },
      to: { path: '^src/(main\\.ts|cli/)' },
    },
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
