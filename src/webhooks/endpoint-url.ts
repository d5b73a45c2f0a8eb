// URLs of endpoints: https to public hosts, and the operator's exceptions.
import { isPublicAddress } from '../platform/outgoing/public-address.js';
import type { Exceptions } from '../platform/outgoing/target.js';
import { parseIpAddress } from '../platform/web/ip-address.js';
import { parseUrl } from '../platform/web/parse-url.js';
import { MAX_URL_CHARACTERS } from './endpoint.js';

export const URL_RULE = `an https:// URL of a public host, without a user and a password, at most ${MAX_URL_CHARACTERS} characters`;

export type ReadUrl = { readonly url: string } | { readonly reason: string };
/** Parses the URL of an endpoint, or says why it is not allowed. */
export type ReadEndpointUrl = (text: string) => ReadUrl;

/** Names that are never public (RFC 6761, RFC 6762, RFC 8375, and ICANN's reserved `internal`). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|invalid|test|onion)$/;

export function endpointUrlReader({ origins }: Exceptions): ReadEndpointUrl {
  return (text) => {
    if (text.length > MAX_URL_CHARACTERS) return { reason: `longer than ${MAX_URL_CHARACTERS} characters` };
    const url = parseUrl(text);
    if (!url) return { reason: 'not a URL' };
    if (url.username !== '' || url.password !== '') return { reason: 'has a user or a password' };
    if (url.href.length > MAX_URL_CHARACTERS) return { reason: `longer than ${MAX_URL_CHARACTERS} characters` };
    url.hash = '';
    if (origins.has(url.origin)) return { url: url.href };
    if (url.protocol !== 'https:') return { reason: 'not https' };
    if (url.port !== '') return { reason: 'has a port other than 443' };
    return isPrivateHost(url.hostname) ? { reason: 'not a public host' } : { url: url.href };
  };
}

/**
 * Returns true if the host is certainly private. A public name may still resolve to a private address, which each
 * request checks.
 */
function isPrivateHost(hostname: string): boolean {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  if (parseIpAddress(literal)) return !isPublicAddress(literal);
  const name = hostname.replace(/\.$/, '');
  return !name.includes('.') || PRIVATE_NAME.test(name);
}
