// npm test: the tests of both families at the same time, each in mochas of their own; the last line has the sums.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
/** Tests of what only the cluster has. */
const OF_CLUSTER = /\/(?:cluster|mongodb|redis)[\w-]*\.test\.js$/;
/** Tests of what both families promise: run on each. The other pages of the dashboard take long: `.ci/run` and long runs. */
const OF_BOTH =
  /^(?:http\/.+|browser\/dashboard-account|actors\/billing-order|fault\/(?:account-crash|billing-crash|account-secrets|crowd|mail|password-flood|right-passwords|secret-guard|sign-in-timing))\.test\.js$/;

interface Sums {
  readonly passing: number;
  readonly failing: number;
  readonly pending: number;
}

interface Run extends Sums {
  readonly succeeded: boolean;
  /** From mocha's count of what passed on; of a run that broke off, its last lines. */
  readonly summary: string;
}

/** `print`: at once, or when the other run has ended. */
async function run(family: string, files: readonly string[], print: (text: string) => void): Promise<Run> {
  const child = spawn(process.execPath, [MOCHA, '--exit', ...files], {
    cwd: ROOT,
    env: { ...process.env, BLAZON_TEST_FAMILY: family },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    print(chunk);
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  const summary = summaryOf(output);
  const sum = (what: string) => Number(new RegExp(`^ +(\\d+) ${what}`, 'm').exec(summary)?.[1] ?? 0);
  return {
    passing: sum('passing'),
    failing: sum('failing'),
    pending: sum('pending'),
    succeeded: code === 0,
    summary: summary === '' ? output.slice(-2000) : summary,
  };
}

/** From the last line that says how many have passed. */
function summaryOf(output: string): string {
  const at = output.search(/^ +\d+ passing(?![\s\S]*^ +\d+ passing)/m);
  return at === -1 ? '' : output.slice(at);
}

const all = readdirSync(join(ROOT, 'dist/test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .sort();
const pathsOf = (isMeant: (file: string) => boolean) => all.filter(isMeant).map((file) => join('dist/test', file));
/** Most of the time of these they wait for processes; those of the cluster start their own servers. */
const isWaiting = (file: string) => /^(?:fault|cli)\//.test(file);
const isLong = process.env.BLAZON_LONG_TESTS === '1';
const isOfBoth = (file: string) => OF_BOTH.test(file) || (isLong && file.startsWith('browser/dashboard-'));
const isOfCluster = (file: string) => OF_CLUSTER.test(`/${file}`);
/** Printed when all runs have ended, one after the other. */
function later(heading: string, family: string, files: readonly string[]): Promise<Run> {
  const chunks = [`\n\n${heading}:\n`];
  held.push(chunks);
  return run(family, files, (text) => void chunks.push(text));
}

spawnSync(process.execPath, [join(ROOT, 'dist/test/support/import-catalog.js')], { stdio: 'inherit' });
const held: string[][] = [];
const runs = await Promise.all([
  run(
    'embedded',
    pathsOf((file) => !isOfCluster(file) && !isWaiting(file)),
    (text) => process.stdout.write(text),
  ),
  later('Faults and commands', 'embedded', pathsOf(isWaiting)),
  later(
    'The cluster family',
    'cluster',
    pathsOf((file) => (isOfCluster(file) && !isWaiting(file)) || isOfBoth(file)),
  ),
]);
for (const chunks of held) console.log(chunks.join(''));
// Again at the end, where a log that is cut off still has it.
for (const outcome of runs) if (!outcome.succeeded) console.log(`\nFailed:\n${outcome.summary}`);
const total = (what: keyof Sums) => runs.reduce((sum, outcome) => sum + outcome[what], 0);
const broken = runs.filter(({ succeeded, failing }) => !succeeded && failing === 0).length;
console.log(`${total('passing')} passed, ${total('failing') + broken} failed, ${total('pending')} skipped`);
process.exit(runs.every(({ succeeded }) => succeeded) ? 0 : 1);
