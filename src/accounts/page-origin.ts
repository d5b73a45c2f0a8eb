// Origin rules of publishable keys: which hosts a key allows, and which rules match a page.
import { parse } from 'tldts';
import { parseUrl } from '../platform/web/parse-url.js';

export const MAX_ORIGINS = 20;
/** Maximum length of a rule: `*.` and a host of 253 characters (RFC 1035). */
export const MAX_ORIGIN_CHARACTERS = 255;
export const ORIGIN_RULE = 'a host such as example.com, *.example.com (its subdomains), localhost or 192.0.2.1';

export type OriginOutcome = { readonly origin: string } | { readonly reason: string };

/**
 * Parses a rule: a host in ASCII and lower case, without scheme, port and path. A leading `*.` matches subdomains at
 * any depth, but not the domain itself, as in CSP (w3.org/TR/CSP3, section 6.7.2.8).
 */
export function parseOrigin(text: string): OriginOutcome {
  const trimmed = text.trim();
  const isWildcard = trimmed.startsWith('*.');
  const host = isWildcard ? trimmed.slice(2) : trimmed;
  if (host === '') return { reason: 'is empty' };
  if (host === 'null') return { reason: 'is reserved for pages without a host' };
  if (trimmed.length > MAX_ORIGIN_CHARACTERS) return { reason: 'is too long' };
  if (host.includes('*')) return { reason: 'has a * that is not the whole first label' };
  if (host.includes('/')) return { reason: 'is a URL; use only its host' };
  const ascii = canonicalHost(host);
  if (ascii === undefined)
    return {
      reason: PORT.test(host) ? 'has a port; remove it, because a host includes all its ports' : 'is not a host name',
    };
  if (!isWildcard) return { origin: ascii };
  const { isIp, domain, hostname, publicSuffix } = parse(ascii, { allowPrivateDomains: true });
  if (isIp === true || ascii.startsWith('[')) return { reason: 'is an IP address, which has no subdomains' };
  if (domain === null && publicSuffix === hostname && ascii !== 'localhost')
    return { reason: `is too broad: anyone can register domains under ${ascii}` };
  return { origin: `*.${ascii}` };
}

const PORT = /^(?:[^:]+|\[.*\]):\d*$/;

/** Returns the host in canonical form, or undefined if the text is not a host name or has a port. */
function canonicalHost(host: string): string | undefined {
  const isIpv6 = /^\[[0-9a-f:.]+\]$/i.test(host);
  if (!isIpv6 && /[^\p{L}\p{M}\p{N}.\-\u{200C}\u{200D}]/u.test(host)) return undefined;
  const name = parseUrl(`http://${host}`)?.hostname.replace(/\.$/, '');
  if (name === undefined) return undefined;
  // Rejects text like `1.2.3`, which the URL parser has converted to the IP address 1.2.0.3.
  if (/^[\d.]+$/.test(name) && name !== host.replace(/\.$/, '')) return undefined;
  return isIpv6 || name.split('.').every((label) => LABEL.test(label)) ? name : undefined;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Scheme and authority at the start of an origin or URL. */
const PAGE = /^https?:\/\/[^/?#\\\s]{1,300}/i;

/**
 * Returns the origin of the page that sent a request: `Origin`, else the origin part of `Referer`. Returns undefined if
 * both headers are missing, and for `Origin: null`, which sandboxed pages send.
 */
export function pageOrigin(origin: string | undefined, referer: string | undefined): string | undefined {
  return PAGE.exec(origin ?? referer ?? '')?.[0];
}

/** Maximum length of a host (RFC 1035). */
const MAX_HOST_CHARACTERS = 253;

/**
 * Returns the host of a page origin, in the form that `parseOrigin` returns. Returns undefined for an invalid origin.
 */
export function hostOf(page: string): string | undefined {
  const host = parseUrl(page)?.hostname.replace(/\.$/, '');
  return host === undefined || host === '' || host.length > MAX_HOST_CHARACTERS ? undefined : host;
}

/**
 * Maximum number of wildcard rules that `originsOf` returns for a host. If the host has more parent domains,
 * `originsOf` returns the rules of the shortest parent domains.
 */
const MAX_WILDCARDS = 16;

/** Returns the rules that allow a page on this host: the host itself, and `*.` with each parent domain. */
export function originsOf(host: string | undefined): readonly string[] {
  if (host === undefined) return [];
  const origins = [host];
  if (parse(host).isIp === true) return origins;
  for (let dot = host.indexOf('.'); dot !== -1; dot = host.indexOf('.', dot + 1)) origins.push(`*${host.slice(dot)}`);
  return [host, ...origins.slice(1).slice(-MAX_WILDCARDS)];
}

/**
 * Returns true if a key with the rules `origins` allows the page. `page`: all rules that allow this page, as returned
 * by `originsOf`.
 */
export function allowsPage(origins: readonly string[], page: readonly string[]): boolean {
  return origins.length === 0 || page.some((origin) => origins.includes(origin));
}
