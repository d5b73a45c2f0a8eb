// Previews of files: sanitizes a drawing without saving it.
import type { AccountId } from '../accounts/account.js';
import { DAY_MS, MINUTE_MS } from '../platform/time.js';
import { consume } from '../accounts/rate-limiting.js';
import type { DrawingParts } from './change-brands.js';
import { rejectedDrawing } from './drawing-edits.js';

export const PREVIEWS_A_MINUTE = 120;
export const PREVIEWS_A_DAY = 5000;
/** Variant name for previews. The sanitizer derives no copies from a drawing with this name. */
const NAME = 'preview';

export function drawingPreviews({ uploads, rateLimits }: Pick<DrawingParts, 'uploads' | 'rateLimits'>) {
  return {
    /**
     * Returns the sanitized SVG in its own colors. Throws AppError `rate_limited`, `busy`, and `unprocessable` with the
     * sanitizer's reason.
     */
    async previewDrawing(accountId: AccountId, bytes: Buffer): Promise<string> {
      const rules = [
        { limit: PREVIEWS_A_MINUTE, windowMs: MINUTE_MS },
        { limit: PREVIEWS_A_DAY, windowMs: DAY_MS },
      ];
      const message = `Drawings can be previewed at most ${PREVIEWS_A_MINUTE} times per minute and ${PREVIEWS_A_DAY} times per day.`;
      await consume(rateLimits, [{ key: `drawing-previews:${accountId}`, rules }], message);
      const [drawing] = await uploads.sanitize(accountId, [{ name: NAME, bytes }]);
      if (drawing?.ok !== true) throw rejectedDrawing(drawing);
      const [variant] = drawing.candidates;
      const svg = variant && drawing.texts.get(variant.etag);
      if (svg === undefined) throw rejectedDrawing(undefined);
      const [color = '#000000'] = variant?.colors ?? [];
      return variant?.recolorable ? svg.replaceAll('currentColor', color) : svg;
    },
  };
}
