// Replies that do not change while the process runs. Their ETags are computed once.
import { strongEtag } from '../../web/strong-etag.js';
import type { Codings } from './compression.js';
import { etagHeaders } from './conditional.js';
import { MIN_CODED_BYTES, negotiated } from './content-coding.js';
import type { HeaderFields, ConditionalReply } from './reply.js';

/**
 * Maximum length of content that is stored as text. Longer content is stored as bytes, because all connections share
 * the bytes, but text is copied for each connection.
 */
const MAX_TEXT_CHARACTERS = 16 * 1024;

/**
 * Returns a reply with this content. `codings`: returns the compressed copies for an ETag. Without `codings`, or if the
 * content is short, the content is sent uncompressed.
 */
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
