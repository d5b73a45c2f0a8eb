// Replies that do not change while the process runs, hashed once.
import { strongEtag } from '../../web/strong-etag.js';
import type { Codings } from './compression.js';
import { etagHeaders } from './conditional.js';
import { MIN_CODED_BYTES, negotiated } from './content-coding.js';
import type { HeaderFields, ConditionalReply } from './reply.js';

/**
 * Longer text is kept as bytes, which all connections share while they are written; of text each would make its own
 * copy.
 */
const MAX_TEXT_CHARACTERS = 16 * 1024;

/** `codings` gets the tag of the content. Without it, and where the content is short, it is sent as it is to everybody. */
export function staticReply(
  content: string | Buffer,
  fields: HeaderFields,
  codings?: (etag: string) => Codings,
): ConditionalReply {
  const body = typeof content === 'string' && content.length > MAX_TEXT_CHARACTERS ? Buffer.from(content) : content;
  const etag = strongEtag(body);
  const reply: ConditionalReply = {
    kind: 'prepared',
    etag,
    headers: { ...fields, ...etagHeaders(etag) },
    make: () => ({ kind: 'reply', status: 200, headers: [], body }),
  };
  return codings && Buffer.byteLength(body) >= MIN_CODED_BYTES ? negotiated(reply, codings(etag)) : reply;
}
