// Hosts as brand lookup sees them: from a domain, an address or an e-mail address to host, registrable domain and label.
import { parse } from 'tldts';

export interface Host {
  readonly kind: 'host';
  /** ASCII, lower case, without `www.`. */
  readonly host: string;
  /** The part that one registers, by the public suffix list, private section included: `user.github.io` is one. */
  readonly registrable: string;
  /** The registrable domain without its suffix. */
  readonly label: string;
  /** The suffix is a country's (`de`, `co.uk`), not one under which a private host lets anybody have a name (`github.io`). */
  readonly national: boolean;
}

export type HostOutcome = Host | { readonly kind: 'invalid'; readonly reason: string };

const LONGEST = 2048;
const refuse = (reason: string): HostOutcome => ({ kind: 'invalid', reason });

/** A host name, or any address with one in it. Scheme, user, port, path and a final dot are dropped; IDN becomes ASCII. */
export function parseHost(text: string): HostOutcome {
  const trimmed = text.trim();
  if (trimmed === '') return refuse('is empty');
  if (trimmed.length > LONGEST) return refuse('is too long');
  // Read as a web address whatever its scheme: for others a URL's host is left unchecked and percent-encoded.
  const address = `http://${trimmed.replace(/^(?:[a-z][a-z0-9+.-]*:)?\/\//i, '')}`;
  if (!URL.canParse(address)) return refuse('has no host name that could be read');
  return judgeHost(new URL(address).hostname.replace(/\.$/, ''));
}

function judgeHost(hostname: string): HostOutcome {
  const parsed = parse(hostname, { allowPrivateDomains: true, validateHostname: true });
  if (parsed.isIp === true) return refuse('is an IP address, which belongs to no brand');
  if (!parsed.hostname) return refuse('is not a valid host name');
  if (!parsed.hostname.includes('.')) return refuse('is a single label; give a full domain such as github.com');
  if (!parsed.domain) return refuse('is a public suffix, under which anybody may register');
  if (parsed.isIcann !== true && parsed.isPrivate !== true) return refuse('does not end in a known top-level domain');
  const host = parsed.hostname.replace(/^www\d?\.(?=.)/, '');
  const inside = host === parsed.domain || host.endsWith(`.${parsed.domain}`);
  return {
    kind: 'host',
    host: inside ? host : parsed.hostname,
    registrable: parsed.domain,
    label: parsed.domainWithoutSuffix ?? '',
    national: parsed.isIcann === true && /\.[a-z]{2}$/.test(parsed.domain),
  };
}

/** The host of an e-mail address; a display name before it is allowed. */
export function parseEmail(text: string): HostOutcome {
  const address = /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text.trim();
  const at = address.lastIndexOf('@');
  if (at < 1 || at === address.length - 1) return refuse('is not an e-mail address');
  const domain = address.slice(at + 1);
  return /[\s/?#:@\\]/.test(domain) ? refuse('is not an e-mail address') : parseHost(domain);
}

/** The host and those above it, down to the registrable domain. */
export function upward({ host, registrable }: Host): readonly string[] {
  const hosts = [host];
  for (let at = host; at !== registrable && at.includes('.'); ) {
    at = at.slice(at.indexOf('.') + 1);
    hosts.push(at);
  }
  return hosts;
}
