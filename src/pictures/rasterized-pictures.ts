// PNG, WebP and JPEG pictures, with a cache. A picture that several requests need at the same time is drawn once.
// Accounts wait in a fair queue.
import type { LRUCache } from 'lru-cache';
import { laneOf } from './picture-cost.js';
import { AppError } from '../platform/errors.js';
import type { PictureStore } from './picture-store.js';
import type { Rasterizer } from './rasterizer.js';
import { singleFlight } from '../platform/concurrency/single-flight.js';
import { createDrawingHistory } from './drawing-history.js';
import type { PictureMemory } from './picture-memory.js';
import { createRasterizeQueue } from './rasterize-queue.js';
import type {
  FailedPicture,
  PictureBody,
  PictureClient,
  PictureOutcome,
  RasterizeRequest,
} from './rasterize-request.js';

type PictureOrigin = 'memory' | 'disk' | 'drawn' | 'failed';

export interface RasterizedPicturesOptions {
  readonly rasterizer: Rasterizer;
  /** Finished pictures: `RasterizeRequest.key` → body. */
  readonly cache: LRUCache<string, PictureBody>;
  readonly memory: PictureMemory;
  /** Second level of the cache, on disk. It uses the same keys. */
  readonly pictureStore?: PictureStore | undefined;
  /** Maximum number of waiting pictures in each lane of the queue. */
  readonly maxQueue: number;
  /** Called for every request of a picture. `origin`: where the picture came from. */
  readonly onPicture?: ((origin: PictureOrigin) => void) | undefined;
  /** Called when the drawing of a queued picture starts. `seconds`: time for which the picture has waited. */
  readonly onWait?: ((seconds: number) => void) | undefined;
}

/** Wait of one account for one picture. All requests of the account for this picture share the wait. */
interface AccountWait {
  readonly outcome: Promise<PictureOutcome>;
  readonly abandoned: AbortController;
  clients: number;
}

/**
 * Memory to reserve per pixel of a picture that waits or is drawn. An encoded picture takes less than a byte per pixel,
 * unless it shows random noise. The uncompressed pixels are in the drawing process. When the picture is finished, its
 * real size is reserved.
 */
const BYTES_PER_PIXEL = 1;

const busy = (message: string): FailedPicture => ({ ok: false, code: 'busy', message, counts: false });
const QUEUE_FULL = busy('Too many pictures are waiting to be drawn.');
export const MEMORY_FULL = busy('Too many large pictures are being drawn or sent.');

export class RasterizedPictures {
  private readonly history = createDrawingHistory();
  private readonly queue: ReturnType<typeof createRasterizeQueue>;
  /**
   * Current waits for pictures. The map's key consists of `fairnessKey` (the account or client that waits) and the key
   * of the picture.
   */
  private readonly waits = new Map<string, AccountWait>();
  /** Key of the picture → outcome of reading it from the store, while it is being read. */
  private readonly readings = new Map<string, Promise<PictureOutcome | undefined>>();
  /** Key of the picture → outcome of drawing it, while it is being drawn. All accounts share the outcome. */
  private readonly drawings = new Map<string, Promise<PictureOutcome>>();

  constructor(private readonly options: RasterizedPicturesOptions) {
    const { rasterizer, maxQueue, onWait } = options;
    const { capacity } = rasterizer;
    this.queue = createRasterizeQueue({ capacity, maxQueue, onWait });
  }

  waiting(): number {
    return this.queue.waiting();
  }

  /** Returns the outcome if it is in memory. Returns undefined if the picture must be read from the store or drawn. */
  known(request: Pick<RasterizeRequest, 'key' | 'drawing' | 'size'>): PictureOutcome | undefined {
    const body = this.options.cache.get(request.key);
    return body === undefined ? this.history.failureOf(request) : { ok: true, body };
  }

  /**
   * Returns the picture from memory or disk, or draws it. Resolves with `busy` if the queue or memory is full. Rejects
   * with the signal's reason if all clients of the request's account disconnect before drawing starts.
   */
  async get(request: RasterizeRequest, client: PictureClient): Promise<PictureOutcome> {
    const inMemory = this.known(request);
    const outcome = inMemory ? this.report('memory', inMemory) : await this.waitFor(request, client);
    return outcome.ok && !this.options.memory.hold(client, outcome.body) ? MEMORY_FULL : outcome;
  }

