// Facts about brands and their domains that no source has, from brand-domains.json.
import { z } from 'zod';
import type { BrandFacts } from '../src/brands/brand-index.js';
import { slugText } from '../src/catalog/import/import-policy.js';
import { readCatalogConfig } from './catalog.js';
import { readConfigFile } from './json-file.js';

const host = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, { error: 'not a host name in lower case and ASCII' });

export const brandDomainsSchema = z.strictObject({
  /**
   * Hosts by slug or name in kebab case, by where they are from; they are that brand's, whichever other brand claims
   * them. A brand that the catalog lacks is passed over.
   */
  hosts: z.array(
    z.strictObject({
      source: z.string().min(1),
      of: z.record(slugText, z.array(host).min(1)),
      /** For people, where the source is many places: which of them names the host. */
      refs: z.record(host, z.string().min(1)).optional(),
    }),
  ),
  /** Brands that own their name under every country's suffix. */
  everywhere: z.array(slugText),
});

export function readBrandFacts(): BrandFacts {
  const { hosts, everywhere } = readConfigFile('brand-domains.json', brandDomainsSchema);
  const byName = new Map<string, readonly string[]>();
  for (const { of } of hosts)
    for (const [brand, list] of Object.entries(of)) byName.set(brand, [...(byName.get(brand) ?? []), ...list]);
  return { hosts: Object.fromEntries(byName), everywhere, hosting: readCatalogConfig().hostingDomains };
}
