// Preconditions of changes (RFC 9110, section 13.1): If-Match and If-None-Match.
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../errors.js';

/** Throws AppError `precondition_failed`. `tag`: tag of the current state; undefined if there is none. */
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

/** Compares tags strongly. A tag is enclosed in quotes and contains none, so no other tag in a list can contain it. */
function matches(list: string, tag: string | undefined): boolean {
  if (tag === undefined) return false;
  return list.trim() === '*' || list.split(',').some((one) => one.trim() === tag);
}
