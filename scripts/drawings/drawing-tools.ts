// The sanitizer and the rasterizer without a service, for measurements.
import { openRasterizer } from '../../src/pictures/rasterizer.worker.js';
import { openSanitizer } from '../../src/catalog/sanitizer.worker.js';

/** Maximum processor time of one picture, ms. It is high because no user waits for the picture. */
const RASTERIZE_TIMEOUT_MS = 60_000;

export function openDrawingTools({ processes }: { readonly processes: number }) {
  const sanitizer = openSanitizer({ processes });
  const worker = new URL('../../workers/rasterize/rasterize.js', import.meta.url);
  const rasterizer = openRasterizer({ worker, processes, timeoutMs: RASTERIZE_TIMEOUT_MS });
  return {
    sanitizer,
    rasterizer,
    close: async (): Promise<void> => {
      await Promise.all([sanitizer.close(), rasterizer.close()]);
    },
  };
}
