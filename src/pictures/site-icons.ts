// Icons of websites, for domains without a brand. The optional feature `site-icons` finds and stores them.
import type { Variant } from '../catalog/entry.js';
import type { AskedHost } from '../brands/brands.js';

export interface SiteIcon {
  /** Host name, ASCII. */
  readonly host: string;
  readonly source: string;
  /** Side of the largest bitmap, px. Null for a drawing, which fits any size. */
  readonly px: number | null;
  readonly variants: readonly [Variant, ...Variant[]];
  readonly foundAt: Date;
  /** Returns the SVG text of a variant by its `etag`, for a picture whose longer side is `side` px. */
  readonly read: (etag: string, side: number) => string;
}

/** `none`: the host has no icon. `unknown`: no icon is stored, and none was searched for within the last day. */
export type StoredSiteIcon = SiteIcon | 'none' | 'unknown';

export interface SiteIcons {
  /** Returns the stored icon. If the icon is old, starts to fetch a new one in the background. */
  stored(asked: AskedHost): Promise<StoredSiteIcon>;
  /**
   * Fetches the icon of an unknown host. Returns `unknown` if fetching takes longer than `waitMs`, or if the account
   * has used up its limits. All failures take the same time, so that callers learn nothing about the network.
   */
  fetch(asked: AskedHost, caller: { readonly accountId: string; readonly waitMs: number }): Promise<StoredSiteIcon>;
}
