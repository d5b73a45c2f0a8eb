// Keys of a visitor counter in Redis: both under one hash tag, so that one script reads and writes them together.
import type { CounterName } from '../../domain/visitor-counter/counter.js';

/** Counts: hash epoch, rev, total, day, today. Visitors: HyperLogLog of the day. */
export function counterKeys(name: CounterName): readonly [counts: string, visitors: string] {
  return [`{counter:${name}}:counts`, `{counter:${name}}:visitors`];
}
