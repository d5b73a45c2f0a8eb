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

/** Names that are never public (RFC 6761, RFC 6762, RFC 8375, and ICANN's reserved `internal`). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|invalid|test|onion)$/;

/**
 * Returns true if the host of a URL is certainly private. A public name may still resolve to a private address, so each
 * request checks the address.
 */
export function isPrivateHost(hostname: string): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(literal) !== 0) return !isPublicAddress(literal);
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || PRIVATE_NAME.test(name);
}
