// Which address a budget belongs to.
import ipaddr from 'ipaddr.js';

/** IPv4 as it is (also when mapped into IPv6), IPv6 by its /64: that is what one household or server gets. */
export function budgetAddress(address: string): string {
  // Some proxies add the port.
  const bare = address.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1').replace(/^\[(.+)\](?::\d+)?$/, '$1');
  if (!ipaddr.isValid(bare)) return 'unknown';
  const parsed = ipaddr.process(bare);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${(parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16)).join(':')}::/64`;
}
