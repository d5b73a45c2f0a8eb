// Search queries that are a host, a URL or an e-mail address.
import { parseAnyHost, parseHost, type Host } from '../platform/web/host-name.js';

/** Words that people add to the name of a brand, and legal forms of companies, in lower case. */
export const NOISE: ReadonlySet<string> = new Set(
  (
    'logo logos icon icons svg png webp vector brand brands symbol emblem wordmark favicon picture image download ' +
    'transparent official www http https com inc incorporated ltd limited llc gmbh se ag kg corp corporation company co plc sa bv of the'
  ).split(' '),
);
export interface HostQuery {
  /** Spellings of the host for a lookup by name: as the user typed it, and the value of `any`. */
  readonly names: readonly string[];
  /** Host as `parseAnyHost` returns it. May be a private name or an IP address. */
  readonly any: string;
  /** Host as `parseHost` returns it. Undefined if no brand of the catalog can have this host. */
  readonly host: Host | undefined;
  /** True if the query is only a host. The user may still be typing it. */
  readonly isBare: boolean;
}

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}(?:[:/]|$)/;
/** Endings of host names in private networks: RFC 6761, RFC 6762, RFC 8375 and the reserved `internal`. */
const PRIVATE_NAME = /\.(?:local|internal|lan|home\.arpa|localhost|test|example|invalid)$/i;

/**
 * Parses a query that is a host, a URL or an e-mail address. Returns undefined for other text. "Node.js" is other text,
 * because `js` is not a top-level domain.
 */
export function readHostQuery(text: string): HostQuery | undefined {
  const words = text.trim().split(/\s+/);
  const [word = '', ...others] = words.filter((each) => !NOISE.has(each.toLowerCase()));
  if (others.length > 0 || !/[.:]/.test(word)) return undefined;
  const any = parseAnyHost(word);
  if (any === undefined) return undefined;
  const outcome = parseHost(word);
  const host = outcome.kind === 'host' ? outcome : outcome.suffix;
  const isPrivate = HAS_SCHEME.test(word) || IPV4.test(word) || any.startsWith('[') || PRIVATE_NAME.test(any);
  if (host === undefined && !isPrivate) return undefined;
  const isBare = words.length === 1 && /^[^/@:]+$/.test(word);
  return { names: isBare ? [...new Set([word.toLowerCase(), any])] : [any], any, host, isBare };
}
