// Runs `npm test` and `npm run test:all`: mocha in parallel for each list of scripts/test-lists.ts. The last line has
// the totals.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromiumOptions, NO_CHROMIUM } from './chromium.js';
import { findBinary } from './server-binaries.js';
import { listsOf, type TestList } from './test-lists.js';
import type { Sums } from './test-reporter.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const REPORTER = fileURLToPath(new URL('./test-reporter.js', import.meta.url));
const SETUP = join(ROOT, 'dist/test/support/import-catalog.js');
/** Number of parallel test files. It exceeds the number of cores because many tests wait for other processes. */
const JOBS = availableParallelism() + 1;

const isWhole = process.env.BLAZON_TESTS === 'all';
const secondNode = process.env.BLAZON_SECOND_NODE;
const missing = (['redis-server', 'mongod'] as const).filter((name) => findBinary(name) === undefined);
const folder = mkdtempSync(join(tmpdir(), 'blazon-results-'));
const startedMs = performance.now();

/** Runs a list of tests and returns the totals. An aborted run counts as one more failure. */
async function run({ name, family, files, node = process.execPath }: TestList): Promise<Sums> {
  console.log(`\n${name}: ${files.length} files`);
  const output = join(folder, `${name.replaceAll(/\W/g, '-')}.json`);
  const words = ['--parallel', '--jobs', String(JOBS), '--exit', '--require', SETUP];
  const reporter = ['--reporter', REPORTER, '--reporter-option', `output=${output}`];
  const paths = files.map((file) => join('dist/test', file));
  const child = spawn(node, [MOCHA, ...words, ...reporter, ...paths], {
    cwd: ROOT,
    env: { ...process.env, BLAZON_TEST_FAMILY: family },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const sums = readSums(output);
  const isBroken = (code !== 0 && sums.failed === 0) || sums.passed + sums.failed === 0;
  if (!isBroken) return sums;
  console.log(`${name} ended with ${code ?? 'a signal'}`);
  return { ...sums, failed: sums.failed + 1 };
}

function readSums(path: string): Sums {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Sums;
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}

/** `npm test -- http/s` selects the files with `http/s` in their path. */
const [part = ''] = process.argv.slice(2);
const files = readdirSync(join(ROOT, 'dist/test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js') && file.includes(part))
  .sort();
const total = { passed: 0, failed: 0, skipped: 0 };
for (const list of listsOf({
  files,
  isWhole,
  secondNode,
  hasServers: missing.length === 0 || process.env.CI === 'true',
})) {
  const { passed, failed, skipped } = await run(list);
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
}
rmSync(folder, { recursive: true, force: true });
console.log(`\n${((performance.now() - startedMs) / 60_000).toFixed(1)} minutes`);
if (missing.length > 0)
  console.log(`Skipped: tests that need ${missing.join(' and ')}. "npm run test-servers" installs missing servers.`);
if (isWhole && !chromiumOptions()) console.log(`Skipped: tests of the pages. ${NO_CHROMIUM}`);
if (isWhole && secondNode === undefined)
  console.log('Skipped: a second version of Node. Set BLAZON_SECOND_NODE=/path/to/node.');
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);
