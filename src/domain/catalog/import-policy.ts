// Import policy of the operator: licenses, names, hosts. Its values are in config/catalog.json.
import type { License } from './entry.js';
import type { CatalogOverrides } from './overrides.js';
import { ownValue } from '../own-value.js';

export interface CatalogPolicy {
  readonly licenses: {
    /** SPDX identifiers, or a source's own words, that may be imported. */
    readonly allow: readonly string[];
    /** Importable, but not to be passed on by the service's clients. */
    readonly allowPrivate: readonly string[];
    /** A source's word for a license that has an SPDX identifier. */
    readonly rename: Readonly<Record<string, string>>;
    /** Why others are rejected; the first pattern that matches (case-insensitive) gives the reason. */
    readonly reject: readonly { readonly pattern: string; readonly because: string }[];
  };
  /** Slug of an entry, and the keys that other sources use for the same brand. */
  readonly merge: Readonly<Record<string, readonly string[]>>;
  /** Slug of an entry, and other names people use for it. */
  readonly aliases: Readonly<Record<string, readonly string[]>>;
  /** Keys with such a beginning belong to that vendor: their title alone does not name the brand. */
  readonly vendorPrefixes: readonly string[];
  /** Hosts that anyone's project may live on. They are the domain of their own brand only. */
  readonly hostingDomains: readonly string[];
  /** Hosts by slug that the operator states, beside those of the sources. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
  readonly overrides: CatalogOverrides;
}

export type LicenseDecision =
  | { readonly allowed: true; readonly license: License }
  | { readonly allowed: false; readonly type: string; readonly because: string };

/** Whether an icon of this license may be imported. */
export function decideLicense(
  policy: CatalogPolicy,
  given: { readonly type: string; readonly url: string | null },
): LicenseDecision {
  const { allow, allowPrivate, rename, reject } = policy.licenses;
  const type = ownValue(rename, given.type) ?? given.type;
  const redistributable = allow.includes(type);
  if (redistributable || allowPrivate.includes(type)) {
    return { allowed: true, license: { type, url: given.url ?? licensePage(type), redistributable } };
  }
  const rule = reject.find(({ pattern }) => new RegExp(pattern, 'i').test(type));
  return { allowed: false, type, because: rule?.because ?? 'not on the list of allowed licenses' };
}

function licensePage(type: string): string | null {
  return /^[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*$/.test(type) && !type.startsWith('LicenseRef')
    ? `https://spdx.org/licenses/${type}.html`
    : null;
}
