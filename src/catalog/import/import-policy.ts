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
    /** Licenses that may be imported. Clients of the service must not redistribute these drawings. */
    allowPrivate: names,
    /** SPDX identifiers by a source's wording of the license. */
    rename: z.record(z.string(), z.string()),
    /** Reasons for rejected licenses. The first pattern that matches counts. Case does not matter. */
    reject: z.array(z.strictObject({ pattern, because: z.string().min(1) })),
  }),
  /** Keys that other sources use for a brand, by the slug of its entry. */
  merge: z.record(slugText, names),
  /** Other common names, by the slug of the entry. */
  aliases: z.record(slugText, names),
  /**
   * Names of a cloud vendor, by the prefix of its keys. Titles of cloud services alone are ambiguous, so the first name is put
   * before the title. Titles that contain any of the names stay unchanged.
   */
  vendorPrefixes: z.record(z.string().min(1), names.min(1)),
  /** Words with capitals that the sources get wrong, and names that they write as one word. */
  spellings: names,
  /** Hosts of unrelated projects, such as code hosting. They count as a domain only for their own brand. */
  hostingDomains: z.array(z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: 'not a domain' })),
});

const because = z.string().min(1);
/** `package:key/variant` of a drawing, and `package:key` of an icon with all its drawings. */
const drawing = z.string().regex(/^[^:]+:.+\/[^/]+$/, { error: 'not package:key/variant' });
const icon = z.string().regex(/^[^:]+:.+$/, { error: 'not package:key' });

/** The drawing for a page: the unchanged default, another drawing, or a color for the drawing of one color. */
const pageDecision = z.strictObject({
  show: z.union([z.literal('default'), drawing, z.string().regex(/^#[0-9a-f]{6}$/, { error: 'not #rrggbb' })]),
  because,
});

/** Decisions about single brands that no rule can make, each with its reason. */
export const overridesSchema = z.strictObject({
  /** Drawing for `default`, by slug. */
  defaults: z.record(slugText, z.strictObject({ drawing, because })),
  /** Drawings that are never shown, because they do not belong to the brand or are outdated. */
  rejected: z.record(drawing, because),
  /** New slug and title of icons that share a name with another brand. */
  separate: z.record(icon, z.strictObject({ slug: slugText, title: z.string().min(1).optional(), because })),
  /** Drawing for a page of this kind, by slug. Used if the contrast rule disagrees with the brand's guidelines. */
  pages: z
    .record(slugText, z.strictObject({ light: pageDecision.optional(), dark: pageDecision.optional() }))
    .default({}),
  /** Brand color by slug, if the sources have another color. */
  colors: z.record(
    slugText,
    z.strictObject({ hex: z.string().regex(/^#[0-9A-F]{6}$/, { error: 'not #RRGGBB' }), because }),
  ),
});

export type CatalogPolicy = RecordOf<typeof policySchema> & {
  readonly overrides: RecordOf<typeof overridesSchema>;
  /** Hosts by slug that the operator states, in addition to the sources' hosts. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Categories by slug, in addition to the sources' categories. */
  readonly categories: Readonly<Record<string, readonly string[]>>;
  /** Categories of the sources that are omitted. */
  readonly meaninglessCategories: readonly string[];
};

/** Returns a digest. With equal digests, the same sources are merged in the same way. */
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
