// Host names for brand lookup: host, registrable domain and label, parsed from a domain, URL or e-mail address.
import { parse } from 'tldts';
import { isPrintable } from '../text/printable.js';
import { parseUrl } from './parse-url.js';

export interface Host {
  readonly kind: 'host';
  /** Host name in ASCII and lower case, without `www.`. */
  readonly host: string;
  /**
   * Registrable domain by the public suffix list, including the list's private section. For example, `user.github.io`
   * is a registrable domain.
   */
  readonly registrable: string;
  /** Registrable domain without its public suffix. */
  readonly label: string;
  /**
   * True if the suffix belongs to a country (`de`, `co.uk`). False for a country code that anybody uses (`io`), and for
   * a suffix of the private section (`github.io`).
   */
  readonly national: boolean;
}

export interface NoHost {
  readonly kind: 'invalid';
  /** Problem of the text, as the end of a sentence, such as "is an IP address, …". */
  readonly reason: string;
  /**
   * True for a valid host that is not a public domain: an IP address, a single label, a public suffix, or a name with
   * an unknown top-level domain. Missing if the text contains no valid host.
   */
  readonly isHostName?: true;
  /**
   * Host, set if the text is a public suffix. Some public suffixes are also sites of a brand, such as gov.uk and
   * nhs.uk, so lookups accept them as hosts.
   */
  readonly suffix?: Host;
}

export type HostOutcome = Host | NoHost;

/**
 * Country codes that anybody can use for a domain, so `acme.io` may have another owner than `acme.com`. List: Google
 * Search Central, "Managing multi-regional sites", generic country-code top-level domains.
 */
const GENERIC = new Set('ad ai as bz cc cd co dj fm io la me ms nu sc sr su tv tk ws gg so sh ly to'.split(' '));

function isNational(domain: string): boolean {
  const suffix = domain.slice(domain.lastIndexOf('.') + 1);
  return suffix.length === 2 && !(GENERIC.has(suffix) && domain.split('.').length === 2);
}

const LONGEST = 2048;
/** Maximum length of a host (RFC 1035, section 2.3.4). */
const LONGEST_HOST = 253;
/** Maximum length of a port with its colon. */
const LONGEST_PORT = 6;
const invalid = (reason: string): NoHost => ({ kind: 'invalid', reason });
const notPublic = (reason: string): NoHost => ({ kind: 'invalid', reason, isHostName: true });

/**
 * Parses a host name, or a URL with any scheme. Removes scheme, user, port, path and a final dot. Converts
 * international domain names to ASCII.
 */
export function parseHost(text: string): HostOutcome {
  const trimmed = text.trim();
  if (trimmed === '') return invalid('is empty');
  if (trimmed.length > LONGEST) return invalid('is too long');
  const hostname = hostnameIn(trimmed)?.replace(/\.$/, '');
  if (hostname === undefined) return invalid('contains no readable host name');
  return /^\.|\.\./.test(hostname) ? invalid('is not a valid host name') : classifyHost(hostname);
}

/**
 * Parses a host name or URL, including hosts of a private network: `nas.local`, `jira`, `10.0.0.7`. Removes scheme,
 * user, port, path, a final dot and `www.`. Converts international domain names to ASCII. Returns undefined if the text
 * has no host.
 */
export function parseAnyHost(text: string): string | undefined {
  const hostname = hostnameIn(text.trim())?.replace(/\.$/, '');
  if (hostname === undefined || hostname === '' || hostname.length > LONGEST_HOST || hostname.includes('%'))
    return undefined;
  return hostname.replace(/^www\.(?=[^.])/, '');
}

/**
 * Returns the host of a URL. Parses every URL with the scheme http, because for other schemes the URL parser does not
 * check the host, but percent-encodes it. Checks the length first, because converting an international domain name
 * takes quadratic time.
 */
function hostnameIn(text: string): string | undefined {
  // Unprintable text is rejected, because the URL parser would silently remove tabs and line feeds.
  if (text === '' || text.length > LONGEST || !isPrintable(text)) return undefined;
  const address = text.replace(/^(?:[a-z][a-z0-9+.-]*:)?[/\\]{2,}/i, '');
  const authority = address.slice(0, address.search(/[/\\?#]|$/));
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return host.length > LONGEST_HOST + LONGEST_PORT ? undefined : parseUrl(`http://${address}`)?.hostname;
}

function classifyHost(hostname: string): HostOutcome {
  const parsed = parse(hostname, { allowPrivateDomains: true, validateHostname: true });
  if (parsed.isIp === true) return notPublic('is an IP address, which never belongs to a public brand');
  if (!parsed.hostname) return invalid('is not a valid host name');
  if (!parsed.hostname.includes('.')) return notPublic('is a single label; use a full domain such as github.com');
  const { publicSuffix: host } = parsed;
  if (host !== null && host.includes('.') && (!parsed.domain || parsed.domain === `www.${host}`)) {
    return {
      ...notPublic('is a public suffix, under which anyone can register domains'),
      suffix: { kind: 'host', host, registrable: host, label: '', national: false },
    };
  }
  if (!parsed.domain) return notPublic('is a top-level domain, under which anyone can register domains');
  if (parsed.isIcann !== true && parsed.isPrivate !== true)
    return notPublic('does not end in a known top-level domain');
  const bare = parsed.hostname.replace(/^www\d?\.(?=.)/, '');
  const inside = bare === parsed.domain || bare.endsWith(`.${parsed.domain}`);
  return {
    kind: 'host',
    host: inside ? bare : parsed.hostname,
    registrable: parsed.domain,
    label: parsed.domainWithoutSuffix ?? '',
    national: parsed.isIcann === true && isNational(parsed.domain),
  };
}

/** Returns the host of an e-mail address. The address may have a display name. */
export function parseEmailHost(text: string): HostOutcome {
  const domain = emailDomain(text);
  return domain === undefined ? invalid('is not an e-mail address') : parseHost(domain);
}

/** Returns the domain after the `@`, or undefined if the text is not an e-mail address. */
export function emailDomain(text: string): string | undefined {
  const address = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.trim();
  const at = address.lastIndexOf('@');
  if (at < 1 || at === address.length - 1) return undefined;
  const domain = address.slice(at + 1);
  return /[\s/?#:@\\]/.test(domain) ? undefined : domain;
}

/** Returns the host and its parent domains, up to the registrable domain. */
export function upward({ host, registrable }: Host): readonly string[] {
  const hosts = [host];
  for (let at = host; at !== registrable && at.includes('.');) {
    at = at.slice(at.indexOf('.') + 1);
    hosts.push(at);
  }
  return hosts;
}

/** Returns true if the host is one of these domains, or a subdomain of one of them. */
export function isUnder({ host }: Pick<Host, 'host'>, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Returns true if a URL is a home page: it has no path, or only the path of a language or of an index page. */
export function isHomePage(address: string): boolean {
  const path = address
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/^[^/?#]*/, '')
    .replace(/[?#].*/s, '');
  return /^\/?(?:[a-z]{2}(?:[-_][a-z]{2,4})?|home|index\.\w+)?(?:\/(?:home|index\.\w+))?\/?$/i.test(path);
}
