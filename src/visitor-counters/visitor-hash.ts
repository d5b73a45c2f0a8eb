// Hash of a visitor: keyed with a salt of the day, so that hashes of other days and counters cannot be linked.
import { createHmac } from 'node:crypto';
import type { UtcDay } from '../platform/utc-day.js';
import type { CounterName } from './counter.js';

interface Visitor {
  readonly counter: CounterName;
  /** IPv4, or the /64 of IPv6. */
  readonly address: string;
  readonly userAgent: string;
}

const HEX_DIGITS = 32;

/** 32 hexadecimal digits. The same for all processes that have the same secret. */
export function createVisitorHash(secret: string): (visitor: Visitor, day: UtcDay) => string {
  let salt: { readonly day: UtcDay; readonly key: Buffer } | undefined;
  return ({ counter, address, userAgent }, day) => {
    if (salt?.day !== day) salt = { day, key: createHmac('sha256', secret).update(day).digest() };
    const hmac = createHmac('sha256', salt.key).update(`${counter} ${address} ${userAgent}`);
    return hmac.digest('hex').slice(0, HEX_DIGITS);
  };
}
