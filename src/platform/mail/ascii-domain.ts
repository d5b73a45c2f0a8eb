// Domains of e-mail addresses in ASCII.
import { parseUrl } from '../web/parse-url.js';

const TYPED_DOMAIN = /^(?:[A-Za-z0-9.-]|\P{ASCII})+$/u;
const NOT_ASCII = /\P{ASCII}/u;

/**
 * The address with A-labels (`xn--…`) in its domain (RFC 5890), so that every mail server can deliver to it and two
 * spellings of one mailbox are equal. An ASCII address stays as it is, and so does text that is no address.
 */
export function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (!NOT_ASCII.test(domain) || !TYPED_DOMAIN.test(domain)) return address;
  // The parser also reads ports, paths and percent encoding, which TYPED_DOMAIN rules out.
  const ascii = parseUrl(`http://${domain}`)?.hostname;
  return ascii === undefined ? address : `${address.slice(0, at + 1)}${ascii}`;
}
