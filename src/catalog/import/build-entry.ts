// Builds catalog entries from a brand's candidates or from one icon of a set.
import { hash } from 'node:crypto';
import { isHomePage, isUnder, parseHost } from '../../platform/web/host-name.js';
import { parseUrl } from '../../platform/web/parse-url.js';
import type { Entry, Provenance, Slug, Variant } from '../entry.js';
import { inColor, isAchromatic } from '../drawing.js';
import type { Candidate } from './candidate.js';
import { isTitledOverride, type Brand, type Member, type SourcedCandidate } from './group-brands.js';
import { categoryOf, nameKey } from '../names.js';
import { ownProperty, type CatalogPolicy } from './import-policy.js';
import { chooseVariants, entryVariant, roleOf, type Choice } from './choose-variants.js';
import type { DrawingOffer } from './score-offers.js';
import { CLOUD_SERVICE, titleOf, vendorOf } from './titles.js';

/**
 * An entry before its publication, without `updatedAt`. The publication sets this time, because an unchanged entry
 * keeps its earlier time.
 */
export type UndatedEntry = Omit<Entry, 'updatedAt'>;

/** A brand's entry, and the reasons for its choice of drawings. */
export interface ChosenEntry {
  readonly entry: UndatedEntry;
  readonly choice: Choice;
}

/**
 * Builds a brand's entry from its candidates. `rankOf` returns the position of a source in the order of precedence.
 * Returns undefined if the brand has no usable drawing.
 */
export function brandEntry(
  brand: Brand,
  policy: CatalogPolicy,
  rankOf: (sourceId: string) => number,
): ChosenEntry | undefined {
  const hex = brandColor(brand, policy);
  const { defaults, pages } = policy.overrides;
  const offers = offersOf(brand, rankOf, policy);
  const { light, dark } = ownProperty(pages, brand.slug) ?? {};
  const choice = chooseVariants(offers, {
    hex,
    chosen: ownProperty(defaults, brand.slug)?.drawing,
    pages: { ...(light && { light: light.show }), ...(dark && { dark: dark.show }) },
  });
  return choice && { choice, entry: entryOf(brand, policy, { hex, variants: choice.variants }) };
}

/**
 * Returns the brand's drawings, without drawings that the operator's overrides reject. If the overrides state a brand
 * color, it replaces the source's brand color in one-color drawings. Drawings from the operator's own sources keep
 * their color.
 */
function offersOf(
  { slug, members }: Brand,
  rankOf: (sourceId: string) => number,
  { overrides: { colors, rejected } }: CatalogPolicy,
): readonly DrawingOffer[] {
  const color = ownProperty(colors, slug)?.hex;
  const isRejected = ({ source, candidate }: Member, name: string) =>
    ownProperty(rejected, refOf(source, candidate, name)) !== undefined;
  return members.flatMap((member) => {
    const { candidate, source, suffixes } = member;
    const glyph = candidate.variants.find(({ name, recolorable }) => name === 'default' && recolorable);
    const isGone = (name: string) =>
      isRejected(member, name) || (name === 'mono' && glyph !== undefined && isRejected(member, glyph.name));
    return candidate.variants
      .filter(({ name }) => !isGone(name))
      .map((variant) => ({
        variant:
          color !== undefined && source.isOverride !== true && isInColorOf(variant, candidate)
            ? inColor(variant, color)
            : variant,
        role: roleOf(variant.name, suffixes),
        kind: source.kind,
        rank: rankOf(source.id),
        ref: refOf(source, candidate, variant.name),
        isOverride: source.isOverride === true,
      }));
  });
}

/** Returns the text that identifies a drawing in the operator's overrides. */
function refOf(source: Member['source'], { key }: Candidate, variant: string): string {
  return `${source.package}:${key}/${variant}`;
}

function isInColorOf({ recolorable, colors }: Variant, { hex }: Candidate): boolean {
  return recolorable && hex !== null && colors[0] === hex.toLowerCase();
}

