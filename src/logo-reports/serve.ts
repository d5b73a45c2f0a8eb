// Opens the reports about wrong logos for requests.
import type { Serving } from '../platform/feature.js';

export const serveLogoReports = ({ stores: { logoReports, rateLimits } }: Serving) => ({
  services: { logoReports, rateLimits },
});
