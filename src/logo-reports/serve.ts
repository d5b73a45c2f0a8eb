// Services that request handlers need for reports about wrong logos.
import type { Serving } from '../platform/feature.js';

export const serveLogoReports = ({ stores: { logoReports, rateLimits } }: Serving) => ({
  services: { logoReports, rateLimits },
});
