// Reads brand-domains.json: the domains of brands for which no import source states a domain.
import { z } from 'zod';
import type { BrandFacts } from '../src/search/brand-index.js';
import { slugText } from '../src/catalog/import/import-policy.js';
import { readCatalogConfig } from './catalog.js';
import { readConfigFile } from './json-file.js';

const host = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, { error: 'not a lowercase ASCII host name' });

export const brandDomainsSchema = z.strictObject({
  /**
   * Hosts of brands, grouped by the source that states them. `of` maps a brand (slug or name in kebab case) to its
   * hosts. If the catalog gives one of these hosts to another brand, this file takes precedence. Brands that are not in
   * the catalog are ignored.
   */
  hosts: z.array(
    z.strictObject({
      source: z.string().min(1),
      of: z.record(slugText, z.array(host).min(1)),
      /**
       * For each host, the page or package of the source that names this host. This field is for people who edit the
       * file. The service ignores it.
       */
      refs: z.record(host, z.string().min(1)).optional(),
    }),
  ),
  /** Slugs of brands that own their name as a domain in every country: `NAME.de`, `NAME.fr` and so on. */
  everywhere: z.array(slugText),
});

export function readBrandFacts(): BrandFacts {
  const { hosts, everywhere } = readConfigFile('brand-domains.json', brandDomainsSchema);
  const byName = new Map<string, readonly string[]>();
  for (const { of } of hosts)
    for (const [brand, list] of Object.entries(of)) byName.set(brand, [...(byName.get(brand) ?? []), ...list]);
  return { hosts: Object.fromEntries(byName), everywhere, hosting: readCatalogConfig().hostingDomains };
}
