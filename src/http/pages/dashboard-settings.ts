// What the pages of the dashboard know of a deployment before any request.

/** Written into each page as `data-settings`. */
export interface DashboardSettings {
  /** Of PUBLIC_URL: cookies and the same-origin check hold there alone. */
  readonly origin: string;
  readonly registration: 'open' | 'closed';
  /** Whether visitors may browse the catalog. */
  readonly gallery: 'on' | 'off';
  readonly billing: 'on' | 'off';
  readonly minPasswordCharacters: number;
}