  /** Waits for the picture. If the account already waits for the same picture, this client shares that wait. */
  private waitFor(request: RasterizeRequest, client: PictureClient): Promise<PictureOutcome> {
    const id = `${client.fairnessKey} ${request.key}`;
    const wait = this.waits.get(id) ?? this.startWait(id, request, client);
    wait.clients++;
    const leaving = client.signal();
    const leave = (): void => {
      wait.clients--;
      if (wait.clients > 0) return;
      if (this.waits.get(id) === wait) this.waits.delete(id);
      wait.abandoned.abort(leaving.reason);
    };
    if (leaving.aborted) leave();
    else leaving.addEventListener('abort', leave, { once: true });
    return wait.outcome;
  }

  private startWait(id: string, request: RasterizeRequest, client: PictureClient): AccountWait {
    const abandoned = new AbortController();
    const outcome = this.obtain(request, client, abandoned.signal).finally(() => {
      if (this.waits.get(id)?.abandoned === abandoned) this.waits.delete(id);
    });
    const wait: AccountWait = { outcome, abandoned, clients: 0 };
    this.waits.set(id, wait);
    return wait;
  }

  private async obtain(request: RasterizeRequest, client: PictureClient, signal: AbortSignal): Promise<PictureOutcome> {
    const underWay = this.join(request.key);
    if (underWay) return underWay;
    const stored = request.isPrivate ? undefined : await this.readStored(request.key);
    if (stored) return this.report('disk', stored);
    const { memory } = this.options;
    const bytes = BYTES_PER_PIXEL * request.size.pixels;
    if (!memory.take(client, bytes)) return MEMORY_FULL;
    try {
      // Reads the drawing into the cache, so that the estimate and the composition don't wait for the store.
      const reading = request.read();
      if (reading instanceof Promise) await client.inTime(reading);
      return await this.enqueue(request, client, signal);
    } finally {
      memory.free(client, bytes);
    }
  }

  /**
   * Reads a picture from the store into the cache. Resolves with undefined if the picture is not stored. The read
   * continues even if all clients have disconnected, because reading is cheap.
   */
  private async readStored(key: string): Promise<PictureOutcome | undefined> {
    const { pictureStore, cache } = this.options;
    return (
      pictureStore &&
      singleFlight(this.readings, key, async () => {
        const body = await pictureStore.get(key);
        if (body === undefined) return undefined;
        cache.set(key, body);
        return { ok: true, body };
      })
    );
  }

  private async enqueue(
    request: RasterizeRequest,
    client: PictureClient,
    signal: AbortSignal,
  ): Promise<PictureOutcome> {
    const { fairnessKey, isStranger } = client;
    const lane = laneOf(await this.history.estimateMs(request));
    try {
      const { outcome } = await this.queue.run({ fairnessKey, isStranger, lane, signal }, () =>
        this.rasterizeOnce(request),
      );
      const drawn = await outcome;
      return this.report(drawn.ok ? 'drawn' : 'failed', drawn);
    } catch (error) {
      if (!signal.aborted && error instanceof AppError && error.code === 'busy') return QUEUE_FULL;
      throw error;
    }
  }

  /**
   * Draws a picture. If it is already being drawn for another account, resolves at once with an object that contains
   * the promise of the outcome. The call thus frees its place in the queue, which it occupies until its own promise
   * resolves.
   */
  private async rasterizeOnce(request: RasterizeRequest) {
    const outcome = this.known(request) ?? this.join(request.key);
    return { outcome: outcome ?? (await singleFlight(this.drawings, request.key, () => this.rasterize(request))) };
  }

  /**
   * Returns the outcome of a picture that is being drawn, or undefined if the picture is not being drawn. A failure
   * counts against the quota only for the client whose request came first.
   */
  private join(key: string): Promise<PictureOutcome> | undefined {
    return this.drawings.get(key)?.then((outcome) => (outcome.ok ? outcome : { ...outcome, counts: false }));
  }

  private async rasterize(request: RasterizeRequest): Promise<PictureOutcome> {
    const { rasterizer, cache, pictureStore } = this.options;
    const outcome = await rasterizer.rasterize(await request.job());
    this.history.record(request, outcome);
    if (outcome.ok) {
      cache.set(request.key, outcome.bytes);
      // The write is not awaited, so that the answer doesn't wait for the disk.
      if (!request.isPrivate) void pictureStore?.put(request.key, outcome.bytes);
      return { ok: true, body: outcome.bytes };
    }
    const { failure, message } = outcome;
    const code = failure === 'busy' ? 'busy' : 'unprocessable';
    return { ok: false, code, message, counts: failure === 'timeout' || failure === 'crash' };
  }

  private report(origin: PictureOrigin, outcome: PictureOutcome): PictureOutcome {
    this.options.onPicture?.(origin);
    return outcome;
  }
}
