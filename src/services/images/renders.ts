// Rasters of composed pictures: cached, drawn once for all that want the same one, in fair order by account.
import { LRUCache } from 'lru-cache';
import { createFairQueue } from '../../domain/fair-queue.js';
import {
  estimateRenderMs,
  laneOf,
  measurementOf,
  profileOf,
  type DrawingProfile,
  type RenderMeasurement,
  type RenderSize,
} from '../../domain/image/render-cost.js';
import { AppError } from '../../errors.js';
import type { RasterJob, RasterOutcome, Rasterizer } from '../../ports/rasterizer.js';

/** SVG is text, the others are bytes. */
export type ImageBody = string | Uint8Array;

/** Who waits for a picture. */
export interface RenderClient {
  /** Clients with equal keys share one place in the rotation: an account's id. */
  readonly fairnessKey: string;
  /** Aborts when the client no longer waits. A function, because most answers need none. */
  readonly signal: () => AbortSignal;
}

export type RenderOutcome =
  | { readonly ok: true; readonly body: ImageBody }
  /** `counts`: processor time was spent on it for this client, so the request counts although it failed. */
  | { readonly ok: false; readonly code: 'unprocessable' | 'busy'; readonly message: string; readonly counts: boolean };

export interface RenderRequest {
  /** Equal for equal pictures. */
  readonly key: string;
  /** Names the drawing: equal for equal text. */
  readonly asset: string;
  readonly size: RenderSize;
  readonly encoding: Pick<RasterJob, 'quality' | 'format'>;
  /** Reads the drawing, for the estimate. */
  readonly read: () => Promise<string> | string;
  /** Composes the picture, when a process is free. */
  readonly job: () => Promise<RasterJob> | RasterJob;
}

export interface Renders {
  /** Undefined when the picture has to be drawn. */
  known(request: Pick<RenderRequest, 'key' | 'asset' | 'size'>): RenderOutcome | undefined;
  /** Rejects with the signal's reason when all clients of one account left before the drawing began. */
  render(request: RenderRequest, client: RenderClient): Promise<RenderOutcome>;
}

interface Options {
  readonly rasterizer: Rasterizer;
  /** Of finished pictures, by `RenderRequest.key`. */
  readonly cache: LRUCache<string, ImageBody>;
  /** Pictures that may wait in each lane. */
  readonly maxQueue: number;
}

/** A picture that the renderer rejects is not tried again at once. */
const REJECTION_KEPT_MS = 10_000;
/** One that cost its whole time limit, or a process, is not for much longer. */
const LOSS_KEPT_MS = 10 * 60_000;
const FAILURES_KEPT = 1000;
const DRAWINGS_KNOWN = 20_000;

/** One account's wait for one picture. */
interface Waiting {
  readonly outcome: Promise<RenderOutcome>;
  readonly abandoned: AbortController;
  clients: number;
}

/** Crashes of one drawing within `LOSS_KEPT_MS`. One alone proves nothing: a process may end for other reasons. */
interface Crashes {
  readonly count: number;
  /**
   * Of the smallest whole picture, padding included. Counted whole, because padding then neither hides a crash nor
   * lowers the limit: a picture that is mostly padding rejects no smaller one in which the drawing is as large.
   */
  readonly pixels: number;
}

const CRASHES_TOLERATED = 1;
const TOO_SLOW = 'Drawing this picture takes too long at this size. Ask for a smaller one.';
const CRASHING = 'Drawing this picture failed more than once at this size. Ask for a smaller one.';

/** What a picture with much padding takes says little about its drawing. */
function isMostlyDrawing({ pixels, drawingPixels }: RenderSize): boolean {
  return drawingPixels >= pixels / 2;
}

