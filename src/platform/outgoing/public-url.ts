// URLs that users register for later requests: https to public hosts, and the operator's exceptions.
import { invalidField, type AppError } from '../errors.js';
import { isPrivateHost } from './public-address.js';
import { MAX_URL_LENGTH, outgoingUrl, targetOf, type Exceptions } from './target.js';

export const PUBLIC_URL_RULE = `an https:// URL of a public host, without a user and a password, at most ${MAX_URL_LENGTH} characters`;
const TOO_LONG = `longer than ${MAX_URL_LENGTH} characters`;

const notAllowed = (problem: string): AppError => invalidField('url', problem, PUBLIC_URL_RULE);

/** Returns the normalized URL. Throws AppError `invalid_request` about the field `url` if it is not allowed. */
export function readPublicUrl(text: string, exceptions: Exceptions): string {
  const url = outgoingUrl(text);
  if (!url) throw notAllowed(text.length > MAX_URL_LENGTH ? TOO_LONG : 'not a URL');
  const problem = problemOf(url, exceptions);
  if (problem !== undefined) throw notAllowed(problem);
  return url.href;
}

function problemOf(url: URL, exceptions: Exceptions): string | undefined {
  // The length is checked again, because parsing escapes some characters and makes the URL longer.
  if (url.href.length > MAX_URL_LENGTH) return TOO_LONG;
  if (url.username !== '' || url.password !== '') return 'has a user or a password';
  if (targetOf(url, exceptions)?.isException === true) return undefined;
  if (url.protocol !== 'https:') return 'not https';
  if (url.port !== '') return 'has a port other than 443';
  return isPrivateHost(url.hostname) ? 'not a public host' : undefined;
}
