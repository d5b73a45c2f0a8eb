// argon2id, a few at a time, in a process of its own that gives way to the service.
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import argon2 from 'argon2';
import type { HashHostOptions, HashReply, HashTask } from '../../../workers/password/protocol.js';
import { AppError } from '../../errors.js';
import type { PasswordHasher } from '../../ports/password-hasher.js';
import { createFairQueue } from '../../domain/fair-queue.js';

const ENTRY = fileURLToPath(new URL('../../../workers/password/host.js', import.meta.url));
const MAX_WAITING = 32;
/** A hash takes well under a second, also where the first one waits for the process to start. */
const TIMEOUT_MS = 15_000;

interface Options extends HashHostOptions {
  /** Threads of the libuv pool; as many hashes at once, but two. */
  readonly poolThreads: number;
  /** For one hash, from when the process is told of it. */
  readonly timeoutMs?: number;
  /** Told of every process that ended by itself or was given up. */
  readonly onLoss?: (reason: string) => void;
}

export interface OpenedPasswordHasher extends PasswordHasher {
  close(): void;
}

export function openPasswordHasher({
  memoryKiB,
  passes,
  lanes,
  poolThreads,
  timeoutMs = TIMEOUT_MS,
  onLoss,
}: Options): OpenedPasswordHasher {
  const options: HashHostOptions = { memoryKiB, passes, lanes };
  // One core is left to those who answer: a hash fills it whatever its priority, and its memory too. A permit belongs
  // to the hash: it ends with it, whether or not somebody still waits for the answer.
  const atOnce = Math.max(1, Math.min(poolThreads - 2, availableParallelism() - 1));
  const queue = createFairQueue({ atOnce, maxWaiting: MAX_WAITING });
  const waiting = new Map<number, (answer: HashReply['answer']) => void>();
  let lastId = 0;
  let host: ChildProcess | undefined;
  let closed = false;

  function start(): ChildProcess {
    const child = fork(ENTRY, [JSON.stringify(options)], {
      env: { UV_THREADPOOL_SIZE: String(atOnce) },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    child.on('message', ({ id, answer }: HashReply) => settle(id, answer));
    child.once('error', (error) => ended(child, `failed: ${error.message}`));
    child.once('close', (code, signal) => ended(child, `ended (${signal ?? `exit code ${code}`})`));
    return child;
  }

  /** All that wait, wait for this process: the next one starts when it has ended. */
  function ended(child: ChildProcess, reason: string): void {
    if (host !== child) return;
    host = undefined;
    if (!closed) onLoss?.(`the hashing process ${reason}`);
    for (const id of [...waiting.keys()]) settle(id, undefined);
  }

  /** A process that hangs would keep its permits for ever, and nobody could sign in. Not even its end is waited for. */
  function giveUp(child: ChildProcess): void {
    child.kill('SIGKILL');
    ended(child, `did not answer within ${timeoutMs} ms and was killed`);
  }

  function send(task: Omit<HashTask, 'id'>): Promise<HashReply['answer']> {
    if (closed) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const id = ++lastId;
      const child = (host ??= start());
      const timer = setTimeout(() => giveUp(child), timeoutMs);
      waiting.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      // A process that cannot be told has ended, and that is heard elsewhere.
      child.send({ id, ...task } satisfies HashTask, () => undefined);
    });
  }

  function settle(id: number, answer: HashReply['answer']): void {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  }

  async function ask(asker: string, task: Omit<HashTask, 'id'>): Promise<string | boolean> {
    const answer = await queue.run(asker, () => send(task));
    if (answer === undefined)
      throw new AppError('busy', 'The password could not be checked now. Try again in a moment.');
    return answer;
  }

  return {
    hash: async (password, asker) => String(await ask(asker, { password, work: 'hash' })),
    verify: async (stored, password, asker) =>
      (await ask(asker, { password, work: { stored: stored ?? null } })) === true,
    isFull: (asker) => queue.isFull(asker),
    isOutdated: (stored) => argon2.needsRehash(stored, { memoryCost: memoryKiB, timeCost: passes, parallelism: lanes }),
    close() {
      closed = true;
      host?.kill('SIGKILL');
    },
  };
}
