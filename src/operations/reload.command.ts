// Reload command (`npm run reload`): replaces PM2's processes one after the other with a new build. Before the reload,
// checks the settings and starts the new build once as a test.
import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Option } from 'commander';
import { isCluster, VARIABLES, type Env } from '../../config/env.js';
import { ConfigError } from '../../config/config-error.js';
import { examine } from './doctor-tools.js';
import { redacted } from '../platform/log.js';
import {
  commandVariables,
  fail,
  parseCount,
  print,
  printError,
  readCommandEnv,
  type Command,
} from '../platform/command-line/command.js';
import { findingLines } from './doctor.command.js';
import { createPm2, APP_NAME, type Pm2, type Pm2Process } from './pm2.js';
import { reloadProcesses } from './reload-processes.js';
import { tryStart } from './trial-start.js';

type Variables = Readonly<Record<string, string>>;

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const MAIN = join(ROOT, 'dist', 'src', 'main.js');
const DEFAULT_LIMIT_SECONDS = 120;
const SHOWN_LINES = 12;
/** Minimum length of a secret that is hidden in output. Shorter values would also match ordinary text. */
const LEAST_SECRET_CHARS = 8;
const NOTHING_RELOADED = 'Nothing was reloaded: the old processes keep running.';

interface Flags {
  readonly force?: true;
  readonly wait: number;
}

export default {
  options: [
    new Option('--force', 'continue even if the checks find errors; the trial start must still succeed'),
    new Option('--wait <seconds>', 'maximum time until a process is ready')
      .argParser(parseCount)
      .default(DEFAULT_LIMIT_SECONDS),
  ],
  json: false,
  run: reload,
} satisfies Command;

async function reload({ force, wait }: Flags): Promise<void> {
  const own = given(commandVariables());
  const limitMs = wait * 1000;
  const running = await runningProcesses(createPm2(ROOT, own));
  const variables = { ...keptVariables(running), ...own };
  const env = readVariables(variables);
  if (running[0].isCluster !== isCluster(env))
    fail(
      `The kind of database has changed (embedded or cluster), so PM2 must start from scratch: pm2 delete ${APP_NAME}, then pm2 start ecosystem.config.js`,
    );
  await check(env, force === true);
  await expectStart(env, variables, limitMs);
  print('The trial start succeeded. Reloading one process after the other.');
  const failed = await reloadProcesses({ pm2: createPm2(ROOT, variables), isCluster: isCluster(env), limitMs });
  if (!failed) {
    print(`Reloaded: all processes run this build (${env.VERSION}).`);
    return;
  }
  printLines(failed.output, variables);
  fail(failed.reason);
}

/** Returns the environment variables except the variables that npm adds. */
function given(own: Readonly<Record<string, string | undefined>>): Variables {
  const entries = Object.entries(own).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && !entry[0].startsWith('npm_') && entry[0] !== 'INIT_CWD',
  );
  return Object.fromEntries(entries);
}

async function runningProcesses(pm2: Pm2): Promise<readonly [Pm2Process, ...Pm2Process[]]> {
  const [first, ...others] = await pm2.processes().catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) throw error;
    return fail('PM2 was not found. Install it with npm install --global pm2, or add its folder to PATH.');
  });
  if (!first) fail(`PM2 has no process named ${APP_NAME}. Start it with pm2 start ecosystem.config.js`);
  const elsewhere = [first, ...others].find(({ script }) => realPath(script) !== MAIN);
  if (elsewhere)
    fail(
      `PM2 runs ${elsewhere.script}, which is in another folder. Run this command there, or run pm2 delete ${APP_NAME}`,
    );
  return [first, ...others];
}

/** Returns the path without symbolic links, because the folder of a release may be a link. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/**
 * Returns the settings of the running processes. The new processes keep each of these settings, unless this command's
 * environment sets it.
 */
function keptVariables([{ variables }]: readonly [Pm2Process, ...Pm2Process[]]): Variables {
  const names = new Set([...Object.keys(VARIABLES), 'BLAZON_INSTANCES']);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.has(name)));
}

function readVariables(variables: Variables): Env {
  try {
    return readCommandEnv(variables);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printError(error.message);
    return fail(`Correct this variable and run the command again. ${NOTHING_RELOADED}`);
  }
}

async function check(env: Env, isForced: boolean): Promise<void> {
  if (!existsSync(MAIN)) fail(`There is no build. Run npm run build first. ${NOTHING_RELOADED}`);
  const findings = await examine(env);
  for (const line of findingLines(findings.filter(({ status }) => status !== 'ok'))) print(line);
  if (isForced || findings.every(({ status }) => status !== 'error')) return;
  fail(`Fix the problems marked ERROR and run the command again, or use --force to ignore them. ${NOTHING_RELOADED}`);
}

/**
 * Starts the new build as a test, and fails if the build does not become ready. With the embedded stores, the serving
 * process locks the database. In this case, the test uses an empty folder, and only waits for a response.
 */
async function expectStart(env: Env, variables: Variables, limitMs: number): Promise<void> {
  const folder = isCluster(env) ? undefined : mkdtempSync(join(tmpdir(), 'blazon-trial-'));
  const own = folder === undefined ? variables : { ...variables, DATA_DIR: folder };
  try {
    const path = folder === undefined ? '/readyz' : '/healthz';
    const failed = await tryStart({ folder: ROOT, script: MAIN, variables: own, path, limitMs });
    if (!failed) return;
    printLines(failed.output, variables);
    fail(
      `The trial start of this build failed: the test process ${failed.reason}. Fix the problem, or go back to the previous ` +
        `build, and run the command again. ${NOTHING_RELOADED}`,
    );
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints the last lines of the output without secrets. */
function printLines(output: string, variables: Variables): void {
  const secrets = Object.entries(VARIABLES)
    .filter(([, variable]) => 'secret' in variable)
    .flatMap(([name]) => (variables[name] ?? '').split(','))
    .filter((secret) => secret.length >= LEAST_SECRET_CHARS);
  const shown = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), output);
  const lines = shown.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines.slice(-SHOWN_LINES)) printError(`  ${redacted(line)}`);
}
