// Test start: starts this build's service on a free port beside the serving process, and ends the started process when
// it has responded.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Options {
  readonly folder: string;
  readonly script: string;
  readonly variables: Readonly<Record<string, string>>;
  /** Path to request. The process is ready when it responds with 200. */
  readonly path: '/readyz' | '/healthz';
  readonly limitMs: number;
}

export interface FailedStart {
  /** Reason for the failure, as the end of a sentence that starts with "It". */
  readonly reason: string;
  /** Last part of the process's output. */
  readonly output: string;
}

const POLL_MS = 100;
const ANSWER_LIMIT_MS = 5000;
/** Time in ms between SIGTERM and SIGKILL for the started process. A regular shutdown takes less time. */
const END_LIMIT_MS = 11_000;
const MAX_OUTPUT_CHARS = 16 * 1024;
/** Events of this process that must also end the started process. */
const ENDS = ['exit', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Starts the service, waits until it is ready, and ends it. Returns undefined if the service became ready, else the
 * failure. A signal to this process ends the started service and counts as a failure.
 */
export async function tryStart({
  folder,
  script,
  variables,
  path,
  limitMs,
}: Options): Promise<FailedStart | undefined> {
  const port = await freePort();
  // The serving process uses METRICS_PORT, so the started process must not use this port.
  const env = { ...variables, HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: '0' };
  const child = spawn(process.execPath, [script, '--trial'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  for (const end of ENDS) process.on(end, kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARS)));
  const closed = once(child, 'close');
  const reason = await failureOf(child, `http://127.0.0.1:${port}${path}`, limitMs);
  child.kill('SIGTERM');
  const timer = setTimeout(kill, END_LIMIT_MS);
  await closed;
  clearTimeout(timer);
  for (const end of ENDS) process.removeListener(end, kill);
  return reason === undefined ? undefined : { reason, output };
}

async function failureOf(child: ChildProcess, address: string, limitMs: number): Promise<string | undefined> {
  const deadlineMs = performance.now() + limitMs;
  let last = 'no response';
  while (performance.now() < deadlineMs) {
    if (child.exitCode !== null) return `ended with exit code ${child.exitCode}`;
    if (child.signalCode !== null) return `was ended by ${child.signalCode}`;
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
      const body = await response.text();
      if (response.ok) return undefined;
      last = `${response.status} ${body}`;
    } catch {
      // The connection was refused because the service does not listen yet.
    }
    await sleep(POLL_MS);
  }
  return `was not ready within ${limitMs / 1000} s: ${last}`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
