// Shared parts of all commands: environment, database, output and exit codes.
import { parseUrl } from '../web/parse-url.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { resolve } from 'node:path';
import { CommanderError, InvalidArgumentError, Option } from 'commander';
import { environmentWarnings, processVariables, readEnv, type Env } from '../../../config/env.js';
import { ConfigError, EXIT_CONFIG } from '../../../config/config-error.js';
import { hasDatabase } from '../stores/open-stores.js';
import { isPrintable } from '../text/printable.js';
import { AppError, isCode, messageOf } from '../errors.js';
import { packageVersion } from '../package-version.js';
import type { ReportError } from '../report-error.js';
import type { Feature } from '../feature.js';
import { terminalText } from './terminal-text.js';

export type { Command, Subcommand } from './subcommand.js';

/** Exit code for an unknown command, argument or option, and for an invalid value of an option. */
export const EXIT_USAGE = 2;
/** Exit code EX_TEMPFAIL of sysexits.h: a retry may succeed. */
const EXIT_TEMPORARY = 75;

type Variables = Readonly<Record<string, string | undefined>>;

/** Environment and output of a command. Tests replace them, to run several commands at once in one process. */
export interface Terminal {
  readonly variables: Variables;
  readonly print: (line: string) => void;
  readonly printError: (line: string) => void;
}

interface RunningCommand extends Terminal {
  readonly features: readonly Feature[];
  isJson: boolean;
  exitCode: number;
}

export function processTerminal(): Terminal {
  return {
    variables: processVariables(),
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
  };
}

const running = new AsyncLocalStorage<RunningCommand>();

function current(): RunningCommand {
  const command = running.getStore();
  if (!command) throw new Error('commands can run only inside runIn()');
  return command;
}

/**
 * Runs a command and returns its exit code. 2: wrong use. 75: a store cannot be reached, or another import runs. 78:
 * wrong configuration. 1: every other error. Errors that the code throws on purpose are printed to stderr as one line.
 */
export function runIn(
  terminal: Terminal,
  work: () => Promise<unknown>,
  features: readonly Feature[] = [],
): Promise<number> {
  const command = { ...terminal, features, isJson: false, exitCode: 0 };
  return running.run(command, async () => {
    try {
      await work();
      return command.exitCode;
    } catch (error) {
      // Commander has already printed the error. The exit code of `CommanderError` is 0 after --help and --version.
      if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
      const isExpected = error instanceof ConfigError || error instanceof AppError || error instanceof CommandFailed;
      const text =
        error instanceof Error ? (isExpected ? error.message : (error.stack ?? error.message)) : String(error);
      for (const line of isExpected ? [text] : text.split('\n')) printError(line);
      if (error instanceof ConfigError) return EXIT_CONFIG;
      if (error instanceof CommandFailed) return error.exitCode;
      return isCode(error, 'unavailable') ? EXIT_TEMPORARY : 1;
    }
  });
}

/** Makes all further calls of `show` print JSON. */
export function switchToJson(): void {
  current().isJson = true;
}

export function setExitCode(code: number): void {
  current().exitCode = code;
}

/** Expected failure of a command, printed as one line without a stack. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

export function fail(message: string, exitCode = 1): never {
  throw new CommandFailed(message, exitCode);
}

export function commandFeatures(): readonly Feature[] {
  return current().features;
}

export function commandVariables(): Variables {
  return current().variables;
}

/** Reads the environment. Throws ConfigError if it is invalid. */
export function readCommandEnv(variables = commandVariables()): Env {
  return readEnv(variables, packageVersion());
}

function failureText(...[error, what, fields = {}]: Parameters<ReportError>): string {
  const about = Object.entries(fields).map(([name, value]) => `${name} ${value}`);
  const reason = error === undefined ? [] : [messageOf(error)];
  return [what, ...about, ...reason].join(': ');
}

/**
 * Returns a function that turns `run` into the handler of a command. The handler opens the tools of the command (such
 * as services or a store) with `open`, and closes them after `run`. If there is no database, the command fails
 * (`existing`), or creates a database and prints a note (`create`).
 */
export function withTools<Tools extends { close(): void | Promise<void> }>(
  open: (env: Env, onError: ReportError) => Promise<Tools>,
  database: 'existing' | 'create' = 'existing',
) {
  return <Given extends readonly unknown[]>(run: (tools: Tools, ...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      const env = readCommandEnv();
      const isNew = !(await hasDatabase(env));
      if (isNew) {
        // The warnings are printed first, because a misspelled variable, such as DATADIR, is often the reason why no
        // database is found.
        for (const warning of environmentWarnings(env, Object.keys(commandVariables()))) printError(warning);
        if (database === 'existing') failWithoutDatabase(env.DATA_DIR);
      }
      const tools = await open(env, (...failure) => printError(failureText(...failure)));
      try {
        if (isNew) printError(`Created a new database in ${resolve(env.DATA_DIR)}, because there was none.`);
        await run(tools, ...given);
      } finally {
        await tools.close();
      }
    };
}

function failWithoutDatabase(dataDir: string): never {
  fail(
    `There is no database in ${resolve(dataDir)}. Check DATA_DIR, or start the service once to create the database.`,
  );
}

export function limitOption(fallback?: number): Option {
  return new Option('--limit <n>', 'maximum number of results').argParser(parseCount).default(fallback);
}

export function urlOption(help: string): Option {
  return new Option('--url <address>', help).env('BLAZON_URL');
}

export function addressIn(url: string): URL {
  const address = parseUrl(url);
  return address !== undefined && /^https?:$/.test(address.protocol)
    ? address
    : fail(`--url: "${url}" is not a URL. Use one such as https://icons.example.`, EXIT_USAGE);
}

/**
 * Returns the option for an API key. Users can set BLAZON_API_KEY instead of the option, because environment variables
 * appear neither in the shell history nor in the process list.
 */
export function keyOption(help: string): Option {
  return new Option('--key <key>', help).env('BLAZON_API_KEY');
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('The value must be a whole number of at least 1.');
  return Number(text);
}

export function parseName(text: string): string {
  if (!isPrintable(text)) throw new InvalidArgumentError('The value must not contain control characters.');
  return text;
}

/**
 * Prints one line to stdout. Commands must print only with this function, `printError`, or the progress bar of an
 * import.
 */
export function print(line: string): void {
  current().print(terminalText(line));
}

/** Prints one line to stderr: an error, warning or note. Stdout is only for results. */
export function printError(line: string): void {
  current().printError(terminalText(line));
}

/** Prints a result: `value` as JSON if the command has the option `--json`, else `lines`. */
export function show(value: unknown, lines: string | readonly string[]): void {
  const text = current().isJson ? JSON.stringify(value, null, 2).split('\n') : [lines].flat();
  for (const line of text) print(line);
}

/** Returns the lines of a table with aligned columns and a heading. */
export function tableOf(heading: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [heading, ...rows].map((row) => row.map(terminalText));
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
