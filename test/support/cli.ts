// The operator's commands, each in a process of its own.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { secretWatch } from './secret-guard.js';
import { rememberVariables } from './secret-taps.js';

export interface CommandResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `name` as in `npm run name --`. Does not block, so that a service in this process goes on. */
export function runCli(
  name: 'account' | 'catalog' | 'counters' | 'jobs' | 'doctor',
  words: readonly string[],
  variables: Record<string, string>,
): Promise<CommandResult> {
  rememberVariables(variables);
  const path = fileURLToPath(new URL(`../../src/cli/${name}.js`, import.meta.url));
  const child = spawn(process.execPath, [path, ...words], { env: { PATH: process.env.PATH, ...variables } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      secretWatch.inspectShown(`the output of ${name}`, stdout);
      secretWatch.inspectText(`the errors of ${name}`, stderr);
      resolve({ status, stdout, stderr });
    });
  });
}
