// Services that are opened only for requests. `open.ts` opens the other services of accounts.
import type { Serving } from '../platform/feature.js';
import { createBrowserCookies } from './authentication/cookies.js';
import { createPreviewLimits } from './preview-limits.js';

export const serveAccounts = ({ services, now, maxClients }: Serving) => ({
  services: {
    cookies: createBrowserCookies(services.deployment.origin),
    previewLimits: createPreviewLimits(now, maxClients),
  },
});