function entryOf(
  { slug, members }: Brand,
  policy: CatalogPolicy,
  { hex, variants }: Pick<Entry, 'hex' | 'variants'>,
): UndatedEntry {
  const [main] = variants;
  const drawnBy =
    members.find(({ candidate }) => candidate.variants.some(({ etag }) => etag === main.etag)) ?? members[0];
  const color = hex ?? dominantColor(main) ?? statedColors(members)[0] ?? null;
  const candidates = members.map(({ candidate }) => candidate);
  const title = isTitledOverride(members[0])
    ? members[0].candidate.title
    : titleOf(slug, members[0].candidate.title, policy);
  const setIcons = candidates.flatMap(({ setIcon }) => setIcon ?? []);
  const websites = candidates.map(({ website }) => website).filter((website) => website !== null);
  const domains = unique([
    ...members.flatMap(({ source, candidate }) => (source.isOverride === true ? (candidate.domains ?? []) : [])),
    ...homeHosts(websites, [title, slug], policy),
    ...(ownProperty(policy.hosts, slug) ?? []),
    ...agreedHosts(members, policy),
  ]);
  return {
    slug,
    title,
    aliases: aliasesOf({ slug, title }, members, policy),
    categories: brandCategories(slug, candidates, policy),
    hex: color,
    domain: domains[0] ?? null,
    domains,
    website: websites.find(isHomePage) ?? websites[0] ?? null,
    source: drawnBy.candidate.origin,
    guidelines: candidates.map(({ guidelines }) => guidelines).find((guidelines) => guidelines !== null) ?? null,
    license: drawnBy.candidate.license,
    variants,
    provenance: provenanceOf(members),
    ...(setIcons.length > 0 && { setIcons }),
    revision: revisionOf(variants, color),
  };
}

function statedColors(members: readonly Member[]): readonly string[] {
  return members.map(({ candidate }) => candidate.hex).filter((hex) => hex !== null);
}

/**
 * Returns the brand color: from the operator's own source, or else from the operator's overrides, or else from the
 * glyph collection, which is checked by hand. Otherwise returns any stated color except black, white and gray.
 */
function brandColor({ slug, members }: Brand, { overrides }: CatalogPolicy): string | null {
  const own = members.find(({ source, candidate }) => source.isOverride === true && candidate.hex !== null);
  if (own !== undefined) return own.candidate.hex;
  const stated = ownProperty(overrides.colors, slug);
  if (stated !== undefined) return stated.hex;
  const glyphHex = members.find(({ source }) => source.kind === 'glyphs')?.candidate.hex ?? null;
  return glyphHex ?? statedColors(members).find((each) => !isAchromatic(each)) ?? null;
}

/** Builds the entry of one icon of an icon set. Icons of sets are not merged with other icons. */
export function setEntry(slug: Slug, { candidate, source }: SourcedCandidate): UndatedEntry | undefined {
  const { title, aliases, hex, website, guidelines, license, setIcon } = candidate;
  const main = candidate.variants.find(({ name }) => name === 'default') ?? candidate.variants[0];
  if (main === undefined) return undefined;
  const others = candidate.variants.filter((variant) => variant !== main);
  const variants: Entry['variants'] = [
    entryVariant('default', main),
    ...others.map((variant) => entryVariant(variant.name, variant)),
  ];
  return {
    ...{ slug, title, aliases, categories: categoriesOf([candidate]), hex, domain: null, domains: [], website },
    ...{ source: candidate.origin, guidelines, license, variants },
    provenance: [{ package: source.package, version: source.version }],
    ...(setIcon && { setIcon }),
    revision: revisionOf(variants, hex),
  };
}

/**
 * Returns the sources' categories, except categories without meaning. Adds the operator's categories, and CLOUD_SERVICE
 * for a cloud service.
 */
function brandCategories(
  slug: Slug,
  candidates: readonly Pick<Entry, 'categories'>[],
  policy: CatalogPolicy,
): readonly string[] {
  const stated = categoriesOf(candidates).filter((category) => !policy.meaninglessCategories.includes(category));
  const given = ownProperty(policy.categories, slug) ?? [];
  const ofCloud = vendorOf(slug, policy) === undefined ? [] : [CLOUD_SERVICE];
  return unique([...stated, ...given, ...ofCloud]).sort();
}

