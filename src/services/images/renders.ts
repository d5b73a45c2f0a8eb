// Rendered rasters: cached, drawn once for all requests of the same picture, queued fairly by account.
import type { LRUCache } from 'lru-cache';
import { laneOf, type RenderLane } from '../../domain/image/render-cost.js';
import { AppError } from '../../errors.js';
import type { PictureStore } from '../../ports/picture-store.js';
import type { Rasterizer } from '../../ports/rasterizer.js';
import { createDrawingHistory, type DrawingHistory } from './drawing-history.js';
import type { PictureMemory } from './picture-memory.js';
import { createRenderQueue } from './render-queue.js';
import type { FailedRender, ImageBody, RenderClient, RenderOutcome, RenderRequest } from './render-request.js';

export type Renders = ReturnType<typeof createRenders>;

/** Where a picture came from. */
type PictureOrigin = 'memory' | 'disk' | 'drawn' | 'failed';

interface Options {
  readonly rasterizer: Rasterizer;
  /** Finished pictures, by `RenderRequest.key`. */
  readonly cache: LRUCache<string, ImageBody>;
  readonly memory: PictureMemory;
  /** Below `cache`, by the same key. */
  readonly pictures?: PictureStore | undefined;
  /** Pictures that may wait in each lane. */
  readonly maxQueue: number;
  /** Called for every picture that was requested. */
  readonly onPicture?: ((origin: PictureOrigin) => void) | undefined;
  /** Called when a picture that waited in the queue begins to be drawn. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** One account's wait for one picture. */
interface AccountWait {
  readonly outcome: Promise<RenderOutcome>;
  readonly abandoned: AbortController;
  clients: number;
}

/** Memory of a picture that waits or is drawn: its pixels and, at most as much, its encoded form. */
const BYTES_PER_PIXEL = 8;

const busy = (message: string): FailedRender => ({ ok: false, code: 'busy', message, counts: false });
const QUEUE_FULL = busy('Too many pictures are waiting to be drawn.');
export const MEMORY_FULL = busy('Too many large pictures are being drawn or sent.');

type RenderKeys = Pick<RenderRequest, 'key' | 'asset' | 'size'>;

export function createRenders(options: Options) {
  const { rasterizer, cache, memory, pictures, maxQueue, onPicture } = options;
  const history = createDrawingHistory();
  const { capacity, cheapCapacity } = rasterizer;
  const queue = createRenderQueue({ capacity, cheapCapacity, maxQueue, onWait: options.onWait });

  /** Undefined when the picture has to be drawn. */
  function known(keys: RenderKeys): RenderOutcome | undefined {
    const body = cache.get(keys.key);
    return body === undefined ? history.failureOf(keys) : { ok: true, body };
  }

  const from = reportOrigin(onPicture);
  const readStored = pictures && createStoredPictures(pictures, cache);
  const drawer: Drawer = { rasterizer, cache, pictures, history };
  const drawings = createSharedDrawings(known, (request, lane) => drawNow(request, lane, drawer));

  async function enqueue(request: RenderRequest, client: RenderClient, signal: AbortSignal): Promise<RenderOutcome> {
    const { fairnessKey, isStranger } = client;
    const lane = laneOf(await history.estimateMs(request));
    try {
      const { outcome } = await queue.run({ fairnessKey, isStranger, lane, signal }, () =>
        drawings.drawOnce(request, lane),
      );
      const drawn = await outcome;
      return from(drawn.ok ? 'drawn' : 'failed', drawn);
    } catch (error) {
      if (!signal.aborted && error instanceof AppError && error.code === 'busy') return QUEUE_FULL;
      throw error;
    }
  }

  async function obtain(request: RenderRequest, client: RenderClient, signal: AbortSignal): Promise<RenderOutcome> {
    const underWay = drawings.join(request.key);
    if (underWay) return underWay;
    const stored = readStored && (await readStored(request.key));
    return stored ? from('disk', stored) : enqueue(await readInTime(request, client), client, signal);
  }

  const draw = createAccountWaits(memory, obtain);

  /**
   * `busy` when queue or memory is full. Rejects with the signal's reason when all clients of one account left before
   * the drawing began.
   */
  async function render(request: RenderRequest, client: RenderClient): Promise<RenderOutcome> {
    const inMemory = known(request);
    const outcome = inMemory ? from('memory', inMemory) : await draw(request, client);
    return outcome.ok && !memory.hold(client, outcome.body) ? MEMORY_FULL : outcome;
  }

  return { known, render, /** Pictures that wait to be drawn. */ waiting: queue.waiting };
}

type Obtain = (request: RenderRequest, client: RenderClient, signal: AbortSignal) => Promise<RenderOutcome>;

/** Each picture is obtained once for all clients of an account that ask for it meanwhile, if there is memory for it. */
function createAccountWaits(
  memory: PictureMemory,
  obtain: Obtain,
): (request: RenderRequest, client: RenderClient) => Promise<RenderOutcome> | RenderOutcome {
  /** By account and key. */
  const waits = new Map<string, AccountWait>();

  /** Undefined when there is no memory for it. */
  function startWait(id: string, request: RenderRequest, client: RenderClient): AccountWait | undefined {
    const bytes = BYTES_PER_PIXEL * request.size.pixels;
    if (!memory.take(client, bytes)) return undefined;
    const abandoned = new AbortController();
    const outcome = obtain(request, client, abandoned.signal).finally(() => {
      memory.free(client, bytes);
      if (waits.get(id)?.abandoned === abandoned) waits.delete(id);
    });
    const wait: AccountWait = { outcome, abandoned, clients: 0 };
    waits.set(id, wait);
    return wait;
  }

  return (request, client) => {
    const id = `${client.fairnessKey} ${request.key}`;
    const wait = waits.get(id) ?? startWait(id, request, client);
    if (!wait) return MEMORY_FULL;
    wait.clients++;
    const leaving = client.signal();
    const leave = (): void => {
      wait.clients--;
      if (wait.clients > 0) return;
      if (waits.get(id) === wait) waits.delete(id);
      wait.abandoned.abort(leaving.reason);
    };
    if (leaving.aborted) leave();
    else leaving.addEventListener('abort', leave, { once: true });
    return wait.outcome;
  };
}

/** The request, once its drawing has been read: from memory then. */
async function readInTime(request: RenderRequest, { inTime }: RenderClient): Promise<RenderRequest> {
  const reading = request.read();
  if (reading instanceof Promise) await inTime(reading);
  return request;
}

/** An outcome, reported with its origin. */
const reportOrigin =
  (onPicture: Options['onPicture']) =>
  (origin: PictureOrigin, outcome: RenderOutcome): RenderOutcome => {
    onPicture?.(origin);
    return outcome;
  };

/** Work that is begun once for all who ask for it under the same key while it is under way. */
function createShared<Result>() {
  const underWay = new Map<string, Promise<Result>>();
  return {
    join: (key: string): Promise<Result> | undefined => underWay.get(key),
    begin(key: string, work: () => Promise<Result>): Promise<Result> {
      const result = work().finally(() => underWay.delete(key));
      underWay.set(key, result);
      return result;
    },
  };
}

/** Undefined when it is not stored; else in memory from then on. A reading goes on for clients that leave: it takes little. */
function createStoredPictures(pictures: PictureStore, cache: Options['cache']) {
  const readings = createShared<RenderOutcome | undefined>();

  async function read(key: string): Promise<RenderOutcome | undefined> {
    const body = await pictures.get(key);
    if (body === undefined) return undefined;
    cache.set(key, body);
    return { ok: true, body };
  }

  return (key: string) => readings.join(key) ?? readings.begin(key, () => read(key));
}

interface Drawer extends Pick<Options, 'rasterizer' | 'cache' | 'pictures'> {
  readonly history: DrawingHistory;
}

async function drawNow(
  request: RenderRequest,
  lane: RenderLane,
  { rasterizer, cache, pictures, history }: Drawer,
): Promise<RenderOutcome> {
  const outcome = await rasterizer.rasterize(await request.job(), lane);
  history.record(request, outcome);
  if (outcome.ok) {
    cache.set(request.key, outcome.bytes);
    // Not awaited: the answer need not wait for the disk.
    void pictures?.put(request.key, outcome.bytes);
    return { ok: true, body: outcome.bytes };
  }
  const { failure, message } = outcome;
  return {
    ok: false,
    code: failure === 'busy' ? 'busy' : 'unprocessable',
    message,
    counts: failure === 'timeout' || failure === 'crash',
  };
}

/** Drawings under way, each picture once for all accounts. */
function createSharedDrawings(
  known: (keys: RenderKeys) => RenderOutcome | undefined,
  drawNow: (request: RenderRequest, lane: RenderLane) => Promise<RenderOutcome>,
) {
  const drawings = createShared<RenderOutcome>();

  /** Undefined when it is not under way. A failure counts for the client that began the drawing alone. */
  function join(key: string): Promise<RenderOutcome> | undefined {
    return drawings.join(key)?.then((outcome) => (outcome.ok ? outcome : { ...outcome, counts: false }));
  }

  return {
    join,
    /** In a place of the queue. Wrapped, so that a wait for another account's drawing leaves that place. */
    async drawOnce(request: RenderRequest, lane: RenderLane) {
      const outcome = known(request) ?? join(request.key);
      return { outcome: outcome ?? (await drawings.begin(request.key, () => drawNow(request, lane))) };
    },
  };
}
