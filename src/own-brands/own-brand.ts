// Own brand: a brand that an account adds to the catalog, and that only this account sees.
import { hash } from 'node:crypto';
import { dominantColor, revisionOf } from '../catalog/import/build-entry.js';
import type { CandidateVariant } from '../catalog/import/candidate.js';
import { chooseVariants, entryVariant } from '../catalog/import/choose-variants.js';
import { inColor, shadeFor } from '../catalog/drawing.js';
import type { Entry, Slug, Variant } from '../catalog/entry.js';
import type { DrawingOffer } from '../catalog/import/score-offers.js';

/** Maximum numbers of domains, aliases and categories per brand. */
export const MAX_DOMAINS = 50;
export const MAX_ALIASES = 20;
export const MAX_CATEGORIES = 5;
/** Maximum number of uploaded drawings per brand. Derived drawings are not counted. */
export const MAX_UPLOADS = 32;
/** Maximum size of an uploaded file after decompression, bytes. */
export const MAX_DRAWING_BYTES = 2 ** 20;

export interface OwnBrandFacts {
  readonly title: string;
  /** Brand color, `#RRGGBB` upper case. If null, the color of the drawing is used. */
  readonly hex: string | null;
  /** Hosts as `parseAnyHost` returns them. The main host is first. */
  readonly domains: readonly string[];
  readonly aliases: readonly string[];
  /** Lower kebab case, sorted. */
  readonly categories: readonly string[];
  readonly guidelines: string | null;
  /** Name of a link → URL. The links `website` and `source` become fields of the entry. */
  readonly links: Readonly<Record<string, string>>;
}

/** Facts of a brand that has only a title. */
export const NO_FACTS: Omit<OwnBrandFacts, 'title'> = {
  hex: null,
  domains: [],
  aliases: [],
  categories: [],
  guidelines: null,
  links: {},
};

export interface OwnUpload {
  /** Id of the stored text that contains the `UploadedVariants` of this upload. */
  readonly id: string;
  /** Ids of the stored SVG texts of these variants. */
  readonly texts: readonly string[];
  /** Content hash of the sanitized drawing. Another upload with an equal drawing changes nothing. */
  readonly content: string;
}

/** An uploaded drawing and the variants derived from it. Their SVG texts are stored under their `etag`. */
export type UploadedVariants = readonly [CandidateVariant, ...CandidateVariant[]];

export interface OwnBrand extends OwnBrandFacts {
  readonly slug: Slug;
  /**
   * Variant → uploaded drawing. A brand without a `default` is not part of the account's catalog; only the routes of
   * own brands return it.
   */
  readonly uploads: Readonly<Record<string, OwnUpload>>;
  /** Uploaded and derived variants, `default` first. Empty while the brand has no `default`. */
  readonly variants: readonly Variant[];
  /** RFC 3339 UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Number of the last change to this brand. The changes to all brands of an account are numbered in one sequence. */
  readonly version: number;
}

/** License of all own brands. Blazon doesn't check which rights the account has to its drawings. */
export const LICENSE = { type: 'proprietary', url: null, redistributable: false };

/** Returns the brand as an entry of the account's catalog. Returns undefined while the brand has no default drawing. */
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
 * Adds a variant `light` or `dark` for each of these backgrounds on which the default is invisible, unless the brand
 * already has this variant. The added variant is the default or `mono` in a visible color. It isn't stored, because its
 * color depends on the brand color.
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
 * Returns the variants of a brand: all uploads and the derived variants. Omits a derived variant if an upload has the
 * same name. Without an upload named `default`, returns an empty list.
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
 * Returns the variants that the sanitizer made from one drawing, with new hashes that contain `salt`. Each upload needs
 * a random `salt`, so that equal drawings of two accounts share no stored text and no cached picture.
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
