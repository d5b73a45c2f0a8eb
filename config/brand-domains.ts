// What the catalog does not know about brands and their domains, from brand-domains.json.
import { z } from 'zod';
import { readConfigFile } from './json-file.js';

const host = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'a host name in lower case, IDN in its ASCII form');
const slug = z.string().regex(/^[a-z0-9][a-z0-9._-]{0,99}$/, 'a slug');

export const brandDomainsSchema = z.strictObject({
  /** Hosts by slug or name in kebab case; they are that brand's, whoever else claims them. A brand that the catalog lacks is passed over. */
  hosts: z.record(slug, z.array(host)),
  /** Brands that own their name under every country's suffix. */
  everywhere: z.array(slug),
  /** Domains whose pages are their users'. */
  hosting: z.array(host),
});

export function readBrandFacts(): z.output<typeof brandDomainsSchema> {
  return readConfigFile('brand-domains.json', brandDomainsSchema);
}
