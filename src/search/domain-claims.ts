// Domain claims of an entry, by strength: its brand's home page counts, a page on another site does not.
import type { Entry } from '../catalog/entry.js';
import { isHomePage, parseHost, type Host } from '../platform/web/host-name.js';
import { otherSpellings, tokenize } from '../platform/text/tokenize.js';

/** From what the operator states to the weakest evidence. */
export const CLAIM = {
  stated: 7,
  /** Stated of a name that is this entry's title, but not its slug. */
  statedByTitle: 6,
  /** Its home page is at the root of a host that bears its name. */
  namesake: 5,
  /** Has pages under a domain that bears its name. */
  namedDomain: 4,
  /** Its home page is the root of this host. */
  home: 3,
  /** Among its domains, for another reason than its home page. */
  listed: 2.5,
  /** The domain bears its name, and its drawing or guidelines come from there. */
  namedSource: 2,
  /** Has a page there: a product, or a guest. Never makes it the host's brand. */
  page: 1,
} as const;

export interface Claim {
  readonly host: string;
  readonly registrable: string;
  readonly strength: number;
}

/** Claims of one entry, for each host the strongest. `isHosting` names domains whose pages are their users'. */
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
  // The host that the import took for the brand's is the brand's, whether its home page is there or not.
  for (const { host } of hostsOf(entry.domains))
    claim(host.host, host, bearsName(host, names) ? CLAIM.namesake : CLAIM.listed);
  for (const { host } of hostsOf([entry.source, entry.guidelines])) {
    if (names.has(foldName(host.label))) claim(host.registrable, host, CLAIM.namedSource);
  }
  return [...claims.values()];
}

/** A name or label in the form in which they are compared. */
export const foldName = (name: string) => tokenize(name).normalized;

/** Additions to a name that was taken as a domain: getkirby.com, konghq.com, rust-lang.org, nodejs.org. */
const AFFIX = /^(?:get|use|try|join|go)(?=...)|(?<=..)(?:js|lang|hq|app|project|framework|scm|css|inc|cms)$/;

const withoutAffix = (label: string) => label.replace(AFFIX, '');

function* hostsOf(addresses: readonly (string | null)[]): Generator<{ readonly address: string; readonly host: Host }> {
  for (const address of addresses) {
    const host = address === null ? undefined : parseHost(address);
    if (address !== null && host?.kind === 'host') yield { address, host };
  }
}

/** Slug first, then the title and what it holds. */
export function ownNames(entry: Entry): readonly string[] {
  return [...new Set([entry.slug, entry.title, ...otherSpellings(entry)].map(foldName))];
}

function namesOf(entry: Entry): ReadonlySet<string> {
  return new Set([...ownNames(entry), ...entry.aliases.map(foldName)]);
}

/** `azure.microsoft.com` bears "Azure" and "Microsoft Azure". */
function bearsName({ host, registrable, label }: Host, names: ReadonlySet<string>): boolean {
  if (host === registrable) return names.has(foldName(label)) || names.has(foldName(host));
  const first = foldName(host.slice(0, host.indexOf('.')));
  return names.has(first) || names.has(foldName(label) + first) || names.has(first + foldName(label));
}
