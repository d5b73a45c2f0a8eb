// Entry of the sanitizer process. Receives batches of drawings, and replies with one result per drawing. Ends when its
// parent process ends.
import { paintBlurs } from '../rasterize/paint-blurs.js';
import type { CleanDrawing, Derivation, DerivedDrawing } from '../../src/catalog/drawing.js';
import type { CleanSvg, SanitizeBatch, SanitizeReply } from '../sanitizer-protocol.js';
import { sanitizeSvg } from './sanitize-svg.js';

/**
 * Sanitizes one drawing. Catches all errors, so that an error in one drawing does not affect the other drawings of the
 * batch.
 */
async function sanitizeOne(svg: string, derive: Derivation, paint: boolean): Promise<SanitizeReply> {
  try {
    const reply = sanitizeSvg(svg, derive);
    return reply.ok && paint && derive !== 'nothing' ? await withPainted(reply) : reply;
  } catch (error) {
    return {
      ok: false,
      reason: 'undrawable',
      message: `the sanitizer failed: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown'}`,
    };
  }
}

/** Adds the painted form (bitmaps in place of blurs) to the drawing and to its derived drawings. */
async function withPainted(reply: CleanSvg): Promise<CleanSvg> {
  // The color of a recolorable drawing is only known later, so its blurs cannot become bitmaps now.
  if (reply.recolorable || !reply.svg.includes('<filter')) return reply;
  const { light, dark, ...others } = reply.derived;
  const derived: CleanDrawing['derived'] = {
    ...others,
    ...(light && { light: await painted(light) }),
    ...(dark && { dark: await painted(dark) }),
  };
  return await painted({ ...reply, derived });
}

async function painted<Drawing extends DerivedDrawing>(drawing: Drawing): Promise<Drawing> {
  try {
    const form = await paintBlurs(drawing.svg);
    return form === undefined ? drawing : { ...drawing, painted: form };
  } catch {
    // Ignores the error, because the painted form (bitmaps in place of blurs) is optional. Without it, pictures of the
    // drawing only take longer.
    return drawing;
  }
}

process.on('message', ({ svgs, derive, paint }: SanitizeBatch) => {
  void (async () => {
    const replies: SanitizeReply[] = [];
    for (const [at, svg] of svgs.entries()) replies.push(await sanitizeOne(svg, derive[at] ?? 'nothing', paint));
    process.send?.(replies);
  })();
});
process.on('disconnect', () => process.exit());
