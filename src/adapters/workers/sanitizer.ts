// The sanitiser in processes of its own, for the length of an import: a drawing on which native code aborts ends one of
// them and is refused; and the memory that drawing takes is given back with them.
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import type { SanitizeBatch, SanitizeReply } from '../../../workers/sanitize/protocol.js';
import type { SanitizeOutcome, Sanitizer } from '../../ports/sanitizer.js';

/** The slowest real drawing takes 0.2 s; a whole batch may hold some of those. */
const BATCH_TIMEOUT_MS = 30_000;
const ONE_TIMEOUT_MS = 5_000;
const ENTRY = fileURLToPath(new URL('../../../workers/sanitize/main.js', import.meta.url));
const HEAP_MB = 256;

const CRASHED: SanitizeOutcome = { ok: false, reason: 'undrawable', message: 'the renderer crashes or hangs on it' };

export function openSanitizer({ processes = availableParallelism() }: { processes?: number } = {}): Sanitizer {
  const idle: ChildProcess[] = [];
  const all = new Set<ChildProcess>();
  const limit = pLimit(processes);

  function start(): ChildProcess {
    const child = fork(ENTRY, {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    all.add(child);
    child.once('exit', () => all.delete(child));
    return child;
  }

  /** Undefined when the process ended or hung over it. */
  async function ask(batch: SanitizeBatch, timeoutMs: number): Promise<readonly SanitizeReply[] | undefined> {
    const child = idle.pop() ?? start();
    const replies = await answerOf(child, batch, timeoutMs);
    if (replies === undefined) child.kill('SIGKILL');
    else idle.push(child);
    return replies;
  }

  async function sanitizeOne(svg: string): Promise<SanitizeOutcome> {
    const [outcome] = (await ask({ svgs: [svg] }, ONE_TIMEOUT_MS)) ?? [];
    return outcome ?? CRASHED;
  }

  return {
    sanitize: (svgs) =>
      limit(async () => {
        const replies = await ask({ svgs }, BATCH_TIMEOUT_MS);
        if (replies !== undefined) return replies;
        if (svgs.length === 1) return [CRASHED];
        // One of them broke the process: each alone, to find out which.
        const outcomes: SanitizeOutcome[] = [];
        for (const svg of svgs) outcomes.push(await sanitizeOne(svg));
        return outcomes;
      }),

    async close() {
      await Promise.all(
        [...all].map((child) => {
          const ended = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGKILL');
          return ended;
        }),
      );
    },
  };
}

function answerOf(
  child: ChildProcess,
  batch: SanitizeBatch,
  timeoutMs: number,
): Promise<readonly SanitizeReply[] | undefined> {
  return new Promise((resolve) => {
    const settle = (replies: readonly SanitizeReply[] | undefined): void => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onEnd).off('error', onEnd);
      resolve(replies);
    };
    const onMessage = (message: unknown): void => settle(message as readonly SanitizeReply[]);
    const onEnd = (): void => settle(undefined);
    const timer = setTimeout(onEnd, timeoutMs);
    child.on('message', onMessage).on('exit', onEnd).on('error', onEnd);
    child.send(batch, (error) => {
      if (error) onEnd();
    });
  });
}
