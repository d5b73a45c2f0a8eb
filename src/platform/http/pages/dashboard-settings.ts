// Settings of a deployment that the pages of the dashboard have before any request.

/** Pixels a side of a preview for visitors without a session, whose `scale` is 1. */
export const MAX_VISITOR_SIDE = 512;

/** Written into each page as `data-settings`. */
export interface DashboardSettings {
  /** The origin of PUBLIC_URL: cookies and the same-origin check hold there alone. */
  readonly origin: string;
  readonly registration: 'open' | 'verified' | 'closed';
  /** `on`: visitors may browse the catalog. */
  readonly gallery: 'on' | 'off';
  readonly billing: 'on' | 'off';
  /** `mailto:` or `https:` address of the operator. */
  readonly operatorContact: string | null;
  readonly minPasswordCharacters: number;
  /** Px a side of a preview for visitors who are not signed in. */
  readonly maxVisitorSide: number;
}
