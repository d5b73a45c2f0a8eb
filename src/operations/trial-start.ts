// Trial start: the service of this build on a free port beside the one that serves, ended again when it has answered.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

interface Options {
  /** Its working folder. */
  readonly folder: string;
  /** dist/src/main.js */
  readonly script: string;
  readonly variables: Readonly<Record<string, string>>;
  /** It is ready when this path is answered with 200. */
  readonly path: '/readyz' | '/healthz';
  readonly limitMs: number;
}

/** Undefined: it was ready. */
export interface FailedStart {
  /** As the end of "It …". */
  readonly reason: string;
  /** The end of its output. */
  readonly output: string;
}

const POLL_MS = 100;
const ANSWER_LIMIT_MS = 5000;
/** Longer than the service takes for what is in flight. */
const END_LIMIT_MS = 11_000;
const MAX_OUTPUT_CHARS = 16 * 1024;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Ends the service also when this process is told to end meanwhile: that is a failed start. */
export async function tryStart({
  folder,
  script,
  variables,
  path,
  limitMs,
}: Options): Promise<FailedStart | undefined> {
  const port = await freePort();
  // Its own number of METRICS_PORT is that of a process that serves.
  const own = { ...variables, HOST: '127.0.0.1', PORT: String(port), METRICS_PORT: '0' };
  const child = spawn(process.execPath, [script, '--trial'], {
    cwd: folder,
    env: own,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  for (const signal of SIGNALS) process.on(signal, interrupt);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARS)));
  const closed = once(child, 'close');
  try {
    const reason = await failureOf(child, {
      address: `http://127.0.0.1:${port}${path}`,
      limitMs,
      signal: interruption.signal,
    });
    await end(child, closed);
    return reason === undefined ? undefined : { reason, output };
  } finally {
    process.removeListener('exit', kill);
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
  }
}

interface Awaited {
  readonly address: string;
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

async function failureOf(child: ChildProcess, { address, limitMs, signal }: Awaited): Promise<string | undefined> {
  const deadlineMs = performance.now() + limitMs;
  let last = 'it did not answer';
  while (performance.now() < deadlineMs) {
    if (signal.aborted) return 'was interrupted';
    if (child.exitCode !== null) return `ended with exit code ${child.exitCode}`;
    if (child.signalCode !== null) return `was ended by ${child.signalCode}`;
    const answer = await answerOf(address);
    if (answer === true) return undefined;
    last = answer ?? last;
    await sleep(POLL_MS);
  }
  return `was not ready within ${limitMs / 1000} s: ${last}`;
}

/** True: ready. Undefined: none. */
export async function answerOf(address: string): Promise<true | string | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) });
    const body = await response.text();
    return response.ok || `${response.status} ${body}`;
  } catch {
    return undefined;
  }
}

async function end(child: ChildProcess, closed: Promise<unknown>): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), END_LIMIT_MS);
  await closed;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
