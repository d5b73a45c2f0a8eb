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
    /** SPDX identifiers, or a source's own words, that may be imported. */
    allow: names,
    /** Importable, but not to be passed on by the service's clients. */
    allowPrivate: names,
    /** A source's word for a license that has an SPDX identifier. */
    rename: z.record(z.string(), z.string()),
    /** Reasons why others are rejected, by the first pattern that matches in any case. */
    reject: z.array(z.strictObject({ pattern, because: z.string().min(1) })),
  }),
  /** Slug of an entry, and the keys that other sources use for the same brand. */
  merge: z.record(slugText, names),
  /** Slug of an entry, and other names people use for it. */
  aliases: z.record(slugText, names),
  /**
   * Keys with such a beginning are parts of a vendor's cloud, whose titles alone do not name them: the name that goes before
   * the title, and others that may stand in it instead.
   */
  vendorPrefixes: z.record(z.string().min(1), names.min(1)),
  /** Words of titles whose capitals the sources get wrong, and names that they write as one word. */
  spellings: names,
  /** Hosts that anyone's project may live on. They are the domain of their own brand only. */
  hostingDomains: z.array(z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: 'not a domain' })),
});

const because = z.string().min(1);
/** `package:key/variant`, and `package:key` of an icon with all its drawings. */
const drawing = z.string().regex(/^[^:]+:.+\/[^/]+$/, { error: 'not package:key/variant' });
const icon = z.string().regex(/^[^:]+:.+$/, { error: 'not package:key' });

/** The default as it is, a drawing, or a color for the drawing of one color. */
const pageDecision = z.strictObject({
  show: z.union([z.literal('default'), drawing, z.string().regex(/^#[0-9a-f]{6}$/, { error: 'not #rrggbb' })]),
  because,
});

/** Decisions about single brands that no rule makes, each with its reason. */
export const overridesSchema = z.strictObject({
  /** By slug: the drawing that is the default. */
  defaults: z.record(slugText, z.strictObject({ drawing, because })),
  /** Drawings that are not the brand's, or not any more: never shown. */
  rejected: z.record(drawing, because),
  /** Icons that share a name with another brand: the slug and title that they have instead. */
  separate: z.record(icon, z.strictObject({ slug: slugText, title: z.string().min(1).optional(), because })),
  /** By slug: what is shown on a page of this kind, where the rule of contrast finds something else than the brand's guidelines. */
  pages: z
    .record(slugText, z.strictObject({ light: pageDecision.optional(), dark: pageDecision.optional() }))
    .default({}),
  /** By slug: the brand's color, where the sources have another. */
  colors: z.record(
    slugText,
    z.strictObject({ hex: z.string().regex(/^#[0-9A-F]{6}$/, { error: 'not #RRGGBB' }), because }),
  ),
});

export type CatalogPolicy = RecordOf<typeof policySchema> & {
  readonly overrides: RecordOf<typeof overridesSchema>;
  /** Hosts by slug that the operator states, beside those of the sources. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  /** Categories by slug, beside those of the sources. */
  readonly categories: Readonly<Record<string, readonly string[]>>;
  /** Categories of the sources that are left out. */
  readonly meaninglessCategories: readonly string[];
};

/** Where it is equal, the same sources are merged in the same way. */
export function policyDigest(policy: CatalogPolicy): string {
  return hash('sha256', JSON.stringify(policy));
}

/** Undefined for names that only the prototype has: `constructor`, `toString`, `__proto__`. */
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
