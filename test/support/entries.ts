// Entries made up for tests, with only what a test cares about stated.
import type { Entry, Slug, Variant } from '../../src/domain/catalog/entry.js';

export function someVariant(variant: Partial<Variant> = {}): Variant {
  return {
    name: 'default',
    width: 24,
    height: 24,
    colors: ['#000000'],
    recolorable: true,
    on: ['light'],
    etag: '0123456789abcdef',
    ...variant,
  };
}

export function someEntry(slug: string, entry: Partial<Entry> = {}): Entry {
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
    ...entry,
  };
}
