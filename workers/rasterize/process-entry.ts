// Process entry: one drawing thread in a process that can be killed. Native code in a thread cannot be stopped, and
// when it aborts it takes the whole process with it; so that process is not the one that answers requests, and draws one
// picture at a time.
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import { serveParent } from '../serve-parent.js';
import type { RasterizerMessage, RasterizerProcessOptions } from '../rasterizer-protocol.js';
import { cpuMs, TASK, TICK_MS, type ThreadOptions } from './thread-entry.js';

const NICENESS = 10;
/** JavaScript's part only; pixels live outside it. */
const THREAD_HEAP_MB = 128;
/**
 * The thread has a compiler of its own, which by default waits for some hundred pictures before it is sure what to
 * optimize. The code here is small and does the same all day, so it may be sure much sooner.
 */
const EARLY_COMPILER = ['--no-lazy-feedback-allocation', '--interrupt-budget=30000'];
/** Time between two looks at the processor clock. */
const LOOK_MS = 50;
/** File descriptor of the service's pipe: after the standard ones and the channel for messages. */
const PIPE = 4;

serveParent(NICENESS);
for (const flag of EARLY_COMPILER) setFlagsFromString(flag);
const { worker, timeoutMs } = JSON.parse(process.argv[2] ?? '') as RasterizerProcessOptions;
const pool = new Piscina<ThreadOptions, void>({
  filename: new URL('./thread-entry.js', import.meta.url).href,
  minThreads: 1,
  maxThreads: 1,
  recordTiming: false,
  resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
});

const task = new Uint32Array(new SharedArrayBuffer(Object.keys(TASK).length * Uint32Array.BYTES_PER_ELEMENT));

setInterval(() => {
  const number = Atomics.load(task, TASK.number);
  const began = Atomics.load(task, TASK.began);
  const isOver = began > 0 && cpuMs() - (began - 1) * TICK_MS >= timeoutMs;
  if (isOver && number === Atomics.load(task, TASK.number)) send({ kind: 'timeout', number });
}, LOOK_MS);

function send(message: RasterizerMessage, sent?: () => void): void {
  process.send?.(message, undefined, undefined, sent);
}

try {
  await pool.run({ rasterizer: worker, pipe: PIPE, task });
} catch (error) {
  const number = Atomics.load(task, TASK.number);
  send({ kind: 'thread-lost', message: String(error), number }, () => process.exit(1));
}
