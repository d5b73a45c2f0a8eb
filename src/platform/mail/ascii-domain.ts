// ASCII form of the domains of e-mail addresses.
import { parseUrl } from '../web/parse-url.js';

const TYPED_DOMAIN = /^(?:[A-Za-z0-9.-]|\P{ASCII})+$/u;
const NOT_ASCII = /\P{ASCII}/u;

/**
 * Converts the domain of an address to A-labels (`xn--…`, RFC 5890), so that every mail server can deliver to the
 * address, and two spellings of a mailbox become equal. Returns ASCII addresses, and text that is not an address,
 * unchanged.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (!NOT_ASCII.test(domain) || !TYPED_DOMAIN.test(domain)) return address;
  // The URL parser would also accept ports, paths and percent-encoding. TYPED_DOMAIN has already excluded them.
  const ascii = parseUrl(`http://${domain}`)?.hostname;
  return ascii === undefined ? address : `${address.slice(0, at + 1)}${ascii}`;
}
