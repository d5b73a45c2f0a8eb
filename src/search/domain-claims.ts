// Claims of an entry to domains, by strength. The brand's home page is strong evidence; a page on another site is weak.
import type { Entry } from '../catalog/entry.js';
import { isHomePage, parseHost, type Host } from '../platform/web/host-name.js';
import { otherSpellings, tokenize } from '../platform/text/tokenize.js';

/** Strengths of claims, from statements of the operator to the weakest evidence. */
export const CLAIM = {
  stated: 7,
  /** The operator states the host for a name that is this entry's title, but not its slug. */
  statedByTitle: 6,
  /** The entry's home page is the root of a host with the brand's name. */
  namesake: 5,
  /** The entry has pages, but not its home page, under a domain with the brand's name. */
  namedDomain: 4,
  /** The entry's home page is the root of this host. */
  home: 3,
  /** The host is among the entry's domains, but its home page is elsewhere. */
  listed: 2.5,
  /** The domain has the brand's name, and the drawing or the guidelines come from it. */
  namedSource: 2,
  /** The entry has a page on the host, as a product or a guest. This claim never makes the entry the host's owner. */
  page: 1,
} as const;

export interface Claim {
  readonly host: string;
  readonly registrable: string;
  readonly strength: number;
}

/**
 * Returns the strongest claim of an entry to each host. `isHosting` returns true for domains where users publish pages.
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
  // The import chose these hosts as the brand's, even if the home page is elsewhere.
  for (const { host } of hostsOf(entry.domains))
    claim(host.host, host, bearsName(host, names) ? CLAIM.namesake : CLAIM.listed);
  for (const { host } of hostsOf([entry.source, entry.guidelines])) {
    if (names.has(foldName(host.label))) claim(host.registrable, host, CLAIM.namedSource);
  }
  return [...claims.values()];
}

/** Returns the form in which names and labels are compared. */
export const foldName = (name: string) => tokenize(name).normalized;

/** Matches common additions to names in domains: getkirby.com, konghq.com, rust-lang.org, nodejs.org. */
const AFFIX = /^(?:get|use|try|join|go)(?=...)|(?<=..)(?:js|lang|hq|app|project|framework|scm|css|inc|cms)$/;

const withoutAffix = (label: string) => label.replace(AFFIX, '');

function* hostsOf(addresses: readonly (string | null)[]): Generator<{ readonly address: string; readonly host: Host }> {
  for (const address of addresses) {
    const host = address === null ? undefined : parseHost(address);
    if (address !== null && host?.kind === 'host') yield { address, host };
  }
}

/** Returns the slug, then the title and its other spellings. */
export function ownNames(entry: Entry): readonly string[] {
  return [...new Set([entry.slug, entry.title, ...otherSpellings(entry)].map(foldName))];
}

function namesOf(entry: Entry): ReadonlySet<string> {
  return new Set([...ownNames(entry), ...entry.aliases.map(foldName)]);
}

/** Returns true if the host consists of one of the names. `azure.microsoft.com` is "Azure" or "Microsoft Azure". */
function bearsName({ host, registrable, label }: Host, names: ReadonlySet<string>): boolean {
  if (host === registrable) return names.has(foldName(label)) || names.has(foldName(host));
  const first = foldName(host.slice(0, host.indexOf('.')));
  return names.has(first) || names.has(foldName(label) + first) || names.has(first + foldName(label));
}
