// An answer that stays the same as long as the process runs.
import { createHash } from 'node:crypto';
import { tagFields } from './conditional.js';
import type { Fields, Prepared } from './reply.js';

/**
 * Longer text is kept as bytes, which all connections share while they are written; of text each would make its own
 * copy.
 */
const MAX_TEXT_CHARACTERS = 16 * 1024;

export function fixed(content: string | Buffer, fields: Fields): Prepared {
  const body = typeof content === 'string' && content.length > MAX_TEXT_CHARACTERS ? Buffer.from(content) : content;
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  return {
    kind: 'prepared',
    etag,
    fields: { ...fields, ...tagFields(etag) },
    produce: () => ({ kind: 'reply', status: 200, head: [], body }),
  };
}
