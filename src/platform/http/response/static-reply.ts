// Replies that do not change while the process runs. Their tags are computed once.
import { strongEtag } from '../../web/strong-etag.js';
import type { Codings } from './compression.js';
import { etagHeaders } from './conditional.js';
import { MIN_CODED_BYTES, negotiated } from './content-coding.js';
import type { HeaderFields, ConditionalReply } from './reply.js';

/**
 * Longer text is kept as bytes, which all connections share during a write. Each connection would make its own copy of
 * text.
 */
const MAX_TEXT_CHARACTERS = 16 * 1024;

/**
 * Returns the reply. `codings` gets the content's tag. Without `codings`, and for short content, the content is sent
 * without a coding.
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
