// IP addresses of clients, in the notations of sockets and proxies.
import ipaddr from 'ipaddr.js';

type ClientAddress =
  | { readonly family: 4; readonly bytes: readonly number[] }
  | { readonly family: 6; readonly parts: readonly number[] };

/** Matches forms that some proxies send: `203.0.113.9:5123`, `[2001:db8::1]`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:(?<v4>\d+\.\d+\.\d+\.\d+):\d+|\[(?<v6>[^\]:]*:[^\]]*)\](?::\d+)?)$/;

/**
 * Maximum length of an address, enough for IPv6 with a zone, brackets and a port. Longer text is not parsed, because a
 * proxy may forward any text from its client.
 */
const MAX_CHARACTERS = 100;

/**
 * Returns 4 bytes for IPv4 (also if mapped into IPv6), 8 parts of 16 bits for IPv6, or undefined for any other text.
 */
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

/** Returns the first `count` parts of an IPv6 address, such as `2001:db8:1`. */
export function ipv6Prefix(parts: readonly number[], count: number): string {
  return parts
    .slice(0, count)
    .map((part) => part.toString(16))
    .join(':');
}
