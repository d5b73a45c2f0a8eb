// Facts about brands and their domains that no source has, from brand-domains.json.
import { z } from 'zod';
import { SLUG_PATTERN } from '../src/domain/catalog/entry.js';
import { readCatalogConfig } from './catalog.js';
import { readConfigFile } from './json-file.js';

const host = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, { error: 'not a host name in lower case and ASCII' });
const name = z.string().regex(SLUG_PATTERN, { error: 'not a slug' });

export const brandDomainsSchema = z.strictObject({
  /**
   * Hosts by slug or name in kebab case; they are that brand's, whichever other brand claims them. A brand that the catalog
   * lacks is passed over.
   */
  hosts: z.record(name, z.array(host).min(1)),
  /** Brands that own their name under every country's suffix. */
  everywhere: z.array(name),
});

interface BrandFacts extends z.output<typeof brandDomainsSchema> {
  /** Domains whose pages are their users'. */
  readonly hosting: readonly string[];
}

export function readBrandFacts(): BrandFacts {
  return { ...readConfigFile('brand-domains.json', brandDomainsSchema), hosting: readCatalogConfig().hostingDomains };
}
