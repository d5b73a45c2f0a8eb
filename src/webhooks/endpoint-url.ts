// URLs of endpoints: https to public hosts, and the operator's exceptions.
import { invalidField } from '../platform/errors.js';
import { isPublicAddress } from '../platform/outgoing/public-address.js';
import type { Exceptions } from '../platform/outgoing/target.js';
import { parseIpAddress } from '../platform/web/ip-address.js';
import { parseUrl } from '../platform/web/parse-url.js';

export const MAX_URL_CHARACTERS = 2048;
export const URL_RULE = `an https:// URL of a public host, without a user and a password, at most ${MAX_URL_CHARACTERS} characters`;

/** Names that are never public (RFC 6761, RFC 6762, RFC 8375, and ICANN's reserved `internal`). */
const PRIVATE_NAME = /(?:^|\.)(?:localhost|local|internal|home\.arpa|invalid|test|onion)$/;

/** Returns the normalized URL of an endpoint. Throws AppError `invalid_request` if it is not allowed. */
export function readEndpointUrl(text: string, { origins }: Exceptions): string {
  const invalid = (reason: string) => invalidField('url', reason, URL_RULE);
  // Checked before parsing, because converting an IDN takes quadratic time, and after it, because escaping adds
  // characters.
  const url = text.length > MAX_URL_CHARACTERS ? undefined : parseUrl(text);
  if (text.length > MAX_URL_CHARACTERS || (url && url.href.length > MAX_URL_CHARACTERS))
    throw invalid(`longer than ${MAX_URL_CHARACTERS} characters`);
  if (!url) throw invalid('not a URL');
  if (url.username !== '' || url.password !== '') throw invalid('has a user or a password');
  url.hash = '';
  if (origins.has(url.origin)) return url.href;
  if (url.protocol !== 'https:') throw invalid('not https');
  if (url.port !== '') throw invalid('has a port other than 443');
  if (isPrivateHost(url.hostname)) throw invalid('not a public host');
  return url.href;
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
