// An answer that stays the same as long as the process runs.
import { createHash } from 'node:crypto';
import { tagFields } from './conditional.js';
import { content, type Fields } from './reply.js';
import type { Prepared } from './route.js';

export function fixed(body: string | Buffer, fields: Fields): Prepared {
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  return { kind: 'prepared', etag, fields: { ...fields, ...tagFields(etag) }, produce: () => content(body, {}) };
}
