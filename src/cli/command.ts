// Shared parts of all commands: arguments, output and exit codes.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { environmentWarnings, processVariables, readEnv, type Env } from '../../config/env.js';
import { ConfigError } from '../../config/config-error.js';
import { AppError } from '../errors.js';
import { packageVersion } from '../package-version.js';
import { terminalText } from './terminal-text.js';

/** sysexits.h: EX_CONFIG */
const EXIT_CONFIG = 78;
/** sysexits.h: EX_TEMPFAIL; trying again later may succeed. */
const EXIT_TEMPORARY = 75;

export interface JsonFlag {
  readonly json?: true;
}

/** Where a command reads its environment and prints: the process, or a test with several at once. */
export interface Terminal {
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** One line. */
  print(line: string): void;
  printError(line: string): void;
  exitCode: number;
}

const terminals = new AsyncLocalStorage<Terminal>();

function processTerminal(): Terminal {
  return {
    variables: processVariables(),
    print: (line) => console.log(line),
    printError: (line) => console.error(line),
    exitCode: 0,
  };
}

function terminal(): Terminal {
  const current = terminals.getStore();
  if (!current) throw new Error('a command runs in runProgram only');
  return current;
}

/** An expected failure of a command: printed as one line, without a stack. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** `name` as in `npm run name --`. An unknown command or option ends it with 1 and the nearest known one. */
export function createProgram(name: string, description: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .version(packageVersion(), '--version', 'print the version')
    .helpOption('-h, --help', 'print the help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal().print(text.trimEnd()),
      writeErr: (text) => terminal().printError(text.trimEnd()),
    });
}

/** The exit code. `words`: the arguments behind the name of the command. */
export function runProgram(program: Command, words: readonly string[], at = processTerminal()): Promise<number> {
  return terminals.run(at, async () => {
    try {
      await program.parseAsync(words, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      return error.exitCode;
    }
    return at.exitCode;
  });
}

/** Names of variables that are no settings, most likely misspelled. */
export function warnOfVariables(env: Env): void {
  for (const warning of environmentWarnings(env, Object.keys(terminal().variables))) printError(warning);
}

/**
 * Sets the exit code: 78 for a wrong configuration, 75 when a store cannot be reached or another import is under way, 1 for
 * any other error. Expected errors are one line on stderr.
 */
export async function runCommand(run: (env: Env) => Promise<void>): Promise<void> {
  await runAction(() => run(environmentOf(terminal().variables)));
}

/** As `runCommand`, for a command that needs other variables than its own. */
export async function runAction(run: (own: Terminal['variables']) => Promise<void>): Promise<void> {
  try {
    await run(terminal().variables);
  } catch (error) {
    setExitCode(exitCodeOf(error));
    if (error instanceof ConfigError || error instanceof AppError || error instanceof CommandFailed)
      printError(error.message);
    else
      for (const line of (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n'))
        printError(line);
  }
}

/** Throws ConfigError. */
export function environmentOf(variables: Terminal['variables']): Env {
  return readEnv(variables, packageVersion());
}

export function setExitCode(code: number): void {
  terminal().exitCode = code;
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT_CONFIG;
  return error instanceof AppError && error.code === 'unavailable' ? EXIT_TEMPORARY : 1;
}

/** Ends the command with 1 and this line on stderr. */
export function fail(message: string): never {
  throw new CommandFailed(message);
}

export function json(): Option {
  return new Option('--json', 'print JSON');
}

export function parseCount(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('A whole number from 1.');
  return Number(text);
}

/** One line on stdout. All output of a command goes through this, `printError` or the import's progress bar. */
export function print(line: string): void {
  terminal().print(terminalText(line));
}

export function printJson(value: unknown): void {
  for (const line of JSON.stringify(value, null, 2).split('\n')) print(line);
}

/** One line on stderr: errors, warnings and notes, so that stdout holds results only. */
export function printError(line: string): void {
  terminal().printError(terminalText(line));
}

/** Aligned columns under a heading. */
export function printTable(heading: readonly string[], rows: readonly (readonly string[])[]): void {
  const all = [heading, ...rows].map((row) => row.map(terminalText));
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  for (const row of all)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
