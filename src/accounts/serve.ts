// Services of accounts that only the HTTP server needs. `open.ts` opens the other services of accounts.
import type { Serving } from '../platform/feature.js';
import { createBrowserCookies } from './authentication/cookies.js';
import { createPreviewLimits } from './preview-limits.js';

export const serveAccounts = ({ services, now, maxClients }: Serving) => ({
  services: {
    cookies: createBrowserCookies(services.deployment.origin),
    previewLimits: createPreviewLimits(now, maxClients),
  },
});
