// Claims of an entry to hosts, by strength. A home page on the host is strong evidence for a claim. Any other page on
// the host is weak evidence.
import type { Entry } from '../catalog/entry.js';
import { isHomePage, parseHost, type Host } from '../platform/web/host-name.js';
import { otherSpellings, tokenize } from '../platform/text/tokenize.js';

/** Strengths of claims. Statements of the operator are the strongest. */
export const CLAIM = {
  stated: 7,
  /**
   * The operator assigns the host to a brand name. The name equals the title of the entry or another spelling of it,
   * but not the slug.
   */
  statedByTitle: 6,
  /** The entry's home page is the root page of a host that contains the brand's name. */
  namesake: 5,
  /** The domain contains the brand's name, but the entry's page on this domain is not a root page. */
  namedDomain: 4,
  /** The entry's home page is the root page of this host. */
  home: 3,
  /** The host is one of the entry's domains, but the entry's home page is on another host. */
  listed: 2.5,
  /** The domain contains the brand's name, and the drawing or the guidelines come from this domain. */
  namedSource: 2,
  /**
   * The entry's page on the host is not the root page, so the host may belong to another brand. An entry with only this
   * claim is never the owner of the host.
   */
  page: 1,
} as const;

export interface Claim {
  readonly host: string;
  readonly registrable: string;
  readonly strength: number;
}

/**
 * Returns the strongest claim of an entry to each host. `isHosting`: returns true for domains where users publish
 * pages.
 */
export function claimsOf(entry: Entry, isHosting: (host: Host) => boolean): readonly Claim[] {
  const claims = new Map<string, Claim>();
  const claim = (host: string, { registrable }: Host, strength: number) => {
    if (strength > (claims.get(host)?.strength ?? 0)) claims.set(host, { host, registrable, strength });
  };
  const names = namesOf(entry);
  const addresses = entry.website === null ? [entry.domain, ...entry.domains] : [entry.website];
  for (const { address, host } of hostsOf(addresses)) {
    const root = isHomePage(address);
    if (names.has(foldName(host.label)) || names.has(foldName(host.registrable))) {
      claim(host.registrable, host, root ? CLAIM.namesake : CLAIM.namedDomain);
    } else if (names.has(withoutAffix(foldName(host.label)))) {
      claim(host.registrable, host, CLAIM.home);
    }
    if (root) claim(host.host, host, bearsName(host, names) ? CLAIM.namesake : CLAIM.home);
    else if (!isHosting(host)) claim(host.host, host, CLAIM.page);
  }
  // The import has determined that these hosts belong to the brand, even if the home page is on another host.
  for (const { host } of hostsOf(entry.domains))
    claim(host.host, host, bearsName(host, names) ? CLAIM.namesake : CLAIM.listed);
  for (const { host } of hostsOf([entry.source, entry.guidelines])) {
    if (names.has(foldName(host.label))) claim(host.registrable, host, CLAIM.namedSource);
  }
  return [...claims.values()];
}

/** Converts a name or a domain label to the form in which both are compared. */
export const foldName = (name: string) => tokenize(name).normalized;

/** Matches common additions to a brand's name in domains: getkirby.com, konghq.com, rust-lang.org, nodejs.org. */
const AFFIX = /^(?:get|use|try|join|go)(?=...)|(?<=..)(?:js|lang|hq|app|project|framework|scm|css|inc|cms)$/;

const withoutAffix = (label: string) => label.replace(AFFIX, '');

function* hostsOf(addresses: readonly (string | null)[]): Generator<{ readonly address: string; readonly host: Host }> {
  for (const address of addresses) {
    const host = address === null ? undefined : parseHost(address);
    if (address !== null && host?.kind === 'host') yield { address, host };
  }
}

/** Returns the names in comparable form: first the slug, then the title and its other spellings. */
export function ownNames(entry: Entry): readonly string[] {
  return [...new Set([entry.slug, entry.title, ...otherSpellings(entry)].map(foldName))];
}

function namesOf(entry: Entry): ReadonlySet<string> {
  return new Set([...ownNames(entry), ...entry.aliases.map(foldName)]);
}

/**
 * Returns true if the host spells a name of the brand. A registrable domain spells it with or without its public
 * suffix. A subdomain spells it with its first label, or with that label and the domain's label together.
 * `azure.microsoft.com` spells "Azure" and "Microsoft Azure".
 */
function bearsName({ host, registrable, label }: Host, names: ReadonlySet<string>): boolean {
  if (host === registrable) return names.has(foldName(label)) || names.has(foldName(host));
  const first = foldName(host.slice(0, host.indexOf('.')));
  return names.has(first) || names.has(foldName(label) + first) || names.has(first + foldName(label));
}
