// Runs operator commands, in this process or in a separate one.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runCommand } from '../../src/cli/commands.js';
import { expectNoSecrets } from './secrets.js';

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Returns the error output of a command. Fails unless the command ended with this exit code and printed nothing to
 * stdout.
 */
export function rejected({ status, stdout, stderr }: CommandResult, code = 1): string {
  expect([status, stdout], stderr).to.deep.equal([code, '']);
  return stderr;
}

type Variables = Readonly<Record<string, string>>;

/** Runs `npm run NAME` in this process. This is faster, because starting a process takes longer than most commands. */
export async function runCli(name: string, words: readonly string[], variables: Variables): Promise<CommandResult> {
  let [stdout, stderr] = ['', ''];
  const status = await runCommand(name, words, {
    variables,
    print: (line) => void (stdout += `${line}\n`),
    printError: (line) => void (stderr += `${line}\n`),
  });
  return inspected(name, { status, stdout, stderr });
}

/** Runs the command in a separate process, like an operator. */
export function runCliProcess(name: string, words: readonly string[], variables: Variables): Promise<CommandResult> {
  const path = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));
  const child = spawn(process.execPath, [path, name, ...words], { env: { PATH: process.env.PATH, ...variables } });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(inspected(name, { status, stdout, stderr })));
  });
}

function inspected(name: string, result: CommandResult): CommandResult {
  expectNoSecrets(`stderr of ${name}`, result.stderr);
  return result;
}
