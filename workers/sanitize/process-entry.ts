// Process entry of the import: a batch of drawings in, one reply for each out. Ends with its parent.
import { paintBlurs } from '../rasterize/paint-blurs.js';
import type { CleanDrawing, Derivation, DerivedDrawing } from '../../src/catalog/drawing.js';
import type { CleanSvg, SanitizeBatch, SanitizeReply } from '../sanitizer-protocol.js';
import { sanitizeSvg } from './sanitize-svg.js';

/** A bug that one drawing meets must not cost the others of its batch. */
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

/** With the form that its pictures are drawn from, of itself and of what is derived from it. */
async function withPainted(reply: CleanSvg): Promise<CleanSvg> {
  // The color of what can be recolored is not known yet.
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
    // The drawing itself is fine; its pictures take longer.
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
