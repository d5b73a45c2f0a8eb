// Thread entry of the sanitiser: one batch of drawings in, one reply for each out.
import type { SanitizeBatch, SanitizeReply } from './sanitize-protocol.js';
import { sanitizeSvg } from './sanitize-svg.js';

export default function sanitizeBatch({ svgs }: SanitizeBatch): SanitizeReply[] {
  return svgs.map((svg) => sanitizeSvg(svg));
}
