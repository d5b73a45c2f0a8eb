// Targets of outgoing requests: decides which URLs are allowed, and to which origin a request is sent.
import { parseUrl } from '../web/parse-url.js';

/**
 * Private origins and hosts to which the operator allows requests. Their IP addresses are not checked, and their URLs
 * may have any port.
 */
export interface Exceptions {
  /** Allowed origins, for example `http://10.0.0.7:8080`. */
  readonly origins: ReadonlySet<string>;
  /** Host name → origin. Requests to this host, over http or https, are sent to the origin. */
  readonly hosts: ReadonlyMap<string, string>;
}

export const NO_EXCEPTIONS: Exceptions = { origins: new Set(), hosts: new Map() };

/**
 * Parses items such as `intranet.corp=http://10.0.0.7:8080`. Requests to the origin itself are also allowed, because
 * pages of the host may link to it.
 */
export function hostExceptions(items: readonly string[]): Exceptions {
  const hosts = new Map(
    items.map((item): [string, string] => {
      const at = item.indexOf('=');
      return [item.slice(0, at).toLowerCase(), new URL(item.slice(at + 1)).origin];
    }),
  );
  return { hosts, origins: new Set(hosts.values()) };
}

/** Parses items such as `http://10.0.0.7:8080`. */
export function originExceptions(items: readonly string[]): Exceptions {
  return { hosts: new Map(), origins: new Set(items.map((item) => new URL(item).origin)) };
}

export interface Target {
  readonly origin: string;
  readonly isException: boolean;
}

const PORTS = new Set(['', '80', '443']);

/**
 * Returns the target of a URL, or undefined if the URL is never allowed. The address of the host is checked later, when
 * the connection is made.
 */
export function targetOf(url: URL, { origins, hosts }: Exceptions): Target | undefined {
  const { protocol, port, hostname, username, password, origin } = url;
  if ((protocol !== 'http:' && protocol !== 'https:') || username !== '' || password !== '') return undefined;
  const mapped = port === '' ? hosts.get(hostname) : undefined;
  if (mapped !== undefined) return { origin: mapped, isException: true };
  if (origins.has(origin)) return { origin, isException: true };
  return PORTS.has(port) ? { origin, isException: false } : undefined;
}

/**
 * Maximum number of characters of a URL. Longer text is not parsed, because Node needs seconds to convert a long host
 * name to ASCII.
 */
export const MAX_URL_LENGTH = 2048;

/** Returns the URL without its fragment, or undefined if the text is too long or not a URL. */
export function outgoingUrl(text: string, base?: URL): URL | undefined {
  if (text.length > MAX_URL_LENGTH) return undefined;
  const url = base ? relativeUrl(text, base) : parseUrl(text);
  if (url) url.hash = '';
  return url;
}

function relativeUrl(text: string, base: URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
