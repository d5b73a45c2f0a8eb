// Checks of the URLs in settings.
import { parseUrl } from '../src/platform/web/parse-url.js';

export function isRedisUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, hostname } = url;
  return (protocol === 'redis:' || protocol === 'rediss:') && hostname !== '';
}

/** Query of an SMTP_URL. It allows the service to send mails and passwords unencrypted. */
const TLS_OFF = '?tls=off';

export function isSmtpUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, hostname, username, password, pathname, search, hash } = url;
  const bare = (pathname === '' || pathname === '/') && hash === '';
  return (
    (protocol === 'smtp:' || protocol === 'smtps:') &&
    hostname !== '' &&
    bare &&
    (search === '' || (protocol === 'smtp:' && search === TLS_OFF)) &&
    isEncoded(username) &&
    isEncoded(password)
  );
}

/** Returns true if a service with this SMTP_URL sends a user name or password to another machine. */
export function sendsCredentials(smtpUrl: string): boolean {
  const { hostname, username, password } = new URL(smtpUrl);
  return (username !== '' || password !== '') && !isLoopback(hostname.toLowerCase());
}

export function isTlsOff(smtpUrl: string): boolean {
  return new URL(smtpUrl).search === TLS_OFF;
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '' || text === '';
  } catch {
    return false;
  }
}

export function isBareUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, pathname, search, hash, username, password } = url;
  return (
    (protocol === 'https:' || protocol === 'http:') &&
    [pathname, search, hash, username, password].join('') === '/' &&
    !/[?#]/.test(text)
  );
}

/** Returns true for a valid URL of a proxy. The URL may contain a user and a password. */
export function isHttpProxyUrl(text: string): boolean {
  const url = parseUrl(text);
  if (!url) return false;
  const { protocol, pathname, search, hash } = url;
  return (protocol === 'https:' || protocol === 'http:') && [pathname, search, hash].join('') === '/';
}

/** Returns true if data sent to this URL is encrypted or stays on this machine. */
export function isPrivateUrl(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || isLoopback(hostname);
}

/** Returns true if the host always means this machine. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/** Returns true if the text is a host name, `=`, and the origin that serves the host. */
export function isHostOrigin(text: string): boolean {
  const [, origin = ''] = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?=(.+)$/i.exec(text) ?? [];
  return isBareUrl(origin);
}
