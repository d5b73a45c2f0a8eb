// JSON text of an error response. Its size has a maximum that does not depend on the request.
import { shortened, type AppError, type ErrorDetail } from '../../errors.js';

export const MAX_ERROR_BYTES = 8 * 1024;
export const MAX_DETAILS = 10;
/** Maximum length of a message, which limits the size of the JSON text: a character takes at most six bytes. */
const MAX_MESSAGE_CHARACTERS = 1000;
const MAX_REASON_CHARACTERS = 300;

/**
 * Returns the JSON text with at most `MAX_DETAILS` details. Omits further details if the text would exceed
 * `MAX_ERROR_BYTES`. A list of allowed values appears only once.
 */
export function errorBody({ code, message, details }: AppError): string {
  const text = shortened(message, MAX_MESSAGE_CHARACTERS);
  const kept = details && withoutRepeatedAllowed(details.slice(0, MAX_DETAILS));
  for (let count = kept?.length ?? 0; count > 0; count--) {
    const body = JSON.stringify({ error: code, message: text, details: kept?.slice(0, count) });
    if (Buffer.byteLength(body) <= MAX_ERROR_BYTES) return body;
  }
  return JSON.stringify({ error: code, message: text });
}

/** If several details have the same list of allowed values, keeps the list only in the first of them. */
function withoutRepeatedAllowed(details: readonly ErrorDetail[]): ErrorDetail[] {
  const seen = new Set<string>();
  return details.map(({ field, reason, allowed, ...others }) => {
    const detail = { field: shortened(field), reason: shortened(reason, MAX_REASON_CHARACTERS), ...others };
    const list = JSON.stringify(allowed);
    if (allowed === undefined || seen.has(list)) return detail;
    seen.add(list);
    return { ...detail, allowed };
  });
}
