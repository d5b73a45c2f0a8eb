// PM2 for a test. Its daemon and files are in a separate folder and do not affect the machine's PM2.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expectNoSecrets } from './secrets.js';
import { temporaryDir } from './temporary.js';

const PM2 = fileURLToPath(import.meta.resolve('pm2/bin/pm2'));
const COMMAND_LIMIT_MS = 240_000;

export interface Pm2Instance {
  readonly pm_id: number | string;
  readonly pid: number;
  readonly pm2_env: { readonly status: string };
}

export interface CommandEnd {
  readonly code: number | null;
  readonly output: string;
}

export type TestPm2 = ReturnType<typeof createTestPm2>;

/** Creates a PM2 for `folder`. This folder must contain an ecosystem.config.js. */
export function createTestPm2(folder: string, variables: Readonly<Record<string, string>>) {
  const home = temporaryDir();
  const env = {
    PATH: [dirname(PM2), dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: home.path,
    PM2_HOME: join(home.path, 'pm2'),
    PM2_DISABLE_VERSION_CHECK: 'true',
    DATA_DIR: join(home.path, 'data'),
    ...variables,
  };

  /** Runs a Node script that can call the command `pm2`. */
  async function node(
    script: string,
    words: readonly string[],
    own: Readonly<Record<string, string>> = {},
  ): Promise<CommandEnd> {
    const child = spawn(process.execPath, [script, ...words], {
      cwd: folder,
      env: { ...env, ...own },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: COMMAND_LIMIT_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    // Waits for `exit`, because `close` never comes: the daemon keeps the pipes open.
    const [code] = (await once(child, 'exit')) as [number | null];
    if (!words.includes('jlist')) expectNoSecrets(`the output of ${words.join(' ')}`, output);
    return { code, output };
  }
  /** Runs `pm2 WORDS`. Throws if the command fails. */
  async function pm2(...words: readonly string[]): Promise<string> {
    const { code, output } = await node(PM2, words);
    if (code !== 0) throw new Error(`pm2 ${words.join(' ')}: ${code ?? 'killed'}\n${output}`);
    return output;
  }
  return {
    pm2,
    node,
    async instances(): Promise<Pm2Instance[]> {
      const output = await pm2('jlist');
      return JSON.parse(output.slice(output.lastIndexOf('\n[') + 1)) as Pm2Instance[];
    },
    /** Ends the daemon and all its processes. */
    async end(): Promise<void> {
      let daemon: number | undefined;
      try {
        daemon = Number(readFileSync(join(env.PM2_HOME, 'pm2.pid'), 'utf8'));
        await pm2('kill');
      } finally {
        if (daemon !== undefined) kill(daemon);
        home.remove();
      }
    },
  };
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    return;
  }
}
