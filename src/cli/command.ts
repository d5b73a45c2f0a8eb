// What all commands share: how they read words, what they say, and with which code they end.
import { InvalidArgumentError, Option } from 'commander';
import { processEnv, type Env } from '../../config/env.js';
import { ConfigError } from '../../config/config-error.js';
import { AppError } from '../errors.js';
import { packageVersion } from '../package-version.js';
import { terminalText } from './terminal-text.js';

/** sysexits.h: EX_CONFIG */
const EXIT_CONFIG = 78;

export interface JsonFlag {
  readonly json?: true;
}

/** What the one at the keyboard got wrong. */
class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** What goes wrong in a known way is said in one line. */
export async function runCommand(run: (env: Env) => Promise<void>): Promise<void> {
  try {
    await run(processEnv(packageVersion()));
  } catch (error) {
    process.exitCode = error instanceof ConfigError ? EXIT_CONFIG : 1;
    if (error instanceof ConfigError || error instanceof AppError || error instanceof CommandFailed)
      explain(error.message);
    else
      for (const line of (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n'))
        explain(line);
  }
}

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

/** One line: every output of a command goes through here, through `explain` or the import's bar. */
export function print(line: string): void {
  console.log(terminalText(line));
}

export function printJson(value: unknown): void {
  for (const line of JSON.stringify(value, null, 2).split('\n')) print(line);
}

/** For people: stdout is a program's. */
export function explain(line: string): void {
  console.error(terminalText(line));
}

/** Columns as wide as they need to be, under a heading. */
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
