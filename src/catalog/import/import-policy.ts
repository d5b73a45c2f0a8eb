// Import policy of the operator: licenses, names, hosts, and decisions about single brands. Its values are in config/.
import { hash } from 'node:crypto';
import { z } from 'zod';
import type { RecordOf } from '../../platform/stores/stored-record.js';
import { SLUG_PATTERN, type License } from '../entry.js';

export const slugText = z.string().regex(SLUG_PATTERN, { error: 'not a slug' });
const pattern = z.string().refine(isPattern, { error: 'not a regular expression' });
const names = z.array(z.string().min(1));

export const policySchema = z.strictObject({
  licenses: z.strictObject({
    /** Licenses that may be imported: SPDX identifiers, or sources' own wordings. */
    allow: names,
    /** Licenses of drawings that may be imported, but that clients of the service must not redistribute. */
    allowPrivate: names,
    /** A source's wording of a license → SPDX identifier. */
    rename: z.record(z.string(), z.string()),
    /** Reasons for rejected licenses. The first pattern that matches applies. Case doesn't matter. */
    reject: z.array(z.strictObject({ pattern, because: z.string().min(1) })),
  }),
  /** Slug of a brand's entry → keys that sources use for the brand. */
  merge: z.record(slugText, names),
  /** Slug of an entry → other common names of the brand. */
  aliases: z.record(slugText, names),
  /**
   * Prefix of a cloud vendor's keys → names of the vendor. The title of a cloud service alone is ambiguous, so the
   * vendor's first name is put before the title. A title that already contains a name of the vendor stays unchanged.
   */
  vendorPrefixes: z.record(z.string().min(1), names.min(1)),
  /** Correct spellings: words with unusual capitals, and names that sources write as one word. */
  spellings: names,
  /**
   * Hosts of unrelated projects, such as code hosting. A page on one of these hosts says nothing about a brand's
   * domain.
   */
  hostingDomains: z.array(z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: 'not a domain' })),
});

const because = z.string().min(1);
/** Reference to a drawing, `package:key/variant`. Below: reference to an icon with all its drawings, `package:key`. */
const drawing = z.string().regex(/^[^:]+:.+\/[^/]+$/, { error: 'must have the form package:key/variant' });
const icon = z.string().regex(/^[^:]+:.+$/, { error: 'must have the form package:key' });

/**
 * Drawing for a light or dark page: `default` unchanged, another drawing, or the one-color drawing in a given color.
 */
const pageDecision = z.strictObject({
  show: z.union([z.literal('default'), drawing, z.string().regex(/^#[0-9a-f]{6}$/, { error: 'not #rrggbb' })]),
  because,
});

/** Decisions about single brands that no rule can make, each with its reason. */
export const overridesSchema = z.strictObject({
  /** Slug → drawing to use as `default`. */
  defaults: z.record(slugText, z.strictObject({ drawing, because })),
  /**
   * Drawings that are never shown, because they are outdated or do not belong to the brand. If the rejected drawing is
   * a `default` of one color, the icon's `mono` is rejected too.
   */
  rejected: z.record(drawing, because),
  /** Icon that would be merged with another brand of the same name or website → slug, title and website of its entry. */
  separate: z.record(
    icon,
    z.strictObject({ slug: slugText, title: z.string().min(1).optional(), website: z.url().optional(), because }),
  ),
  /** Slug → drawing for a light or dark page, where the contrast rule contradicts the brand's guidelines. */
  pages: z
    .record(slugText, z.strictObject({ light: pageDecision.optional(), dark: pageDecision.optional() }))
    .default({}),
  /** Slug → brand color, where the sources state another color. */
  colors: z.record(
    slugText,
    z.strictObject({ hex: z.string().regex(/^#[0-9A-F]{6}$/, { error: 'not #RRGGBB' }), because }),
  ),
});

export type CatalogPolicy = RecordOf<typeof policySchema> & {
  readonly overrides: RecordOf<typeof overridesSchema>;
  /** Slug → hosts that the operator adds to the sources' hosts. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Slug → categories that the operator adds to the sources' categories. */
  readonly categories: Readonly<Record<string, readonly string[]>>;
  /** Categories of sources that entries don't get, because they carry no information about a brand. */
  readonly meaninglessCategories: readonly string[];
};

/** Returns a digest of the policy. If two digests are equal, equal sources are merged in the same way. */
export function policyDigest(policy: CatalogPolicy): string {
  return hash('sha256', JSON.stringify(policy));
}

/**
 * Returns the table's own property. Returns undefined for inherited properties: `constructor`, `toString`, `__proto__`.
 */
export function ownProperty<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

export function decideLicense(
  { licenses: { allow, allowPrivate, rename, reject } }: Pick<CatalogPolicy, 'licenses'>,
  given: { readonly type: string; readonly url: string | null },
):
  | { readonly allowed: true; readonly license: License }
  | { readonly allowed: false; readonly type: string; readonly because: string } {
  const type = ownProperty(rename, given.type) ?? given.type;
  const redistributable = allow.includes(type);
  if (redistributable || allowPrivate.includes(type))
    return { allowed: true, license: { type, url: given.url ?? licensePage(type), redistributable } };
  const rule = reject.find((each) => new RegExp(each.pattern, 'i').test(type));
  return { allowed: false, type, because: rule?.because ?? 'not on the list of allowed licenses' };
}

function licensePage(type: string): string | null {
  return /^[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*$/.test(type) && !type.startsWith('LicenseRef')
    ? `https://spdx.org/licenses/${type}.html`
    : null;
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
