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
    /** Licenses that may be imported, as SPDX identifiers or in the words of a source. */
    allow: names,
    /** Licenses that may be imported, although clients of the service must not redistribute the drawings. */
    allowPrivate: names,
    /** Words of a source for a license → SPDX identifier. */
    rename: z.record(z.string(), z.string()),
    /** Reasons for rejected licenses. The first matching pattern applies. Patterns are case-insensitive. */
    reject: z.array(z.strictObject({ pattern, because: z.string().min(1) })),
  }),
  /** Slug of a brand's entry → keys that sources use for the brand. */
  merge: z.record(slugText, names),
  /** Slug of an entry → other common names of the brand. */
  aliases: z.record(slugText, names),
  /**
   * Prefix of a cloud vendor's keys → names of the vendor, the main name first. The title of a cloud service is
   * ambiguous without its vendor. The main name is therefore put before the title, unless the title contains one of the
   * names.
   */
  vendorPrefixes: z.record(z.string().min(1), names.min(1)),
  /** Correct spellings of words with unusual capitals, and of names that sources write as one word. */
  spellings: names,
  /**
   * Hosts of unrelated projects, such as code hosting. A page on one of these hosts says nothing about a brand's
   * domain.
   */
  hostingDomains: z.array(z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: 'not a domain' })),
});

const because = z.string().min(1);
/**
 * `drawing` refers to one drawing, `package:key/variant`. `icon` refers to an icon with all its drawings,
 * `package:key`.
 */
const drawing = z.string().regex(/^[^:]+:.+\/[^/]+$/, { error: 'must have the form package:key/variant' });
const icon = z.string().regex(/^[^:]+:.+$/, { error: 'must have the form package:key' });

/**
 * Drawing for a light or dark page: the unchanged `default`, another drawing, or the one-color drawing in a given
 * color.
 */
const pageDecision = z.strictObject({
  show: z.union([z.literal('default'), drawing, z.string().regex(/^#[0-9a-f]{6}$/, { error: 'not #rrggbb' })]),
  because,
});

/** Decisions about single brands for which there is no rule, each with its reason. */
export const overridesSchema = z.strictObject({
  /** Slug → drawing to use as `default`. */
  defaults: z.record(slugText, z.strictObject({ drawing, because })),
  /**
   * Drawings that are never shown, because they are outdated or do not belong to the brand. If a one-color `default` is
   * rejected, the `mono` of its icon is rejected as well, because it usually has the same shape.
   */
  rejected: z.record(drawing, because),
  /**
   * Icon → slug, title and website of a separate entry for this icon. Without the separate entry, the icon would be
   * merged with a brand of the same name or website.
   */
  separate: z.record(
    icon,
    z.strictObject({ slug: slugText, title: z.string().min(1).optional(), website: z.url().optional(), because }),
  ),
  /**
   * Slug → drawing for a light or dark page. The import chooses drawings by contrast, but the brand's guidelines may
   * show another drawing.
   */
  pages: z
    .record(slugText, z.strictObject({ light: pageDecision.optional(), dark: pageDecision.optional() }))
    .default({}),
  /** Slug → brand color, where the sources state a wrong color. */
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
  /** Categories that the import drops from entries, because these categories say nothing about a brand. */
  readonly meaninglessCategories: readonly string[];
};

/** Returns a digest of the policy. Policies with the same digest merge the same sources in the same way. */
export function policyDigest(policy: CatalogPolicy): string {
  return hash('sha256', JSON.stringify(policy));
}

/** Returns a property of the table. Ignores inherited properties, such as `constructor` and `toString`. */
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