export function createRenders({ rasterizer, cache, maxQueue }: Options): Renders {
  const failures = new LRUCache<string, RenderOutcome & { ok: false }>({ max: FAILURES_KEPT });
  /** By asset: from how many pixels on a drawing is known to exceed its time limit. */
  const tooLarge = new LRUCache<string, number>({ max: FAILURES_KEPT, ttl: LOSS_KEPT_MS });
  const crashes = new LRUCache<string, Crashes>({ max: FAILURES_KEPT, ttl: LOSS_KEPT_MS });
  const profiles = new LRUCache<string, DrawingProfile>({ max: DRAWINGS_KNOWN });
  const measurements = new LRUCache<string, RenderMeasurement>({ max: DRAWINGS_KNOWN });
  /** By account and key. */
  const waiting = new Map<string, Waiting>();
  /** By key. */
  const drawing = new Map<string, Promise<RenderOutcome>>();
  const all = createFairQueue({ atOnce: rasterizer.capacity, maxWaiting: maxQueue });
  // A dear picture takes a place here before it stands in line with the cheap ones, so that one process is always left
  // to those.
  const dear = createFairQueue({ atOnce: Math.max(1, rasterizer.capacity - 1), maxWaiting: maxQueue });

  function known({ key, asset, size }: Pick<RenderRequest, 'key' | 'asset' | 'size'>): RenderOutcome | undefined {
    const body = cache.get(key);
    if (body !== undefined) return { ok: true, body };
    const message = lossOf(asset, size);
    return message === undefined ? failures.get(key) : { ok: false, code: 'unprocessable', message, counts: false };
  }

  /** Why the drawing is rejected at this size, if it is. */
  function lossOf(asset: string, { pixels, drawingPixels }: RenderSize): string | undefined {
    if (drawingPixels >= (tooLarge.get(asset) ?? Infinity)) return TOO_SLOW;
    const crashed = crashes.get(asset);
    return crashed && crashed.count > CRASHES_TOLERATED && pixels >= crashed.pixels ? CRASHING : undefined;
  }

  function rememberCrash(asset: string, { pixels }: RenderSize): void {
    const before = crashes.get(asset) ?? { count: 0, pixels: Infinity };
    crashes.set(asset, { count: before.count + 1, pixels: Math.min(pixels, before.pixels) });
  }

  function remember({ key, asset, size, encoding }: RenderRequest, outcome: RasterOutcome): void {
    if (outcome.ok) {
      cache.set(key, outcome.bytes);
      if (isMostlyDrawing(size)) measurements.set(asset, measurementOf(size, encoding, outcome.cpuMs));
    } else if (outcome.failure === 'timeout' && isMostlyDrawing(size)) {
      tooLarge.set(asset, Math.min(size.drawingPixels, tooLarge.get(asset) ?? Infinity));
    } else if (outcome.failure !== 'busy') {
      if (outcome.failure === 'crash') rememberCrash(asset, size);
      const ttl = outcome.failure === 'rejected' ? REJECTION_KEPT_MS : LOSS_KEPT_MS;
      failures.set(key, { ok: false, code: 'unprocessable', message: outcome.message, counts: false }, { ttl });
    }
  }

  async function draw(request: RenderRequest): Promise<RenderOutcome> {
    const outcome = await rasterizer.rasterize(await request.job());
    remember(request, outcome);
    if (outcome.ok) return { ok: true, body: outcome.bytes };
    const { failure, message } = outcome;
    return {
      ok: false,
      code: failure === 'busy' ? 'busy' : 'unprocessable',
      message,
      counts: failure === 'timeout' || failure === 'crash',
    };
  }

  /**
   * In a place of the queue. Wrapped, so that one who waits for the same drawing of another account leaves the place.
   */
  async function drawOnce(
    request: RenderRequest,
  ): Promise<{ readonly outcome: RenderOutcome | Promise<RenderOutcome> }> {
    const { key } = request;
    const outcome = known(request) ?? joined(key);
    if (outcome) return { outcome };
    const underWay = draw(request).finally(() => drawing.delete(key));
    drawing.set(key, underWay);
    return { outcome: await underWay };
  }

  /** The drawing under way counts for the client that began it. */
  function joined(key: string): Promise<RenderOutcome> | undefined {
    return drawing.get(key)?.then((outcome) => (outcome.ok ? outcome : { ...outcome, counts: false }));
  }

  async function estimateMs({ asset, read, size, encoding }: RenderRequest): Promise<number> {
    const profile = profiles.get(asset) ?? profileOf(await read());
    profiles.set(asset, profile);
    return estimateRenderMs(size, encoding, { profile, measured: measurements.get(asset) });
  }

  async function queued(request: RenderRequest, fairnessKey: string, signal: AbortSignal): Promise<RenderOutcome> {
    const lane = laneOf(await estimateMs(request));
    try {
      // In lines of their own: behind its account's cheap pictures, a dear one would keep its place from other
      // accounts.
      const { outcome } = await (lane === 'cheap'
        ? all.run(fairnessKey, () => drawOnce(request), signal)
        : dear.run(fairnessKey, () => all.run(`dear ${fairnessKey}`, () => drawOnce(request), signal), signal));
      return await outcome;
    } catch (error) {
      if (!signal.aborted && error instanceof AppError && error.code === 'busy')
        return { ok: false, code: 'busy', message: 'Too many pictures are waiting to be drawn.', counts: false };
      throw error;
    }
  }

  function enqueue(id: string, request: RenderRequest, fairnessKey: string): Waiting {
    const abandoned = new AbortController();
    const outcome = queued(request, fairnessKey, abandoned.signal).finally(() => {
      if (waiting.get(id)?.abandoned === abandoned) waiting.delete(id);
    });
    const entry: Waiting = { outcome, abandoned, clients: 0 };
    waiting.set(id, entry);
    return entry;
  }

  function render(request: RenderRequest, { fairnessKey, signal }: RenderClient): Promise<RenderOutcome> {
    const outcome = known(request);
    if (outcome) return Promise.resolve(outcome);
    const underWay = joined(request.key);
    if (underWay) return underWay;
    const id = `${fairnessKey} ${request.key}`;
    const entry = waiting.get(id) ?? enqueue(id, request, fairnessKey);
    entry.clients++;
    const leaving = signal();
    // Also called when the connection closes after its answer; then nothing is left to abort.
    const leave = (): void => {
      entry.clients--;
      if (entry.clients > 0) return;
      if (waiting.get(id) === entry) waiting.delete(id);
      entry.abandoned.abort(leaving.reason);
    };
    if (leaving.aborted) leave();
    else leaving.addEventListener('abort', leave, { once: true });
    return entry.outcome;
  }

  return { known, render };
}
