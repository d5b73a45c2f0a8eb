// Runs the icon decoder in one child process, behind the fence. If a bitmap crashes or hangs the process, only that
// bitmap fails.
import pLimit from 'p-limit';
import { z } from 'zod';
import type { DecodedIcon, DecodeIcon } from '../../workers/icon-protocol.js';
import { within } from '../platform/concurrency/deadline.js';
import type { Fence } from '../platform/processes/fence.js';
import { startWorkerProcess } from '../platform/processes/worker-process.js';
import type { Bitmap, IconDecoder } from './icon-decoder.js';

/** Maximum processor time for one bitmap, ms. For the first bitmap, it includes the start of the process. */
const DECODE_MS = 3000;
/** On a busy machine, a bitmap may take up to this multiple of `DECODE_MS` in elapsed time. */
const MOST_LIMITS = 6;
const IDLE_MS = 30_000;
const HEAP_MB = 128;
const MAX_LEVELS = 12;

/** Messages from the process are validated, because an untrusted bitmap may have taken over the process. */
const side = z.int().min(1).max(4096);
const messageSchema: z.ZodType<DecodedIcon> = z.discriminatedUnion('ok', [
  z.object({
    ok: z.literal(true),
    levels: z.array(z.object({ width: side, height: side, png: z.instanceof(Uint8Array) })).max(MAX_LEVELS),
  }),
  z.object({ ok: z.literal(false), reason: z.enum(['undecodable', 'blank']) }),
]);

export function openIconDecoder(fence: Fence): IconDecoder {
  const oneAtATime = pLimit(1);
  let current: IconProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function end(): Promise<void> {
    clearTimeout(idle);
    const ended = current;
    current = undefined;
    await ended?.end('the icon process is not needed');
  }

  async function decode(task: DecodeIcon): Promise<readonly [Bitmap, ...Bitmap[]] | undefined> {
    if (isClosed) return undefined;
    clearTimeout(idle);
    if (current?.isRunning() !== true) current = startIconProcess(fence);
    try {
      const { data } = messageSchema.safeParse(await current.decode(task));
      if (data?.ok !== true) return undefined;
      const [first, ...others] = data.levels;
      return first && [first, ...others];
    } catch {
      await end();
      return undefined;
    } finally {
      idle = setTimeout(() => void end(), IDLE_MS).unref();
    }
  }

  return {
    decode: (bytes, maxSide) => oneAtATime(() => decode({ bytes, maxSide })),
    async close() {
      isClosed = true;
      await end();
    },
  };
}

type IconProcess = ReturnType<typeof startIconProcess>;

function startIconProcess(fence: Fence) {
  let settle: (message: unknown) => void = () => undefined;
  const child = startWorkerProcess<unknown>({
    name: 'the icon process',
    entry: 'icon/process-entry.js',
    env: { UV_THREADPOOL_SIZE: '1' },
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    fence,
    onMessage: (message) => settle(message),
    onEnd: () => settle(undefined),
  });
  return {
    isRunning: child.isRunning,
    end: child.end,
    /** Resolves with the reply, or with undefined if the process ends. Rejects if decoding takes too long. */
    async decode(task: DecodeIcon): Promise<unknown> {
      const reply = new Promise<unknown>((resolve) => (settle = resolve));
      const beganMs = child.processorMs();
      child.send(task);
      for (let limits = 1; ; limits++) {
        try {
          return await within(DECODE_MS, reply);
        } catch (error) {
          if (limits >= MOST_LIMITS || child.processorMs() - beganMs >= DECODE_MS) throw error;
        }
      }
    },
  };
}
