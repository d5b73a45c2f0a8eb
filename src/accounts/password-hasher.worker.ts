// Argon2id password hasher: computes a few hashes at once, in a child process of lower priority.
import { availableParallelism } from 'node:os';
import argon2 from 'argon2';
import type { HashingOptions, HashTask } from '../../workers/hash/hashing.js';
import type { HashReply } from '../../workers/hash/process-entry.js';
import { AppError } from '../platform/errors.js';
import type { HashTurn, PasswordHasher } from './password-hasher.js';
import { within } from '../platform/concurrency/deadline.js';
import { createFairQueue } from '../platform/concurrency/fair-queue.js';
import { startWorkerProcess } from '../platform/processes/worker-process.js';

/** Maximum number of waiting requests in each of the two queues (known and unknown clients). */
const MAX_QUEUED = 32;
/** Time limit of a hash in ms. A hash takes well under a second, even if it includes the start of the process. */
const TIMEOUT_MS = 15_000;

interface Options extends HashingOptions {
  /** Value of UV_THREADPOOL_SIZE. Hashing uses at most `poolThreads - 2` threads. */
  readonly poolThreads: number;
  /** Time limit of a hash in ms, without the wait in the queue. */
  readonly timeoutMs?: number;
  /** Called for every process that exited by itself or was killed after a timeout. */
  readonly onLoss?: (reason: string) => void;
}

export interface OpenedPasswordHasher extends PasswordHasher {
  close(): void;
}

export function openPasswordHasher({
  poolThreads,
  timeoutMs = TIMEOUT_MS,
  onLoss,
  ...options
}: Options): OpenedPasswordHasher {
  const { memoryKiB, passes, lanes: parallelism } = options;
  // One core stays free for requests, because a hash fills a core even at low priority.
  const atOnce = Math.max(1, Math.min(poolThreads - 2, availableParallelism() - 1));
  const lanes = createLanes(atOnce);
  const hashing = createHashingProcess({
    options: { memoryKiB, passes, lanes: parallelism },
    threads: atOnce,
    timeoutMs,
    onLoss,
  });

  async function run(turn: HashTurn, task: Omit<HashTask, 'id'>): Promise<string | boolean> {
    const answer = await lanes.run(turn, () => hashing.send(task));
    if (answer === undefined)
      throw new AppError('busy', 'The password cannot be checked right now. Try again in a moment.');
    return answer;
  }

  return {
    hash: async (password, turn) => String(await run(turn, { password, work: 'hash' })),
    verify: async (stored, password, turn) =>
      (await run(turn, { password, work: { stored: stored ?? null } })) === true,
    isFull: lanes.isFull,
    isOutdated: (stored) => argon2.needsRehash(stored, { memoryCost: memoryKiB, timeCost: passes, parallelism }),
    close: () => hashing.close(),
  };
}

/**
 * Creates two queues (lanes), one for known and one for unknown clients. If only one queue has requests, it may use the
 * whole capacity. If both have requests, the queues alternate.
 */
function createLanes(atOnce: number) {
  const lane = () => createFairQueue({ atOnce, maxWaiting: MAX_QUEUED });
  const queues = { known: lane(), stranger: lane() };
  // Each lane admits at most `atOnce` requests to this queue, so the queue never overflows.
  const places = createFairQueue({ atOnce, maxWaiting: 2 * atOnce });
  return {
    run: <Result>({ lane, fairnessKey }: HashTurn, work: () => Promise<Result>): Promise<Result> =>
      queues[lane].run(fairnessKey, () => places.run(lane, work)),
    isFull: ({ lane, fairnessKey }: HashTurn): boolean => queues[lane].isFull(fairnessKey),
  };
}

type Answer = HashReply['answer'];

interface HashingProcessStart {
  readonly options: HashingOptions;
  readonly threads: number;
  readonly timeoutMs: number;
  readonly onLoss: ((reason: string) => void) | undefined;
}

/**
 * Starts the process with the first task, and again with the next task after the process has exited. Tasks that an
 * exited process has not finished resolve with undefined.
 */
function createHashingProcess({ options, threads, timeoutMs, onLoss }: HashingProcessStart) {
  const pending = new Map<number, (answer: Answer) => void>();
  let lastId = 0;
  let running: ReturnType<typeof start> | undefined;
  let closed = false;

  function settle(id: number, answer: Answer): void {
    pending.get(id)?.(answer);
    pending.delete(id);
  }

  function start() {
    return startWorkerProcess<HashReply>({
      name: 'the hashing process',
      entry: 'hash/process-entry.js',
      options,
      env: { UV_THREADPOOL_SIZE: String(threads) },
      onMessage: ({ id, answer }) => settle(id, answer),
      onEnd(reason) {
        running = undefined;
        if (!closed) onLoss?.(reason);
        // The process has exited, so these tasks get no answer.
        for (const id of [...pending.keys()]) settle(id, undefined);
      },
    });
  }

  return {
    async send(task: Omit<HashTask, 'id'>): Promise<Answer> {
      if (closed) return undefined;
      const id = ++lastId;
      const child = (running ??= start());
      const reply = new Promise<Answer>((settle) => pending.set(id, settle));
      child.send({ id, ...task } satisfies HashTask);
      try {
        return await within(timeoutMs, reply);
      } catch {
        // Kills the hanging process, because every sign-in would wait for it.
        void child.end(`the hashing process did not respond within ${timeoutMs} ms and was killed`);
        return undefined;
      }
    },
    close() {
      closed = true;
      void running?.end('the hashing process was closed');
    },
  };
}
