// `npm test`, and `npm run test:all` (everything): the files in batches, each a mocha of its own, some at the same time.
// The last line has the sums.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumOptions, NO_CHROMIUM } from './chromium.js';
import { findBinary } from './server-binaries.js';
import { batchesOf, type Batch } from './test-batches.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
/** One test in the report of mocha's reporter `json`. */
interface Test {
  readonly fullTitle: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

interface Result {
  readonly passes: readonly Test[];
  readonly failures: readonly Test[];
  readonly pending: readonly Test[];
}

const extent = process.env.BLAZON_TESTS === undefined ? 'default' : 'all';
/** More than there are cores, since many tests wait for other processes; with servers and browsers there are more of them. */
const LANES = availableParallelism() + (extent === 'all' ? 1 : 2);
const missing = (['redis-server', 'mongod'] as const).filter((name) => findBinary(name) === undefined);
const secondNode = process.env.BLAZON_SECOND_NODE;
const files = readdirSync(join(ROOT, 'dist/test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .sort();
const results = mkdtempSync(join(tmpdir(), 'blazon-results-'));
const startedMs = performance.now();

/** A batch that broke off has one failure more than it reported. */
async function run(batch: Batch): Promise<Result> {
  // Mocha splits this option at commas.
  const output = join(results, `${batch.name.replaceAll(/\W/g, '-')}.json`);
  const reporter = ['--reporter', 'json', '--reporter-option', `output=${output}`];
  const from = performance.now();
  const child = spawn(batch.node ?? process.execPath, [MOCHA, '--exit', ...reporter, ...batch.files], {
    cwd: ROOT,
    env: { ...process.env, BLAZON_TEST_FAMILY: batch.family },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-8000)));
  const [code] = (await once(child, 'close')) as [number | null];
  const result = readResult(output);
  const isBroken = (code !== 0 && result.failures.length === 0) || result.passes.length + result.failures.length === 0;
  const broken = { fullTitle: `${batch.name} ended with ${code ?? 'a signal'}`, err: { stack: printed } };
  const failures = isBroken ? [...result.failures, broken] : result.failures;
  const seconds = ((performance.now() - from) / 1000).toFixed(0).padStart(4);
  const sums = `${result.passes.length} passed${failures.length > 0 ? `, ${failures.length} FAILED` : ''}`;
  console.log(`${seconds} s  ${batch.name.padEnd(28)} ${sums}`);
  for (const failure of failures) printFailure(failure);
  return { ...result, failures };
}

function readResult(path: string): Result {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Result;
  } catch {
    return { passes: [], failures: [], pending: [] };
  }
}

function printFailure({ fullTitle, err }: Test): void {
  const text = err?.stack ?? err?.message ?? '';
  console.log(`\n  ${fullTitle}\n${text.replaceAll(/^/gm, '    ')}\n`);
}

/** Batches in their order, as many at once as there are lanes; those that need the catalog wait for its import. */
async function runAll(batches: readonly Batch[]): Promise<Result[]> {
  const waiting = [...batches];
  const done: Result[] = [];
  let isImported = false;
  const imported = importCatalog().then(() => (isImported = true));
  /** While the catalog is imported, those before others that do without. */
  function next(): Batch | undefined {
    const without = isImported ? -1 : waiting.findIndex(({ needsCatalog }) => !needsCatalog);
    return waiting.splice(Math.max(0, without), 1)[0];
  }
  async function lane(): Promise<void> {
    for (let batch = next(); batch; batch = next()) {
      if (batch.needsCatalog) await imported;
      done.push(await run(batch));
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane));
  await imported;
  return done;
}

/** The real catalog, once for all batches; kept until the importer changes. */
async function importCatalog(): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'dist/test/support/import-catalog.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the import of the catalog for the tests ended with ${code ?? 'a signal'}`);
}

const hasServers = findBinary('redis-server') !== undefined && findBinary('mongod') !== undefined;
const batches = batchesOf({ files, extent, secondNode, hasServers: hasServers || process.env.CI === 'true' });
console.log(`${batches.length} batches, ${LANES} at a time:`);
const outcomes = await runAll(batches);
rmSync(results, { recursive: true, force: true });
const all = (what: keyof Result) => outcomes.flatMap((outcome) => outcome[what]);
for (const { fullTitle } of all('pending')) console.log(`skipped: ${fullTitle}`);
if (all('failures').length > 0) console.log(`\nFailed:`);
for (const failure of all('failures')) printFailure(failure);
console.log(`${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`);
if (missing.length > 0)
  console.log(`Not tested here: what needs ${missing.join(' and ')}; npm run test-servers installs what is missing`);
if (extent === 'all' && !chromiumOptions()) console.log(`Not tested here: the pages; ${NO_CHROMIUM}`);
if (extent === 'all' && secondNode === undefined)
  console.log('Not tested here: a second version of Node; BLAZON_SECOND_NODE=/path/to/node');
console.log(`${all('passes').length} passed, ${all('failures').length} failed, ${all('pending').length} skipped`);
process.exit(all('failures').length > 0 || all('passes').length === 0 ? 1 : 0);
