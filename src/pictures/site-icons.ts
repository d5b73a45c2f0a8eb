// Icons of sites, for domains that no brand has. An optional feature finds and stores them.
import type { Variant } from '../catalog/entry.js';
import type { AskedHost } from '../brands/brands.js';

export interface SiteIcon {
  /** Host name, ASCII. */
  readonly host: string;
  /** URL of the icon. */
  readonly source: string;
  /** Side of a bitmap, px. Null for a drawing, which has any size. */
  readonly px: number | null;
  readonly variants: readonly [Variant, ...Variant[]];
  readonly foundAt: Date;
  /** Returns the text of a variant by its `etag`, for a picture whose longer side is `side` px. */
  readonly read: (etag: string, side: number) => string;
}

/** `none`: the host has no icon. `unknown`: nobody has asked for it in the last day. */
export type StoredSiteIcon = SiteIcon | 'none' | 'unknown';

export interface SiteIcons {
  /** Returns what is stored, and refreshes an old icon in the background. */
  stored(asked: AskedHost): Promise<StoredSiteIcon>;
  /**
   * Fetches the icon of an unknown host. Returns `unknown` if that takes longer than `waitMs`, or if the account has
   * used up its limits. Reveals nothing about the network: all failures take the same time.
   */
  fetch(asked: AskedHost, caller: { readonly accountId: string; readonly waitMs: number }): Promise<StoredSiteIcon>;
}
