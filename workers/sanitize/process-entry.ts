// Entry of the sanitizer process. Receives batches of drawings, and replies with one outcome per drawing. Ends with its
// parent process.
import { paintBlurs } from '../rasterize/paint-blurs.js';
import type { CleanDrawing, Derivation, DerivedDrawing } from '../../src/catalog/drawing.js';
import type { CleanSvg, SanitizeBatch, SanitizeReply } from '../sanitizer-protocol.js';
import { sanitizeSvg } from './sanitize-svg.js';

/** Sanitizes one drawing. Catches all errors, so that a bug with one drawing does not fail the rest of its batch. */
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

/** Adds the painted form to the drawing and to its derived drawings. */
async function withPainted(reply: CleanSvg): Promise<CleanSvg> {
  // A recolorable drawing gets its color later, so its blurs cannot be painted now.
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
    // Painted forms are optional: without one, pictures of the drawing take longer.
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
