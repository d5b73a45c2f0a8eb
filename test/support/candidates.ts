// Catalog entries, sources and candidates out of nothing but a name.
import { createHash } from 'node:crypto';
import type { Entry, Slug, Variant } from '../../src/domain/catalog/entry.js';
import type { Look } from '../../src/domain/catalog/look.js';
import type { Candidate } from '../../src/domain/catalog/candidate.js';
import type { CatalogSource } from '../../src/ports/catalog-store.js';

const hash = (text: string, length: number): string => createHash('sha256').update(text).digest('hex').slice(0, length);

export function variantNamed(name: string, facts: Partial<Variant> = {}): Variant {
  return {
    name,
    width: 24,
    height: 24,
    colors: ['#000000'],
    recolorable: true,
    on: ['light'],
    etag: hash(`${name}${JSON.stringify(facts)}`, 16),
    ...facts,
  };
}

/** Of a black square that fills its box. */
export const LOOK: Look = {
  print: '',
  faded: { light: 0, dark: 1 },
  chromatic: 0,
  hues: 1,
  areas: [1],
  letters: 1,
  plate: 'square',
  cost: 10,
};

/** `mark` makes another drawing of it. */
export function entryOf(slug: string, mark = ''): Entry {
  return {
    slug: slug as Slug,
    title: slug,
    aliases: [],
    categories: [],
    hex: '#000000',
    domain: null,
    domains: [],
    website: null,
    source: null,
    guidelines: null,
    license: { type: 'CC0-1.0', url: null, redistributable: true },
    variants: [variantNamed('default', { etag: hash(slug + mark, 16) })],
    provenance: [{ package: 'test', version: '1.0.0' }],
    revision: hash(`revision ${slug}${mark}`, 12),
    updatedAt: '2026-01-01T00:00:00Z',
  };
}

export function candidateOf(key: string, facts: Partial<Candidate> = {}): Candidate {
  return {
    key,
    title: key,
    titleGuessed: false,
    aliases: [],
    categories: [],
    hex: null,
    website: null,
    origin: null,
    guidelines: null,
    license: { type: 'CC0-1.0', url: null, redistributable: true },
    variants: [variantNamed('default', { etag: hash(key, 16) })],
    ...facts,
  };
}

export function sourceOf(id: string, facts: Partial<CatalogSource> = {}): CatalogSource {
  return {
    id,
    package: id,
    version: '1.0.0',
    kind: 'brands',
    prefix: null,
    importedAt: '2026-01-01T00:00:00.000Z',
    ...facts,
  };
}
