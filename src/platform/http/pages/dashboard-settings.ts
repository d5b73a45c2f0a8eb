// Settings of a deployment that dashboard pages need before their first request.

/** Maximum width and height of a preview for signed-out visitors, in pixels at `scale` 1. */
export const MAX_VISITOR_SIDE = 512;

/** Settings, written into each page as the attribute `data-settings`. */
export interface DashboardSettings {
  /** Origin of PUBLIC_URL. Cookies and same-origin requests work only on pages of this origin. */
  readonly origin: string;
  readonly registration: 'open' | 'verified' | 'closed';
  /** Whether signed-out visitors may browse the catalog. `on`: yes. `off`: no. */
  readonly gallery: 'on' | 'off';
  readonly billing: 'on' | 'off';
  /** Whether mails reach users. `on`: yes. `off`: mails are only written to files, which the operator can read. */
  readonly mail: 'on' | 'off';
  /** Whether icons are fetched from websites. `on`: yes. `off`: no. */
  readonly siteIcons: 'on' | 'off';
  /** Address of the operator (`mailto:` or `https:`); null if unknown. */
  readonly operatorContact: string | null;
  /** Address for owners of sites (`mailto:`, `https:` or `tel:`); null if unknown. */
  readonly siteOwnerContact: string | null;
  readonly minPasswordCharacters: number;
  /** Maximum width and height of a preview for signed-out visitors, in pixels at `scale` 1. */
  readonly maxVisitorSide: number;
}
