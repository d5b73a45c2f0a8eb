// Process entry: one drawing thread in a process that can be killed. Native code in a thread cannot be stopped, and
// when it aborts it takes the whole process with it; so that process is not the one that answers requests, and has one
// task.
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import { serveParent } from '../child-process.js';
import type { RasterHostMessage, RasterHostOptions, RasterReply, RasterTask } from './protocol.js';

const NICENESS = 10;
/** JavaScript's part only; pixels live outside it. */
const THREAD_HEAP_MB = 128;
/**
 * The thread has a compiler of its own, which by default waits for some hundred pictures before it is sure what to
 * optimize. The code here is small and does the same all day, so it may be sure much sooner.
 */
const EARLY_COMPILER = ['--no-lazy-feedback-allocation', '--interrupt-budget=30000'];
/** Makes the thread load its libraries. */
const FIRST_TASK: RasterTask = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  width: 1,
  height: 1,
  format: 'png',
  quality: null,
};
/** Least time between two looks at the processor clock. */
const LOOK_MS = 10;

serveParent(NICENESS);
for (const flag of EARLY_COMPILER) setFlagsFromString(flag);
const { worker, timeoutMs } = JSON.parse(process.argv[2] ?? '') as RasterHostOptions;
const pool = new Piscina<RasterTask, RasterReply>({
  filename: worker,
  minThreads: 1,
  maxThreads: 1,
  recordTiming: false,
  // A thread that waits for its next job without turning its event loop never gives the drawn pixels' memory back.
  atomics: 'disabled',
  resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
});

/** Of all threads of this process, ms: libvips draws in one of its own. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function draw(task: RasterTask): Promise<void> {
  const beganMs = cpuMs();
  let look: NodeJS.Timeout | undefined;
  const lookAfter = (waitMs: number): void => {
    look = setTimeout(
      () => {
        const leftMs = beganMs + timeoutMs - cpuMs();
        if (leftMs <= 0) send({ kind: 'timeout' });
        else lookAfter(leftMs);
      },
      Math.max(LOOK_MS, waitMs),
    );
  };
  lookAfter(timeoutMs);
  try {
    const reply = await pool.run(task);
    send({ kind: 'reply', reply, cpuMs: cpuMs() - beganMs });
  } catch (error) {
    send({ kind: 'thread-lost', message: String(error) });
  } finally {
    clearTimeout(look);
  }
}

function send(message: RasterHostMessage): void {
  process.send?.(message);
}

const ready = pool.run(FIRST_TASK).then(() => send({ kind: 'ready' }));
process.on('message', (task: RasterTask) => void ready.then(() => draw(task)));
await ready;
