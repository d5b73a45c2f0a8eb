// Process entry: the drawing threads, in a process that can be killed. Native code in a thread cannot be stopped, and when
// it aborts it takes the whole process with it; so that process is not the one that answers requests.
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import { serveParent } from './host.js';
import type { RasterHostMessage, RasterHostOptions, RasterHostTask, RasterReply, RasterTask } from './protocol.js';

const NICENESS = 10;
/** JavaScript's part only; pixels live outside it. */
const THREAD_HEAP_MB = 128;
/**
 * Each thread has a compiler of its own, which by default waits for some hundred pictures before it is sure what to
 * optimise. The code here is small and does the same all day, so it may be sure much sooner.
 */
const EARLY_COMPILER = ['--no-lazy-feedback-allocation', '--interrupt-budget=30000'];
/** Makes a thread load its libraries. */
const FIRST_TASK: RasterTask = { svg: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', width: 1, height: 1, format: 'png', quality: null };

serveParent(NICENESS);
for (const flag of EARLY_COMPILER) setFlagsFromString(flag);
const { worker, threads, timeoutMs } = JSON.parse(process.argv[2] ?? '') as RasterHostOptions;
const pool = new Piscina<RasterTask, RasterReply>({
  filename: worker,
  minThreads: threads,
  maxThreads: threads,
  recordTiming: false,
  // A thread that waits for its next job without turning its event loop never gives the drawn pixels' memory back.
  atomics: 'disabled',
  resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
});

// The pool's own queue cannot tell when a task begins, so the pool is never given more tasks than it has threads.
const waiting: RasterHostTask[] = [];
let free = 0;

function beginNext(): void {
  while (free > 0) {
    const next = waiting.shift();
    if (!next) return;
    free--;
    void draw(next);
  }
}

async function draw({ id, task }: RasterHostTask): Promise<void> {
  const limit = setTimeout(() => tell({ kind: 'hangs', id }), timeoutMs);
  try {
    tell({ kind: 'reply', id, reply: await pool.run(task) });
  } catch (error) {
    tell({ kind: 'thread-lost', id, message: String(error) });
  } finally {
    clearTimeout(limit);
    free++;
    beginNext();
  }
}

function tell(message: RasterHostMessage): void {
  process.send?.(message);
}

process.on('message', (message: RasterHostTask) => {
  waiting.push(message);
  beginNext();
});

await Promise.all(Array.from({ length: threads }, () => pool.run(FIRST_TASK)));
tell({ kind: 'ready' });
free = threads;
beginNext();
