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
    /** SPDX identifiers, or sources' own wordings, that may be imported. */
    allow: names,
    /** Licenses of drawings that may be imported, but that clients of the service must not redistribute. */
    allowPrivate: names,
    /** Source's wording of a license → SPDX identifier. */
    rename: z.record(z.string(), z.string()),
    /** Reasons for rejected licenses. The first pattern that matches applies. Case does not matter. */
    reject: z.array(z.strictObject({ pattern, because: z.string().min(1) })),
  }),
  /** Slug of a brand's entry → keys that sources use for the brand. */
  merge: z.record(slugText, names),
  /** Slug of an entry → other common names. */
  aliases: z.record(slugText, names),
  /**
   * Prefix of a cloud vendor's keys → names of the vendor. Titles of cloud services alone are ambiguous, so titles get
   * the first name as a prefix. Titles that contain any of the names stay unchanged.
   */
  vendorPrefixes: z.record(z.string().min(1), names.min(1)),
  /** Correct spellings of words with capitals, and of names that sources write as one word. */
  spellings: names,
  /** Hosts of unrelated projects, such as code hosting. A page on such hosts says nothing about a brand's domain. */
  hostingDomains: z.array(z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: 'not a domain' })),
});

const because = z.string().min(1);
/** `package:key/variant` of a drawing, and `package:key` of an icon with all its drawings. */
const drawing = z.string().regex(/^[^:]+:.+\/[^/]+$/, { error: 'must have the form package:key/variant' });
const icon = z.string().regex(/^[^:]+:.+$/, { error: 'must have the form package:key' });

/**
 * Drawing for a light or dark page: the unchanged default, another drawing, or the one-color drawing in a given color.
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
   * Drawings that are never shown, because they do not belong to the brand or are outdated. A rejected `default` of one
   * color also rejects the icon's `mono`.
   */
  rejected: z.record(drawing, because),
  /** Icon that shares a name or a website with another brand → its own slug, title and website. */
  separate: z.record(
    icon,
    z.strictObject({ slug: slugText, title: z.string().min(1).optional(), website: z.url().optional(), because }),
  ),
  /** Slug → drawing for a light or dark page. Used if the contrast rule disagrees with the brand's guidelines. */
  pages: z
    .record(slugText, z.strictObject({ light: pageDecision.optional(), dark: pageDecision.optional() }))
    .default({}),
  /** Slug → brand color, if the sources have another color. */
  colors: z.record(
    slugText,
    z.strictObject({ hex: z.string().regex(/^#[0-9A-F]{6}$/, { error: 'not #RRGGBB' }), because }),
  ),
});

export type CatalogPolicy = RecordOf<typeof policySchema> & {
  readonly overrides: RecordOf<typeof overridesSchema>;
  /** Slug → hosts that the operator states, in addition to the sources' hosts. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Slug → categories, in addition to the sources' categories. */
  readonly categories: Readonly<Record<string, readonly string[]>>;
  /** Sources' categories that entries don't get, because they carry no information about a brand. */
  readonly meaninglessCategories: readonly string[];
};

/** Returns a digest of the policy. Equal digests mean that equal sources are merged in the same way. */
export function policyDigest(policy: CatalogPolicy): string {
  return hash('sha256', JSON.stringify(policy));
}

/** Returns undefined for names that only the prototype has: `constructor`, `toString`, `__proto__`. */
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
