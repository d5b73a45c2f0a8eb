// Own brand: a brand that an account has beside the catalog, private to it.
import { hash } from 'node:crypto';
import { dominantColor, revisionOf } from '../catalog/import/build-entry.js';
import type { CandidateVariant } from '../catalog/import/candidate.js';
import { chooseVariants, entryVariant } from '../catalog/import/choose-variants.js';
import { inColor, shadeFor } from '../catalog/drawing.js';
import type { Entry, Slug, Variant } from '../catalog/entry.js';
import type { Offer } from '../catalog/import/score-offers.js';

/** Names that a brand may have. */
export const MAX_DOMAINS = 50;
export const MAX_ALIASES = 20;
export const MAX_CATEGORIES = 5;
/** Drawings that are put; derived ones come beside them. */
export const MAX_UPLOADS = 32;
/** Of a drawing's file, unzipped. */
export const MAX_DRAWING_BYTES = 2 ** 20;

export interface OwnBrandFacts {
  readonly title: string;
  /** `#RRGGBB` upper case; null: that of the drawing. */
  readonly hex: string | null;
  /** As `parseAnyHost` spells them, the main one first. */
  readonly domains: readonly string[];
  readonly aliases: readonly string[];
  /** Lower case kebab, sorted. */
  readonly categories: readonly string[];
  readonly guidelines: string | null;
  /** URLs by what they lead to; `website` and `source` are those of a catalog entry. */
  readonly links: Readonly<Record<string, string>>;
}

/** Facts of a brand of which only the title is known. */
export const NO_FACTS: Omit<OwnBrandFacts, 'title'> = {
  hex: null,
  domains: [],
  aliases: [],
  categories: [],
  guidelines: null,
  links: {},
};

export interface Upload {
  /** Id of the text with its variants (`UploadedVariants`). */
  readonly id: string;
  /** Ids of the texts of its drawings. */
  readonly texts: readonly string[];
  /** Content hash of the sanitized drawing: an equal one changes nothing. */
  readonly content: string;
}

/** The uploaded drawing and those derived from it; the texts of all are stored by `etag`. */
export type UploadedVariants = readonly [CandidateVariant, ...CandidateVariant[]];

export interface OwnBrand extends OwnBrandFacts {
  readonly slug: Slug;
  /** By variant. Without `default`, the brand is in no other route yet. */
  readonly uploads: Readonly<Record<string, Upload>>;
  /** Uploaded and derived ones, `default` first; none without it. */
  readonly variants: readonly Variant[];
  /** RFC 3339 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Number of the account's change that was the last of this brand: no two states of a slug have the same. */
  readonly version: number;
}

/** What the account may do with it is its own business. */
export const LICENSE = { type: 'proprietary', url: null, redistributable: false };

/** The brand as an entry of the account's catalog; undefined while it has no default drawing. */
export function entryOfBrand(brand: OwnBrand): Entry | undefined {
  const [main, ...others] = brand.variants;
  if (main === undefined) return undefined;
  const { slug, title, aliases, categories, domains, guidelines, links, updatedAt } = brand;
  const hex = brand.hex ?? dominantColor(main) ?? null;
  const variants = withPageVariants([main, ...others], hex);
  return {
    ...{ slug, title, aliases, categories, hex, domain: domains[0] ?? null, domains, guidelines },
    ...{ website: links.website ?? null, source: links.source ?? null, license: LICENSE, variants, provenance: [] },
    own: true,
    revision: revisionOf(variants, hex),
    updatedAt,
  };
}

type Variants = readonly [Variant, ...Variant[]];

/**
 * With `light` and `dark` where the default can't be seen on such a page and no drawing is made for it: the default, or else `mono`,
 * in a color that can. They aren't stored: the color follows that of the brand.
 */
function withPageVariants([main, ...others]: Variants, hex: string | null): Variants {
  const paintable = main.recolorable ? main : others.find(({ name }) => name === 'mono');
  if (paintable?.recolorable !== true) return [main, ...others];
  const added = (['light', 'dark'] as const)
    .filter((page) => !main.on.includes(page) && others.every(({ name }) => name !== page))
    .map((page): Variant => {
      const [own = '#000000'] = paintable.colors;
      const color = shadeFor(page, hex === null ? [own] : [own, hex]);
      return { ...inColor(paintable, color), name: page, derived: true };
    });
  return [main, ...[...others, ...added].sort((a, b) => (a.name < b.name ? -1 : 1))];
}

/**
 * Variants of a brand with these uploads: each under its own name, and those that are derived for names that have none.
 * Without a default there are none.
 */
export function ownVariants(uploads: ReadonlyMap<string, UploadedVariants>, hex: string | null): readonly Variant[] {
  const [main] = uploads.get('default') ?? [];
  if (main === undefined) return [];
  const offers = [...uploads].flatMap(([name, variants]) =>
    variants.map((variant, at) => offerOf(variant, at === 0 ? name : variant.name)),
  );
  const chosen = chooseVariants(offers, { hex, chosen: refOf('default') })?.variants ?? [];
  const derived = chosen.filter(({ name, derived: isDerived }) => isDerived === true && !uploads.has(name));
  const others = [...uploads].filter(([name]) => name !== 'default').map(([name, [own]]) => entryVariant(name, own));
  return [entryVariant('default', main), ...[...others, ...derived].sort((a, b) => (a.name < b.name ? -1 : 1))];
}

const refOf = (name: string): string => `own:${name}`;

function offerOf(variant: CandidateVariant, role: string): Offer {
  return { variant, role, kind: 'brands', rank: 0, ref: refOf(role), isOverride: true };
}

/**
 * The variants that the sanitizer made of one drawing, under hashes of this upload alone: equal drawings of two accounts
 * share no stored text and no finished picture. `salt` is random.
 */
export function uploadedVariants(
  name: string,
  candidates: readonly CandidateVariant[],
  salt: string,
): { readonly variants: UploadedVariants; readonly ids: ReadonlyMap<string, string> } | undefined {
  const given = candidates.find((candidate) => candidate.name === name && candidate.derivedFrom === undefined);
  if (given === undefined) return undefined;
  const ids = new Map<string, string>();
  const idOf = (etag: string): string => {
    const id = ids.get(etag) ?? hash('sha256', `${salt} ${etag}`).slice(0, 16);
    ids.set(etag, id);
    return id;
  };
  const salted = (variant: CandidateVariant): CandidateVariant => ({
    ...variant,
    etag: idOf(variant.etag),
    ...(variant.painted !== undefined && { painted: idOf(variant.painted) }),
    ...(variant.derivedFrom && { derivedFrom: { ...variant.derivedFrom, etag: idOf(variant.derivedFrom.etag) } }),
    ...(variant !== given && { derived: true as const }),
  });
  const others = candidates.filter((candidate) => candidate !== given);
  return { variants: [salted(given), ...others.map(salted)], ids };
}
