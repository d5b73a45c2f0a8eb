// Entry of a drawing process, which draws one picture at a time in a Piscina pool of one thread. Native code in a
// thread can't be stopped, and ends the whole process when it aborts. So drawing is not in the service's process.
import { Piscina } from 'piscina';
import { bindToParent } from '../bind-to-parent.js';
import type {
  RasterizeReply,
  RasterizerMessage,
  RasterizerProcessOptions,
  RasterizeTask,
} from '../rasterizer-protocol.js';

const NICENESS = 10;
/** Limit of the JavaScript heap. Pixels are outside of the heap. */
const THREAD_HEAP_MB = 128;
/** Interval of comparing the processor time of the current picture with its limit. */
const LOOK_MS = 50;

/** First task of the thread, which loads the native libraries. */
const FIRST_TASK: RasterizeTask = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  width: 1,
  height: 1,
  format: 'png',
  quality: null,
};

bindToParent(NICENESS);
const { worker, timeoutMs } = JSON.parse(process.argv[2] ?? '') as RasterizerProcessOptions;
const pool = new Piscina<RasterizeTask, RasterizeReply>({
  filename: worker,
  minThreads: 1,
  maxThreads: 1,
  recordTiming: false,
  // With `Atomics.wait`, the event loop of the thread would block. It must run, because it frees the memory of drawn
  // pixels.
  atomics: 'disabled',
  resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
});
/** Processor time of the process at the start of the current picture, ms. */
let beganMs: number | undefined;

setInterval(() => {
  if (beganMs !== undefined && cpuMs() - beganMs >= timeoutMs) send({ kind: 'timeout' });
}, LOOK_MS);

const ready = pool.run(FIRST_TASK).then(() => send({ kind: 'ready' }));
process.on('message', (task: RasterizeTask) => {
  ready.then(() => draw(task)).catch(endWithThread);
});
ready.catch(endWithThread);

async function draw(task: RasterizeTask): Promise<void> {
  const before = cpuMs();
  beganMs = before;
  const reply = await pool.run(task);
  beganMs = undefined;
  if (reply.ok) send({ kind: 'picture', bytes: reply.bytes, cpuMs: cpuMs() - before });
  else send({ kind: 'rejected', message: reply.message });
}

/** Returns the processor time of all threads, ms, because libvips draws in a thread of its own. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function endWithThread(error: unknown): void {
  send({ kind: 'thread-lost', message: String(error).slice(0, 1000) }, () => process.exit(1));
}

function send(message: RasterizerMessage, sent?: () => void): void {
  process.send?.(message, undefined, undefined, sent);
}
