// Strong ETags (RFC 9110, section 8.8.3): equal for equal content.
import { hash } from 'node:crypto';

/** Returns the ETag with its quotes. `content`: the body, or data from which the body is made. */
export function strongEtag(content: string | Buffer): string {
  return `"${hash('sha256', content).slice(0, 32)}"`;
}
