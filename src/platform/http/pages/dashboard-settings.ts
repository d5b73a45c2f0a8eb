// Settings of a deployment that dashboard pages have before any request.

/** Maximum width and height in pixels of a preview for visitors without a session, with `scale` 1. */
export const MAX_VISITOR_SIDE = 512;

/** Settings written into each page as `data-settings`. */
export interface DashboardSettings {
  /** Origin of PUBLIC_URL. Cookies and the same-origin check only work there. */
  readonly origin: string;
  readonly registration: 'open' | 'verified' | 'closed';
  /** `on`: visitors may browse the catalog. */
  readonly gallery: 'on' | 'off';
  readonly billing: 'on' | 'off';
  /** `off`: the operator has the links of mails. */
  readonly mail: 'on' | 'off';
  /** `mailto:` or `https:` address of the operator. */
  readonly operatorContact: string | null;
  readonly minPasswordCharacters: number;
  /** Maximum width and height in pixels of a preview for visitors who are not signed in. */
  readonly maxVisitorSide: number;
}
