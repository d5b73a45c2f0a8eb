// Decides which test files run on which family of stores, and on a second version of Node.

export interface TestList {
  readonly name: string;
  readonly family: 'embedded' | 'cluster';
  /** Paths of the test files in dist/test/, in the order in which they start. */
  readonly files: readonly string[];
  /** Path of the Node binary that runs these tests. Default: the current one. */
  readonly node?: string;
}

interface Options {
  /** Paths of all test files in dist/test/. */
  readonly files: readonly string[];
  /** True to run all tests. False to run only the tests of `npm test`. */
  readonly isWhole: boolean;
  readonly secondNode: string | undefined;
  /** True if Redis and MongoDB are available. */
  readonly hasServers: boolean;
}

/**
 * Tests that only `npm run test:all` runs: browsers, faults, floods, the installed package, the whole catalog, and tests
 * that start many processes. `npm test` must take at most four minutes on two idle cores.
 */
const ONLY_IN_ALL =
  /\.browser\.test\.js$|\/(?!first-import)[\w-]+\.fault\.test\.js$|^(?:scripts|support)\/|\/(?:famous-brands|searched-kinds|expected-drawings|stated-domains|compat-slugs|catalog-sources|package-files|picture-store\.files)\.test\.js$|\/(?:catalog-import|default-catalog|fence|greyscale-catalog|paint-blurs|password-hasher|sanitizer-processes)\.worker\.|\/(?:costliest-requests|iconify-api|login-rate-limits|metrics|own-brands-isolation|tags)\.http\.|\/(?:account|add|catalog|doctor|doctor-servers)\.command\./;
/** Tests of code that only the cluster uses. */
const OF_CLUSTER = /\/(?:cluster|mongodb|redis)[\w-]*(?:\.fault|\.command)?\.test\.js$/;
/**
 * Tests that run on both families of stores, because they use the stores in ways that the contract tests do not cover.
 */
const ON_BOTH =
  /\/(?:(?:account-data|alerts|analytics|billing|catalog|credentials|every-metered-route|publishable-keys|sessions|unverified-key|visitor-counter|webhooks|webhooks-of-changes)\.http|billing-order|(?:account-crash|account-secrets|billing-crash|crowd|mail)\.fault)\.test\.js$/;
/**
 * Tests that run on a second version of Node because they depend on its HTTP parser, zlib, threads, processes or native
 * modules.
 */
const OF_NODE =
  /^platform\/(?:stores\/sqlite\/|stores\/embedded|processes\/|log\.)|\/(?:password-hasher|rasterizer|sanitizer-processes)\.worker\.|\/(?:compression|connections|request-head|stream-body)\.http\.|\/process\.fault\./;
/** The slowest tests. They start first, because a slow test at the end would run alone. */
const SLOW =
  /\/(?:(?:dashboard-(?:account|catalog|developers|looks)|docs|catalog-drawings)\.browser|(?:login-rate-limits|own-brands-isolation|every-[\w-]+|billing)\.http|catalog-import\.worker|(?:account-crash|billing-crash|process|reload|installed-package|cluster-[\w-]+)\.fault)\./;

export function listsOf({ files, isWhole, secondNode, hasServers }: Options): TestList[] {
  const meant = files.filter((file) => isWhole || !ONLY_IN_ALL.test(file)).sort(bySlowness);
  const embedded = meant.filter((file) => !OF_CLUSTER.test(file));
  const cluster = meant.filter((file) => OF_CLUSTER.test(file) || (isWhole && ON_BOTH.test(file)));
  const lists: TestList[] = [{ name: 'embedded', family: 'embedded', files: embedded }];
  if (hasServers) lists.push({ name: 'cluster', family: 'cluster', files: cluster });
  if (isWhole && secondNode !== undefined) {
    const ofNode = embedded.filter((file) => OF_NODE.test(file));
    lists.push({ name: 'second Node', family: 'embedded', files: ofNode, node: secondNode });
  }
  return lists.filter((list) => list.files.length > 0);
}

function bySlowness(a: string, b: string): number {
  return Number(SLOW.test(b)) - Number(SLOW.test(a));
}
