// Domains of e-mail addresses in ASCII.
import { parseUrl } from '../web/parse-url.js';

const TYPED_DOMAIN = /^(?:[A-Za-z0-9.-]|\P{ASCII})+$/u;
const NOT_ASCII = /\P{ASCII}/u;

/**
 * Returns the address with A-labels (`xn--…`) in its domain (RFC 5890). Every mail server can then deliver to it, and
 * two spellings of one mailbox are equal. ASCII addresses, and text that is not an address, are returned unchanged.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (!NOT_ASCII.test(domain) || !TYPED_DOMAIN.test(domain)) return address;
  // The parser also accepts ports, paths and percent encoding, which TYPED_DOMAIN excludes.
  const ascii = parseUrl(`http://${domain}`)?.hostname;
  return ascii === undefined ? address : `${address.slice(0, at + 1)}${ascii}`;
}
