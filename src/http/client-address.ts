// Which address a budget belongs to.
import { parseAddress, prefix } from '../domain/client-address.js';

/** IPv4 as it is (also when mapped into IPv6), IPv6 by its /64: that is what one household or server gets. */
export function budgetAddress(address: string): string {
  const parsed = parseAddress(address);
  if (!parsed) return 'unknown';
  return parsed.family === 4 ? parsed.bytes.join('.') : `${prefix(parsed.parts, 4)}::/64`;
}
