// Entry of a rasterizer process. It draws one picture at a time in a Piscina pool with one thread. Drawing needs a
// separate process, because native code in a thread can't be stopped, and ends the whole process when it aborts.
import { Piscina } from 'piscina';
import { bindToParent } from '../bind-to-parent.js';
import type {
  RasterizeReply,
  RasterizerMessage,
  RasterizerProcessOptions,
  RasterizeTask,
} from '../rasterizer-protocol.js';

const NICENESS = 10;
/** Limit of the JavaScript heap, MB. Pixels are not part of the heap. */
const THREAD_HEAP_MB = 128;
/** Interval at which the processor time of the current picture is checked, ms. */
const LOOK_MS = 50;

/** First task of the thread. It loads the native libraries. */
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
  // `Atomics.wait` would block the event loop of the thread. The event loop must run, because it frees the memory of
  // drawn pixels.
  atomics: 'disabled',
  resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
});
/** Processor time of the process when the current picture was started, ms. Undefined if no picture is being drawn. */
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

/** Returns the processor time of all threads, ms. libvips draws in a separate thread. */
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
