// Entry of a drawing process: a Piscina pool of one thread, whose tasks are pictures. Native code in a thread can't be stopped,
// and ends the whole process when it aborts. So this process isn't the one that answers requests, and draws one picture at a time.
import { Piscina } from 'piscina';
import { serveParent } from '../serve-parent.js';
import type {
  RasterizeReply,
  RasterizerMessage,
  RasterizerProcessOptions,
  RasterizeTask,
} from '../rasterizer-protocol.js';

const NICENESS = 10;
/** JavaScript's part only. Pixels are outside of it. */
const THREAD_HEAP_MB = 128;
/** Interval at which the processor time of the current picture is compared with its limit. */
const LOOK_MS = 50;

/** Loads the libraries. */
const FIRST_TASK: RasterizeTask = {
  svg: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  width: 1,
  height: 1,
  format: 'png',
  quality: null,
};

serveParent(NICENESS);
const { worker, timeoutMs } = JSON.parse(process.argv[2] ?? '') as RasterizerProcessOptions;
const pool = new Piscina<RasterizeTask, RasterizeReply>({
  filename: worker,
  minThreads: 1,
  maxThreads: 1,
  recordTiming: false,
  // Waiting by `Atomics.wait` would keep the thread from its event loop, where the memory of drawn pixels is freed.
  atomics: 'disabled',
  resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB },
});
/** Processor time of the process when the current picture began. */
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

/** Processor time of all threads of this process, because libvips draws in a thread of its own. */
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