function categoriesOf(candidates: readonly Pick<Entry, 'categories'>[]): string[] {
  return unique(candidates.flatMap(({ categories }) => categories.map(categoryOf)))
    .filter(Boolean)
    .sort();
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/**
 * Returns a color, `#RRGGBB`, for a brand without a stated color: the first paint that is not black, white or gray. If
 * there is no such paint, returns the only paint of a recolorable (one-color) drawing, and otherwise undefined.
 */
export function dominantColor({ colors, recolorable }: Variant): string | undefined {
  const chromatic = colors.find((color) => !isAchromatic(color)) ?? (recolorable ? colors[0] : undefined);
  return chromatic?.toUpperCase();
}

/**
 * Returns the other titles and aliases from the operator and the sources, as written. Omits duplicates, and names that
 * differ from the title only in their spelling.
 */
function aliasesOf(
  { slug, title }: Pick<Entry, 'slug' | 'title'>,
  members: readonly Member[],
  policy: CatalogPolicy,
): string[] {
  const named = [
    ...(ownProperty(policy.aliases, slug) ?? []),
    ...members.flatMap(({ candidate }) => [...(candidate.titleGuessed ? [] : [candidate.title]), ...candidate.aliases]),
  ];
  const seen = new Set([nameKey(title), nameKey(members[0]?.candidate.title ?? ''), nameKey(slug)]);
  return named.filter((alias) => {
    const key = nameKey(alias) || alias;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function provenanceOf(members: readonly Member[]): Provenance[] {
  const versions = new Map(members.map(({ source }) => [source.package, source.version]));
  return [...versions]
    .map(([name, version]) => ({ package: name, version }))
    .sort((a, b) => (a.package < b.package ? -1 : 1));
}

/**
 * Returns the hash of everything that decides how a picture looks: the brand color, and the name, drawing, paint and
 * backgrounds of each variant. Picture URLs contain the hash, and clients cache these pictures forever.
 */
export function revisionOf(variants: readonly Variant[], hex: string | null): string {
  const deciding = variants.map(({ name, etag, painted, on, recolorable, colors }) => [
    name,
    etag,
    painted ?? null,
    on,
    recolorable ? (colors[0] ?? null) : null,
  ]);
  return hash('sha256', JSON.stringify([hex, ...deciding])).slice(0, 12);
}

/** Returns the digest of an entry without the date of its last change. */
export function entryDigest(entry: UndatedEntry): string {
  return hash('sha256', JSON.stringify({ ...entry, updatedAt: undefined })).slice(0, 16);
}

/**
 * Returns registrable domains that are named like the brand, then the hosts of other home pages. Omits hosting domains,
 * because other projects use them as well.
 */
function homeHosts(websites: readonly string[], names: readonly string[], policy: CatalogPolicy): string[] {
  const keys = new Set(names.map(nameKey));
  const namesakes: string[] = [];
  const others: string[] = [];
  for (const website of websites) {
    const host = parseHost(website);
    if (host.kind === 'invalid' || !parseUrl(website)) continue;
    if (keys.has(nameKey(host.label))) namesakes.push(host.registrable);
    else if (isHomePage(website) && !isUnder(host, policy.hostingDomains)) others.push(host.host);
  }
  return unique([...namesakes, ...others]);
}

/**
 * Returns registrable domains that resemble the brand's name and contain pages of the brand. A single page may belong
 * to an agency, an archive or a parent company. Therefore, at least two sources must name pages of the domain, and at
 * least two of the pages must be different.
 */
function agreedHosts(members: readonly Member[], { hostingDomains }: CatalogPolicy): string[] {
  const statements = new Map<string, { readonly sources: Set<string>; readonly pages: Set<string> }>();
  for (const { candidate, source } of members) {
    for (const page of [candidate.website, candidate.origin, candidate.guidelines]) {
      const host = page === null || !parseUrl(page) ? undefined : parseHost(page);
      if (page === null || host?.kind !== 'host' || isUnder(host, hostingDomains)) continue;
      const known = statements.get(host.registrable) ?? { sources: new Set(), pages: new Set() };
      known.sources.add(source.id);
      known.pages.add(page.replace(/^https?:\/\/(?:www\.)?|\/$/g, ''));
      statements.set(host.registrable, known);
    }
  }
  const names = members.map(({ candidate }) => nameKey(candidate.title));
  return [...statements]
    .filter(([, { sources, pages }]) => sources.size > 1 && pages.size > 1)
    .map(([domain]) => domain)
    .filter((domain) => names.some((name) => sharesName(nameKey(domain.split('.')[0] ?? ''), name)));
}

/**
 * Returns true if the domain's label contains the brand's name, or if the name begins with the label. Other domains
 * probably belong to the parent company.
 */
function sharesName(label: string, name: string): boolean {
  return label.length > 2 && name.length > 2 && (label.includes(name) || name.startsWith(label));
}
