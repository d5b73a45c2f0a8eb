// Replies that do not change while the process runs, hashed once.
import { strongEtag } from '../../domain/strong-etag.js';
import { etagHeaders } from './conditional.js';
import type { HeaderFields, ConditionalReply } from './reply.js';

/**
 * Longer text is kept as bytes, which all connections share while they are written; of text each would make its own
 * copy.
 */
const MAX_TEXT_CHARACTERS = 16 * 1024;

export function staticReply(content: string | Buffer, fields: HeaderFields): ConditionalReply {
  const body = typeof content === 'string' && content.length > MAX_TEXT_CHARACTERS ? Buffer.from(content) : content;
  const etag = strongEtag(body);
  return {
    kind: 'prepared',
    etag,
    headers: { ...fields, ...etagHeaders(etag) },
    render: () => ({ kind: 'reply', status: 200, headers: [], body }),
  };
}
