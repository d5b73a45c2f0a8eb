// GET /v1/brand: the brand of a domain, URL, e-mail address or name.
import { z } from 'zod';
import { textParameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import { strongEtag } from '../platform/web/strong-etag.js';
import { NotFoundError } from '../platform/not-found.js';
import { AppError, invalidField, shortened } from '../platform/errors.js';
import type { BrandQuery } from './brands.js';
import type { AccountCatalog } from '../catalog/account-catalogs.js';
import type { Reader } from '../platform/reader.js';
import { json } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import type { Presented } from '../platform/http/openapi/times-and-counts.js';
import { entrySchema, presentEntry } from '../catalog/entry-schema.routes.js';
import { CODED_LOOKUP_HEADERS, lookupReply, NOT_MODIFIED } from '../catalog/lookup-replies.routes.js';

const NAMES = ['domain', 'url', 'email', 'name'] as const;

const ALLOWED = {
  domain: 'a full domain such as github.com, or a URL',
  url: 'a URL such as https://github.com/nodejs/node',
  email: 'an e-mail address such as ada@stripe.com',
  name: 'the name of a brand',
} as const;

const query = querySchema(
  {
    domain: textParameter(2048, {
      description: 'Host name. A scheme, port or path is ignored.',
      format: 'hostname',
      tryIt: 'aws.amazon.com',
    }),
    url: textParameter(2048, {
      description: 'URL. `https://` can be omitted.',
      format: 'uri',
      example: 'https://github.com/nodejs/node',
    }),
    email: textParameter(320, {
      description: 'E-mail address, optionally with a display name.',
      format: 'email',
      example: 'ada@stripe.com',
    }),
    name: textParameter(100, { description: 'Name of the brand.', example: 'Visual Studio Code' }),
  },
  [{ exactlyOneOf: NAMES }],
);

const brandAnswer = z
  .object({
    query: z.string().meta({ description: 'Value of the request parameter.', example: 'aws.amazon.com' }),
    match: z.enum(['domain', 'subdomain', 'name', 'alias']).meta({ description: 'What the query matched.' }),
    brand: entrySchema.meta({ description: 'Entry of the brand.' }),
    alternatives: z
      .array(entrySchema)
      .max(5)
      .meta({ description: 'Other brands with the same domain or name, best match first.' }),
  })
  .meta({ id: 'BrandAnswer' });

export const brandRoute = route('GET /v1/brand', {
  auth: 'key',
  bucket: 'domain',
  // A lookup by name counts as five requests against the limit per second, because it may need a full search.
  cost: ({ query: { name } }) => (name === undefined ? 1 : 5),
  summary: 'Find the brand of a domain, URL, e-mail address or name',
  description:
    'Searches for the exact host first, then for its parent domains up to the registrable domain. A brand is ' +
    'preferred over its products. A page on a hosting service (github.com/someone) matches the hosting service, ' +
    'not the brand whose page it is. An IP address, a single label, a public suffix and a host under an unknown ' +
    'top-level domain only match own brands; otherwise the response is `not_found`.',
  query,
  responses: {
    200: { description: 'The brand', schema: brandAnswer, headers: CODED_LOOKUP_HEADERS },
    304: NOT_MODIFIED,
  },
  errors: ['not_found'],
  handle({ query: given, catalog }, services) {
    const etag = strongEtag(`${services.catalogVersion()} ${catalog.ownBrandPageIds} ${JSON.stringify(given)}`);
    return lookupReply(
      { tag: etag, catalog, codingsOf: services.taggedCodings },
      {
        make: async (reader) => json(200, await lookUp({ given, catalog }, services, reader)),
      },
    );
  },
});

async function lookUp(
  { given, catalog }: { readonly given: z.output<typeof query>; readonly catalog: AccountCatalog },
  { brands, deployment: { origin } }: Pick<Services, 'brands' | 'deployment'>,
  reader: Reader,
): Promise<Presented<typeof brandAnswer>> {
  const field = NAMES.find((name) => given[name] !== undefined);
  const text = field === undefined ? undefined : given[field];
  if (field === undefined || text === undefined) throw new AppError('invalid_request');
  const outcome = await brands.lookup({ [field]: text } as BrandQuery, catalog, reader);
  switch (outcome.kind) {
    case 'invalid':
      throw invalidField(outcome.field, outcome.reason, ALLOWED[outcome.field]);
    case 'none':
      throw new NotFoundError(
        `No brand is known for "${shortened(text, 80)}".${outcome.reason === undefined ? '' : ` This value ${outcome.reason}.`}`,
        outcome.missing,
      );
    case 'found':
      return {
        query: text,
        match: outcome.match,
        brand: presentEntry(outcome.entry, origin),
        alternatives: outcome.alternatives.map((entry) => presentEntry(entry, origin)),
      };
  }
}
