// Own brand: a private brand that an account has in addition to the catalog.
import { hash } from 'node:crypto';
import { dominantColor, revisionOf } from '../catalog/import/build-entry.js';
import type { CandidateVariant } from '../catalog/import/candidate.js';
import { chooseVariants, entryVariant } from '../catalog/import/choose-variants.js';
import { inColor, shadeFor } from '../catalog/drawing.js';
import type { Entry, Slug, Variant } from '../catalog/entry.js';
import type { DrawingOffer } from '../catalog/import/score-offers.js';

/** Most names of a brand. */
export const MAX_DOMAINS = 50;
export const MAX_ALIASES = 20;
export const MAX_CATEGORIES = 5;
/** Most uploaded drawings. Derived drawings are not counted. */
export const MAX_UPLOADS = 32;
/** Most bytes of a drawing's file, unzipped. */
export const MAX_DRAWING_BYTES = 2 ** 20;

export interface OwnBrandFacts {
  readonly title: string;
  /** `#RRGGBB` upper case. Null means the drawing's color. */
  readonly hex: string | null;
  /** Hosts as `parseAnyHost` spells them, the main one first. */
  readonly domains: readonly string[];
  readonly aliases: readonly string[];
  /** Lower kebab case, sorted. */
  readonly categories: readonly string[];
  readonly guidelines: string | null;
  /** URLs by the name of the link. `website` and `source` have the same meaning as in catalog entries. */
  readonly links: Readonly<Record<string, string>>;
}

/** Facts of a brand with only a title. */
export const NO_FACTS: Omit<OwnBrandFacts, 'title'> = {
  hex: null,
  domains: [],
  aliases: [],
  categories: [],
  guidelines: null,
  links: {},
};

export interface OwnUpload {
  /** Id of the text with its variants (`UploadedVariants`). */
  readonly id: string;
  /** Ids of the texts of its drawings. */
  readonly texts: readonly string[];
  /** Content hash of the sanitized drawing. Uploading an equal drawing changes nothing. */
  readonly content: string;
}

/** The uploaded drawing and the variants derived from it. Their texts are stored by `etag`. */
export type UploadedVariants = readonly [CandidateVariant, ...CandidateVariant[]];

export interface OwnBrand extends OwnBrandFacts {
  readonly slug: Slug;
  /** Uploaded drawings by variant. Without `default`, the brand is in no other route yet. */
  readonly uploads: Readonly<Record<string, OwnUpload>>;
  /** Uploaded and derived variants, `default` first. Empty until there is a `default`. */
  readonly variants: readonly Variant[];
  /** RFC 3339 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Number of the account's change that last changed this brand. No two states of a slug have the same version. */
  readonly version: number;
}

/** License of all own brands. Blazon does not check what the account may do with a drawing. */
export const LICENSE = { type: 'proprietary', url: null, redistributable: false };

/** Returns the brand as an entry of the account's catalog. Undefined while it has no default drawing. */
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
 * Adds `light` and `dark` if the default is invisible on that page and no drawing exists for it. The new variants are the
 * default, or else `mono`, in a visible color. They aren't stored, because the color depends on the brand color.
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
 * Returns the variants of a brand with these uploads: each under its own name, and derived variants for the remaining names.
 * Returns none without a default.
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

function offerOf(variant: CandidateVariant, role: string): DrawingOffer {
  return { variant, role, kind: 'brands', rank: 0, ref: refOf(role), isOverride: true };
}

/**
 * Returns the variants that the sanitizer made from one drawing, under hashes that are unique to this upload. Equal drawings of
 * two accounts therefore share no stored text and no finished picture. `salt` is random.
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
