// The import policy of the catalog: sources, licenses, names and brands, from catalog.json.
import { z } from 'zod';
import { overridesSchema, policySchema, slugText } from '../src/catalog/import/import-policy.js';
import { categoriesByBrand } from '../src/catalog/kinds.js';
import { readConfigFile } from './json-file.js';
import { readKinds } from './kinds.js';

const catalogConfigSchema = policySchema.extend({
  /** Packages to import at the first start, and by `catalog import` without options. */
  packages: z.array(
    z.enum([
      'simple-icons',
      '@thesvg/icons',
      '@iconify-json/logos',
      '@iconify-json/devicon',
      '@lobehub/icons-static-svg',
      '@cardog-icons/core',
    ]),
  ),
});

export type CatalogConfig = ReturnType<typeof readCatalogConfig>;

/** Slug → abbreviations, nicknames and names in other scripts, and their source. */
const searchNamesSchema = z.record(
  slugText,
  z.strictObject({ names: z.array(z.string().min(1)).min(1), source: z.string().min(1) }),
);

/** Reads the policy. Names in search-names.json become aliases. */
export function readCatalogConfig() {
  const catalog = readConfigFile('catalog.json', catalogConfigSchema);
  const kinds = readKinds();
  const aliases = new Map(Object.entries(catalog.aliases));
  for (const [name, { names }] of Object.entries(readConfigFile('search-names.json', searchNamesSchema)))
    aliases.set(name, [...(aliases.get(name) ?? []), ...names]);
  return {
    ...catalog,
    aliases: Object.fromEntries(aliases),
    categories: categoriesByBrand(kinds),
    meaninglessCategories: kinds.meaningless,
    overrides: readConfigFile('catalog-overrides.json', overridesSchema),
  };
}
