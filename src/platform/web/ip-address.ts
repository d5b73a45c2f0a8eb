// IP addresses of clients, as sockets and proxies write them.
import ipaddr from 'ipaddr.js';

type ClientAddress =
  { readonly family: 4; readonly bytes: readonly number[] } | { readonly family: 6; readonly parts: readonly number[] };

/** `203.0.113.9:5123`, `[2001:db8::1]`, `[2001:db8::1]:443`: some proxies add the port. */
const WITH_PORT = /^(?:(?<v4>\d+\.\d+\.\d+\.\d+):\d+|\[(?<v6>[^\]:]*:[^\]]*)\](?::\d+)?)$/;

/** IPv6 with a zone, brackets and a port is shorter; a proxy passes on whatever its client sent. */
const MAX_CHARACTERS = 100;

/** 4 bytes of IPv4, also when it is mapped into IPv6, else the 8 parts of IPv6; undefined for any other text. */
export function parseIpAddress(address: string): ClientAddress | undefined {
  if (address.length > MAX_CHARACTERS) return undefined;
  const groups = WITH_PORT.exec(address)?.groups;
  const bare = groups?.v4 ?? groups?.v6 ?? address;
  if (!ipaddr.isValid(bare)) return undefined;
  const parsed = ipaddr.process(bare);
  return parsed instanceof ipaddr.IPv6
    ? { family: 6, parts: parsed.parts }
    : { family: 4, bytes: parsed.toByteArray() };
}

/** The first parts of IPv6: `2001:db8:1`. */
export function ipv6Prefix(parts: readonly number[], count: number): string {
  return parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':');
}
