// Public unicast addresses. A request to an address that a user has chosen may reach only these addresses.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Range from which IANA assigns global unicast addresses. All other addresses, such as `::7f00:1`, have special
 * purposes.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/**
 * Address of Azure's platform services for hosts inside Azure. The address is in a public range, but requests must not
 * reach it.
 */
const AZURE_PLATFORM = '168.63.129.16';

/**
 * Returns false for private, loopback, link-local, shared, multicast, documentation and other special addresses. Also
 * returns false for IPv6 addresses that contain or translate an IPv4 address, and for text that is no address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%') || address === AZURE_PLATFORM) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}
