// Slugs of Simple Icons: the imported catalog has an entry for nearly all of them. URLs with the slugs of the Simple
// Icons CDN therefore also work with Blazon.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import type { Slug } from '../../src/catalog/entry.js';
import { openImportedCatalog } from '../support/imported-catalog.js';

describe('slugs of simple-icons', () => {
  it('lead to entries, except for icons with a license that is not imported', async () => {
    const file = join(dirname(createRequire(import.meta.url).resolve('simple-icons')), 'data', 'simple-icons.json');
    const icons = JSON.parse(readFileSync(file, 'utf8')) as readonly { readonly slug: string }[];
    const catalog = await openImportedCatalog();
    const found = await Promise.all(icons.map(({ slug }) => catalog.store.find(slug as Slug)));
    await catalog.close();
    const missing = icons.filter((_, at) => found[at]?.kind === 'missing').map(({ slug }) => slug);
    expect(missing.length / icons.length, missing.join()).to.be.below(0.025);
  });
});
