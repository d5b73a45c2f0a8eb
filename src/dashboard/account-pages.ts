// The pages of an account: path, title and icon.
export const ACCOUNT_PAGES = [
  ['/overview', 'Overview', 'overview'],
  ['/usage', 'Usage', 'usage'],
  ['/keys', 'Keys', 'keys'],
  ['/brands', 'Brands', 'brands'],
  ['/webhooks', 'Webhooks', 'webhooks'],
  ['/sessions', 'Sessions', 'sessions'],
  ['/account', 'Account', 'account'],
  ['/billing', 'Billing', 'billing'],
  ['/reports', 'Reports', 'report'],
] as const;
