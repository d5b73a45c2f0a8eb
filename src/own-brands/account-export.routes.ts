// Own brands in the export of an account, with their uploaded drawings.
import { setImmediate as nextTick } from 'node:timers/promises';
import { z } from 'zod';
import type { Account } from '../accounts/account.js';
import { exportedList } from '../accounts/export-field.js';
import { entrySchema } from '../catalog/entry-schema.routes.js';
import { moment, type Presented } from '../platform/http/openapi/times-and-counts.js';
import { pageIds } from './brand-pages.js';
import { uploadOf } from './edit-brand.js';
import type { OwnBrandTexts } from './own-brand-texts.js';
import type { OwnBrand } from './own-brand.js';

const brandSchema = z.object({
  ...entrySchema.pick({ slug: true, title: true, hex: true, domains: true, aliases: true, categories: true }).shape,
  guidelines: entrySchema.shape.guidelines,
  links: z.record(z.string(), z.string()).meta({
    description: 'Links of the brand, by name.',
    example: { website: 'https://intranet.example.com' },
  }),
  drawings: z.record(z.string(), z.string()).meta({
    description: 'Uploaded SVGs, by variant.',
    example: { default: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">…</svg>' },
  }),
  createdAt: moment.meta({ description: 'When the brand was created.' }),
  updatedAt: moment.meta({ description: 'When the brand last changed.' }),
});
type ExportedBrand = Presented<typeof brandSchema>;

export const exportFields = [
  exportedList(
    'ownBrands',
    z.array(brandSchema).meta({ description: 'Own brands, with their drawings.' }),
    (account, { ownBrandTexts }) => exportedBrands(account, ownBrandTexts),
  ),
];

async function* exportedBrands(
  { id, ownBrands }: Account,
  texts: Pick<OwnBrandTexts, 'get'>,
): AsyncGenerator<readonly ExportedBrand[], void> {
  for (const page of pageIds(ownBrands?.pages ?? '')) {
    const text = (await texts.get(id, [page])).get(page);
    for (const brand of text === undefined ? [] : (JSON.parse(text) as readonly OwnBrand[])) {
      const uploaded = brand.variants.filter(({ name }) => uploadOf(brand, name));
      const svgs = await texts.get(
        id,
        uploaded.map(({ etag }) => etag),
      );
      const drawings = Object.fromEntries(uploaded.map(({ name, etag }) => [name, svgs.get(etag) ?? '']));
      const { slug, title, hex, domains, aliases, categories, guidelines, links, createdAt, updatedAt } = brand;
      yield [{ slug, title, hex, domains, aliases, categories, guidelines, links, drawings, createdAt, updatedAt }];
      // Lets other requests run, because the embedded store never yields to the event loop.
      await nextTick();
    }
  }
}
