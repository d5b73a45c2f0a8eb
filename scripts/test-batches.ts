// Batches of test files: which run on which family and Node, and when.
import { join } from 'node:path';

export interface Batch {
  readonly name: string;
  readonly family: 'embedded' | 'cluster';
  readonly files: readonly string[];
  readonly needsCatalog: boolean;
  /** Another Node than this one. */
  readonly node?: string;
}

interface Options {
  /** Below dist/test/. */
  readonly files: readonly string[];
  readonly extent: 'default' | 'all';
  readonly secondNode: string | undefined;
  /** Redis and MongoDB. */
  readonly hasServers: boolean;
}

interface Rule {
  readonly name: string;
  readonly files: RegExp;
  readonly family?: 'cluster';
  readonly needsCatalog?: false;
  /** Only in `npm run test:all`. */
  readonly onlyIn?: 'all';
}

/** Tests of parts that only the cluster has. */
const OF_CLUSTER = /\/(?:cluster|mongodb|redis)[\w-]*\.test\.js$/;

/** In the order in which they begin, the longest first. A file belongs to the first rule of its family that names it. */
const RULES: readonly Rule[] = [
  // Sweeps over the whole catalog, comparisons of pictures, statistics, and tests of test tools.
  {
    name: 'sweeps',
    files:
      /^(?:unit\/(?:scripts\/|support\/|services\/(?:famous-brands|searched-kinds|expected-drawings|stated-domains|compat-slugs)|adapters\/icon-sources\/catalog)|worker\/(?:default-catalog|greyscale-catalog|paint-blurs)|fault\/(?:damage|sign-in-timing)|http\/iconify-api)/,
    onlyIn: 'all',
  },
  // Floods, and the package as it is installed.
  {
    name: 'floods, package',
    files: /^(?:fault\/(?:crowd|installed-package|password-flood)|http\/(?:costliest-requests|login-rate-limits))\./,
    onlyIn: 'all',
  },
  { name: 'cluster/contract', files: /^contract\/(?:cluster|mongodb|redis)/, family: 'cluster', needsCatalog: false },
  { name: 'http/every', files: /^http\/every-/ },
  { name: 'http a-e', files: /^http\/[a-e]/ },
  { name: 'http', files: /^http\// },
  { name: 'cluster/fault', files: /^fault\/(?:cluster|mongodb|redis)/, family: 'cluster', onlyIn: 'all' },
  {
    name: 'unit, actors',
    files: /^(?:unit\/(?!services\/|adapters\/icon)|actors\/|jobs\/|architecture\/)/,
    needsCatalog: false,
  },
  { name: 'browser/dashboard', files: /^browser\/dashboard-(?:account|catalog)/, onlyIn: 'all' },
  { name: 'browser', files: /^browser\//, onlyIn: 'all' },
  { name: 'cli', files: /^cli\// },
  {
    name: 'fault/process',
    files: /^fault\/(?:process|first-import)\./,
  },
  { name: 'worker', files: /^worker\//, needsCatalog: false },
  // Processes that are killed or replaced again and again. Of the faults, `npm test` has those of fault/process.
  {
    name: 'fault/crash',
    files:
      /^fault\/(?:account-crash|analytics-restart|billing-crash|catalog-import|own-brands|reload|visitor-counters)\./,
    onlyIn: 'all',
  },
  { name: 'fault', files: /^fault\//, onlyIn: 'all' },
  { name: 'services', files: /^unit\// },
  { name: 'contract', files: /^contract\//, needsCatalog: false },
  // Where the stores take part.
  {
    name: 'cluster/http',
    files:
      /^http\/(?:account-data|analytics|catalog|credentials|email-links|every-(?:credential|error|metered-route)|login-rate-limits|publishable-keys|register)\./,
    family: 'cluster',
    onlyIn: 'all',
  },
  {
    name: 'cluster/http, actors',
    files: /^(?:http\/(?:billing|metrics|sessions|sign-in|unverified-key|visitor-counter)|actors\/billing-order)\./,
    family: 'cluster',
    onlyIn: 'all',
  },
  {
    name: 'cluster/fault, both',
    files:
      /^fault\/(?:account-crash|billing-crash|account-secrets|crowd|mail|password-flood|right-passwords|sign-in-timing)\./,
    family: 'cluster',
    onlyIn: 'all',
  },
  { name: 'cluster/browser', files: /^browser\/dashboard-(?:account|billing)/, family: 'cluster', onlyIn: 'all' },
];

/** Tests that depend on Node: its parser of HTTP, zlib, threads and processes, and native modules. */
const OF_NODE =
  /^(?:unit\/(?:adapters|http|log)|worker\/(?:fence|rasterizer|sanitizer-processes)|contract\/embedded|http\/(?:compression|connections|rasterizing|request-head|sign-in|stream-body)|fault\/process)/;

export function batchesOf({ files, extent, secondNode, hasServers }: Options): Batch[] {
  const taken = new Set<string>();
  const batches = RULES.flatMap(
    ({ name, files: isOf, family: only, needsCatalog = true, onlyIn = extent }): Batch[] => {
      const family: Batch['family'] = only ?? 'embedded';
      const own = files.filter(
        (file) =>
          isOf.test(file) && !taken.has(`${family} ${file}`) && (family === 'cluster' || !OF_CLUSTER.test(`/${file}`)),
      );
      for (const file of own) taken.add(`${family} ${file}`);
      const isMeant = onlyIn === extent && (family === 'embedded' || hasServers);
      return isMeant ? [{ name, family, files: own.map(pathOf), needsCatalog }] : [];
    },
  );
  if (extent === 'default' || secondNode === undefined) return batches;
  const second: Batch = {
    name: 'second Node',
    family: 'embedded',
    files: files.filter((file) => OF_NODE.test(file) && !OF_CLUSTER.test(`/${file}`)).map(pathOf),
    needsCatalog: true,
    node: secondNode,
  };
  return [...batches, second];
}

function pathOf(file: string): string {
  return join('dist/test', file);
}
