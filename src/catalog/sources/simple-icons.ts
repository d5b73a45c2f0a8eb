// The npm package simple-icons as a source: one-color glyphs with brand colors and names.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { IconSetFacts, SetIcon } from '../set-icon.js';
import type { IconSource, SourceItem } from '../import/catalog-sources.js';
import { findPackage, packageSource } from './installed-package.js';

const NAME = 'simple-icons';
const COLLECTION_LICENSE = { type: 'CC0-1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' };

const iconList = z.array(
  z.object({
    title: z.string(),
    slug: z.string(),
    hex: z.string(),
    source: z.string(),
    guidelines: z.string().optional(),
    license: z.object({ type: z.string(), url: z.string().optional() }).optional(),
    aliases: z
      .object({
        aka: z.array(z.string()).default([]),
        dup: z.array(z.object({ title: z.string() })).default([]),
        loc: z.record(z.string(), z.string()).default({}),
        old: z.array(z.string()).default([]),
      })
      .optional(),
  }),
);

type Icon = z.output<typeof iconList>[number];

const PAGE = 'https://github.com/simple-icons/simple-icons';
const SIDE = 24;
/** Facts of the collection in the format of Iconify sets. */
const SET: IconSetFacts = {
  prefix: NAME,
  info: {
    name: 'Simple Icons',
    author: { name: 'Simple Icons Collaborators', url: PAGE },
    license: { title: 'CC0 1.0', spdx: 'CC0-1.0', url: `${PAGE}/blob/develop/LICENSE.md` },
    samples: ['kashflow', 'googlepay', 'instagram'],
    height: SIDE,
    category: 'Brands / Social',
    palette: false,
  },
  lastModified: null,
  box: { width: SIDE, height: SIDE },
  prefixes: null,
  suffixes: null,
};

export async function openSimpleIcons(): Promise<IconSource> {
  const { folder, version, notice } = await findPackage(NAME);
  return packageSource({
    ...{ package: NAME, version, notice, kind: 'glyphs', iconSet: { ...SET, info: { ...SET.info, version } } },
    listed: iconList.parse(JSON.parse(await readFile(join(folder, 'data', 'simple-icons.json'), 'utf8'))),
    keyOf: ({ slug }) => slug,
    read: (icon, at) => itemOf(icon, readFileSync(join(folder, 'icons', `${icon.slug}.svg`), 'utf8'), at),
  });
}

function itemOf({ slug, title, hex, source, guidelines, license, aliases }: Icon, svg: string, at: number): SourceItem {
  return {
    kind: 'icon',
    icon: {
      ...{ key: slug, title, titleGuessed: false },
      // `dup` lists other brands with the same symbol. Their titles become aliases.
      aliases: aliases
        ? [...aliases.aka, ...aliases.old, ...Object.values(aliases.loc), ...aliases.dup.map((brand) => brand.title)]
        : [],
      ...{ categories: [], hex, website: source, origin: source, guidelines: guidelines ?? null },
      license: license ? { type: license.type, url: license.url ?? null } : COLLECTION_LICENSE,
      drawings: [{ name: 'default', svg }],
      ...setIconOf(slug, svg, at),
    },
  };
}

/** Returns the Iconify facts of an icon whose drawing is one path in a square. */
function setIconOf(name: string, svg: string, at: number): { readonly setIcon?: SetIcon } {
  const path = /viewBox="0 0 24 24".*<path d="([^"]+)"\/><\/svg>\s*$/.exec(svg)?.[1];
  if (path === undefined) return {};
  const body = `<path fill="currentColor" d="${path}"/>`;
  return {
    setIcon: { prefix: NAME, name, at, parent: null, props: {}, body, aliases: [], categories: [], chars: [] },
  };
}
