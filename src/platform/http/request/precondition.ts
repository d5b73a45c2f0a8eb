// Preconditions of changes: If-Match and If-None-Match (RFC 9110, section 13.1).
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../errors.js';

/**
 * Throws AppError `precondition_failed` if the condition of the request is not met. `tag`: ETag of the current state;
 * undefined if the resource does not exist.
 */
export type AssertPrecondition = (tag: string | undefined) => void;

export function preconditionOf({
  'if-match': match,
  'if-none-match': noneMatch,
}: IncomingHttpHeaders): AssertPrecondition {
  return (tag) => {
    if (match !== undefined && !matches(match, tag)) throw new AppError('precondition_failed');
    if (noneMatch !== undefined && matches(noneMatch, tag)) throw new AppError('precondition_failed');
  };
}

/** Returns true if the list is `*`, or contains exactly this tag. A weak tag therefore never matches. */
function matches(list: string, tag: string | undefined): boolean {
  if (tag === undefined) return false;
  return list.trim() === '*' || list.split(',').some((one) => one.trim() === tag);
}
