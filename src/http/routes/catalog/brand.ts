// GET /v1/brand
import { hash } from 'node:crypto';
import { z } from 'zod';
import { textParameter } from '../../../domain/query-parameter.js';
import { AppError, invalidField, shortened } from '../../../errors.js';
import type { BrandQuery, Brands } from '../../../services/brands.js';
import { etagHeaders } from '../../response/conditional.js';
import { memoizeByAddress } from '../../response/memoize.js';
import { json, type ConditionalReply } from '../../response/reply.js';
import { meteredRoute, type Route } from '../../route.js';
import { entrySchema, presentEntry } from './entry-schema.js';
import { LOOKUP_CACHE } from './slug-parameter.js';

const NAMES = ['domain', 'url', 'email', 'name'] as const;

const query = z
  .strictObject({
    domain: textParameter(2048, {
      description: 'A host name; scheme, port and path are dropped.',
      tryIt: 'aws.amazon.com',
    }),
    url: textParameter(2048, {
      description: 'A web address; its host counts.',
      example: 'https://github.com/nodejs/node',
    }),
    email: textParameter(320, { description: 'An e-mail address; its domain counts.', example: 'ada@stripe.com' }),
    name: textParameter(100, { description: "The brand's name.", example: 'Visual Studio Code' }),
  })
  .check((context) => {
    const given = NAMES.filter((name) => context.value[name] !== undefined);
    if (given.length === 1) return;
    const message = given.length === 0 ? 'give exactly one of them' : `give only one of ${given.join(', ')}`;
    context.issues.push({ code: 'custom', path: [given[1] ?? NAMES.join('|')], message, input: context.value });
  });

const brandAnswer = z
  .object({
    query: z.string(),
    match: z.enum(['domain', 'subdomain', 'name', 'alias']),
    brand: entrySchema,
    alternatives: z
      .array(entrySchema)
      .meta({ description: 'Others of the same domain or name, best first, at most five.' }),
  })
  .meta({ id: 'BrandAnswer' });

interface Options {
  readonly brands: Brands;
  /** Changes with all that answers are made of. */
  readonly catalogVersion: () => string;
  readonly origin: string;
}

export function brandRoutes({ brands, catalogVersion, origin }: Options): Route[] {
  const remember = memoizeByAddress<ConditionalReply>();
  return [
    meteredRoute({
      method: 'GET',
      path: '/v1/brand',
      bucket: 'domain',
      tag: 'Search',
      summary: 'The brand behind a domain, an address, an e-mail address or a name',
      description:
        'The exact host first, then upward to the registrable domain. The brand itself comes before its products. A page on a hosting service (github.com/someone) never stands for a brand that merely lives there.',
      query,
      responses: {
        200: { description: 'The brand', schema: brandAnswer },
        304: { description: 'The client has it already; not counted' },
      },
      errors: ['not_found'],
      handle: ({ query: asked }) =>
        remember(asked, catalogVersion(), (): Promise<ConditionalReply> => {
          const etag = `"${hash('sha256', `${catalogVersion()} ${JSON.stringify(asked)}`).slice(0, 32)}"`;
          return Promise.resolve({
            kind: 'prepared',
            etag,
            headers: { ...LOOKUP_CACHE, ...etagHeaders(etag) },
            render: async () => json(200, await answer(asked)),
          });
        }),
    }),
  ];

  async function answer(asked: z.output<typeof query>): Promise<z.input<typeof brandAnswer>> {
    const field = NAMES.find((name) => asked[name] !== undefined);
    const text = field === undefined ? undefined : asked[field];
    if (field === undefined || text === undefined) throw new AppError('invalid_request');
    const outcome = await brands.lookup({ [field]: text } as BrandQuery);
    switch (outcome.kind) {
      case 'invalid':
        throw invalidField(outcome.field, outcome.reason);
      case 'none':
        throw new AppError('not_found', `No brand is known for "${shortened(text, 80)}".`);
      case 'found':
        return {
          query: text,
          match: outcome.match,
          brand: presentEntry(outcome.entry, origin),
          alternatives: outcome.alternatives.map((entry) => presentEntry(entry, origin)),
        };
    }
  }
}
