// npm test: the tests of both families at the same time, each in a mocha of its own; the last line has the sums.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
/** Tests of what only the cluster has. */
const OF_CLUSTER = /\/(?:cluster|mongodb|redis)[\w-]*\.test\.js$/;
/** Tests of what both families promise: run on each. */
const OF_BOTH =
  /^(?:http\/.+|fault\/(?:account-crash|account-secrets|crowd|mail|password-flood|right-passwords|secret-guard|sign-in-timing))\.test\.js$/;

interface Sums {
  readonly passing: number;
  readonly failing: number;
  readonly pending: number;
}

interface Run extends Sums {
  readonly succeeded: boolean;
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
  const sum = (what: string) => Number(new RegExp(`^ +(\\d+) ${what}`, 'm').exec(summaryOf(output))?.[1] ?? 0);
  return { passing: sum('passing'), failing: sum('failing'), pending: sum('pending'), succeeded: code === 0 };
}

/** From the last line that says how many have passed. */
function summaryOf(output: string): string {
  const at = output.search(/^ +\d+ passing(?![\s\S]*^ +\d+ passing)/m);
  return at === -1 ? '' : output.slice(at);
}

const all = readdirSync(join(ROOT, 'dist/test'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.js'))
  .sort();
const paths = (files: readonly string[]) => files.map((file) => join('dist/test', file));

let held = '';
const [embedded, cluster] = await Promise.all([
  run('embedded', paths(all.filter((file) => !OF_CLUSTER.test(`/${file}`))), (text) => process.stdout.write(text)),
  run('cluster', paths(all.filter((file) => OF_CLUSTER.test(`/${file}`) || OF_BOTH.test(file))), (text) => {
    held += text;
  }),
]);
console.log(`\n\nThe cluster family:\n${held}`);
const total = (what: keyof Sums) => embedded[what] + cluster[what];
const broken = [embedded, cluster].filter(({ succeeded, failing }) => !succeeded && failing === 0).length;
console.log(`${total('passing')} passed, ${total('failing') + broken} failed, ${total('pending')} skipped`);
process.exit(embedded.succeeded && cluster.succeeded ? 0 : 1);
