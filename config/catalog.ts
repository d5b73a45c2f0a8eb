// The import policy of the catalog: sources, licenses, names and brands, from catalog.json.
import { z } from 'zod';
import { SLUG_PATTERN } from '../src/domain/catalog/entry.js';
import { readConfigFile } from './json-file.js';

const slug = z.string().regex(SLUG_PATTERN, { error: 'not a slug' });
const pattern = z.string().refine(isPattern, { error: 'not a regular expression' });

const catalogConfigSchema = z.strictObject({
  /** Imported on first start, and by `catalog import` without options. */
  packages: z.array(
    z.enum([
      'simple-icons',
      '@thesvg/icons',
      '@iconify-json/logos',
      '@iconify-json/devicon',
      '@lobehub/icons-static-svg',
    ]),
  ),
  licenses: z.strictObject({
    allow: z.array(z.string().min(1)),
    allowPrivate: z.array(z.string().min(1)),
    rename: z.record(z.string(), z.string()),
    reject: z.array(z.strictObject({ pattern, because: z.string().min(1) })),
  }),
  merge: z.record(slug, z.array(z.string().min(1))),
  aliases: z.record(slug, z.array(z.string().min(1))),
  vendorPrefixes: z.array(z.string().min(1)),
  hostingDomains: z.array(z.string().regex(/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, { error: 'not a domain' })),
});

const because = z.string().min(1);
/** `package:key/variant`, and `package:key` of an icon with all its drawings. */
const drawing = z.string().regex(/^[^:]+:.+\/[^/]+$/, { error: 'not package:key/variant' });
const icon = z.string().regex(/^[^:]+:.+$/, { error: 'not package:key' });

/** Decisions about single brands that no rule makes, each with its reason. */
const overridesSchema = z.strictObject({
  defaults: z.record(slug, z.strictObject({ drawing, because })),
  rejected: z.record(drawing, because),
  separate: z.record(icon, z.strictObject({ slug, title: z.string().min(1).optional(), because })),
  colors: z.record(
    slug,
    z.strictObject({ hex: z.string().regex(/^#[0-9A-F]{6}$/, { error: 'not #RRGGBB' }), because }),
  ),
});

export type CatalogConfig = z.output<typeof catalogConfigSchema> & {
  readonly overrides: z.output<typeof overridesSchema>;
};

/** Abbreviations, nicknames and names in other scripts, by slug, each with the place where they are used. */
const searchNamesSchema = z.record(
  slug,
  z.strictObject({ names: z.array(z.string().min(1)).min(1), source: z.string().min(1) }),
);

/** The names of search-names.json are aliases, too. */
export function readCatalogConfig(): CatalogConfig {
  const catalog = readConfigFile('catalog.json', catalogConfigSchema);
  const aliases = new Map(Object.entries(catalog.aliases));
  for (const [name, { names }] of Object.entries(readConfigFile('search-names.json', searchNamesSchema)))
    aliases.set(name, [...(aliases.get(name) ?? []), ...names]);
  return {
    ...catalog,
    aliases: Object.fromEntries(aliases),
    overrides: readConfigFile('catalog-overrides.json', overridesSchema),
  };
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
