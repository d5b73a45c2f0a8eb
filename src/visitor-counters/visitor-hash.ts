// Hash of a visitor. It depends on the day and on the counter, so hashes of different days or counters cannot be
// linked.
import { createHmac } from 'node:crypto';
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

interface Visitor {
  readonly counter: CounterName;
  /** IPv4 address, or the /64 prefix of an IPv6 address. */
  readonly address: string;
  readonly userAgent: string;
}

const HEX_DIGITS = 32;

/**
 * Returns a function that hashes a visitor to 32 hexadecimal digits. All processes with equal secrets get equal hashes.
 */
export function createVisitorHash(secret: string): (visitor: Visitor, day: UtcDay) => string {
  let salt: { readonly day: UtcDay; readonly key: Buffer } | undefined;
  return ({ counter, address, userAgent }, day) => {
    if (salt?.day !== day) salt = { day, key: createHmac('sha256', secret).update(day).digest() };
    const hmac = createHmac('sha256', salt.key).update(`${counter} ${address} ${userAgent}`);
    return hmac.digest('hex').slice(0, HEX_DIGITS);
  };
}
