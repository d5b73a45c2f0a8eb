// Rate limit and fairness keys of a client's IP address: IPv6 by prefix.
import { ipv6Prefix, parseIpAddress } from '../../domain/ip-address.js';

/** A site: of IPv6 the /48, because a single machine may come from every /64 of it. */
export function fairnessKey(clientAddress: string): string {
  const parsed = parseIpAddress(clientAddress);
  return parsed?.family === 6 ? `${ipv6Prefix(parsed.parts, 3)}::/48` : rateLimitKey(clientAddress);
}

/** IPv4 as it is (also when mapped into IPv6), IPv6 by its /64: that is what one household or server gets. */
export function rateLimitKey(clientAddress: string): string {
  const parsed = parseIpAddress(clientAddress);
  if (!parsed) return 'unknown';
  return parsed.family === 4 ? parsed.bytes.join('.') : `${ipv6Prefix(parsed.parts, 4)}::/64`;
}
