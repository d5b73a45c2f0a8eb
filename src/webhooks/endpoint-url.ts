// URLs of endpoints: https to public hosts, and the operator's exceptions.
import { invalidField } from '../platform/errors.js';
import { isPrivateHost } from '../platform/outgoing/public-address.js';
import { MAX_URL_LENGTH, outgoingUrl, targetOf, type Exceptions } from '../platform/outgoing/target.js';

export const URL_RULE = `an https:// URL of a public host, without a user and a password, at most ${MAX_URL_LENGTH} characters`;
const TOO_LONG = `longer than ${MAX_URL_LENGTH} characters`;

/** Returns the normalized URL of an endpoint. Throws AppError `invalid_request` if it is not allowed. */
export function readEndpointUrl(text: string, exceptions: Exceptions): string {
  if (text.length > MAX_URL_LENGTH) throw invalidField('url', TOO_LONG, URL_RULE);
  const url = outgoingUrl(text);
  const problem = url ? problemOf(url, exceptions) : 'not a URL';
  if (!url || problem !== undefined) throw invalidField('url', problem ?? '', URL_RULE);
  return url.href;
}

function problemOf(url: URL, exceptions: Exceptions): string | undefined {
  // Parsing has escaped some characters.
  if (url.href.length > MAX_URL_LENGTH) return TOO_LONG;
  if (url.username !== '' || url.password !== '') return 'has a user or a password';
  if (targetOf(url, exceptions)?.isException === true) return undefined;
  if (url.protocol !== 'https:') return 'not https';
  if (url.port !== '') return 'has a port other than 443';
  return isPrivateHost(url.hostname) ? 'not a public host' : undefined;
}
