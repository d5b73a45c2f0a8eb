// Logo reports: visitors report wrong logos, and the operator lists them.
import type { Feature } from '../platform/feature.js';

export const logoReports: Feature = {
  name: 'logo-reports',
  subcommands: { catalog: async () => (await import('./logo-reports.command.js')).reportCommands },
  routes: async () => (await import('./all.routes.js')).routes,
  serve: async () => (await import('./serve.js')).serveLogoReports,
  records: async () => (await import('./stores.records.js')).records,
};
