// Creates catalog entries, sources and candidates. A test only passes the fields that matter.
import { createHash } from 'node:crypto';
import type { Candidate, Look } from '../../src/catalog/import/candidate.js';
import type { Entry, Slug, Variant } from '../../src/catalog/entry.js';
import type { CatalogSource } from '../../src/catalog/catalog-store.js';

const hash = (text: string, length: number): string => createHash('sha256').update(text).digest('hex').slice(0, length);

export function someVariant(facts: Partial<Variant> = {}): Variant {
  return {
    name: 'default',
    width: 24,
    height: 24,
    colors: ['#000000'],
    recolorable: true,
    on: ['light'],
    etag: '0123456789abcdef',
    ...facts,
  };
}

/** Creates a variant. Variants with different names or facts have different drawings. */
export function variantNamed(name: string, facts: Partial<Variant> = {}): Variant {
  return someVariant({ name, etag: hash(`${name}${JSON.stringify(facts)}`, 16), ...facts });
}

export function someEntry(slug: string, facts: Partial<Entry> = {}): Entry {
  return {
    slug: slug as Slug,
    title: slug,
    aliases: [],
    categories: [],
    hex: null,
    domain: null,
    domains: [],
    website: null,
    source: null,
    guidelines: null,
    license: { type: 'CC0-1.0', url: null, redistributable: true },
    variants: [someVariant()],
    provenance: [{ package: 'simple-icons', version: '1.0.0' }],
    revision: '0123456789ab',
    updatedAt: '2026-01-01T00:00:00Z',
    ...facts,
  };
}

/** Creates an entry. Entries with a different slug or `mark` have different drawings. */
export function entryOf(slug: string, mark = ''): Entry {
  const variants = [someVariant({ etag: hash(slug + mark, 16) })] as const;
  return someEntry(slug, { hex: '#000000', variants, revision: hash(`revision ${slug}${mark}`, 12) });
}

/** Measurements of a drawing that is a black square and fills its whole box. */
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
    variants: [someVariant({ etag: hash(key, 16) })],
    ...facts,
  };
}

export function sourceOf(id: string, facts: Partial<CatalogSource> = {}): CatalogSource {
  const importedAt = '2026-01-01T00:00:00.000Z';
  return { id, package: id, version: '1.0.0', kind: 'brands', prefix: null, importedAt, ...facts };
}
