// URLs of Clearbit: logo.clearbit.com, autocomplete.clearbit.com and company.clearbit.com (name to domain).
import { z } from 'zod';
import { bucketOfFormat, pictureRequest } from '../pictures/picture-request.js';
import { textParameter } from '../platform/web/query-parameter.js';
import { querySchema } from '../platform/web/query-rules.js';
import { json, type Reply } from '../platform/http/response/reply.js';
import type { Services } from '../platform/services.js';
import { route } from '../platform/http/route.js';
import { domainParameter } from '../pictures/logo.routes.js';
import { keyInPath } from '../accounts/key-in-path.routes.js';
import { COMPAT, compatPicture, PICTURE_ERRORS, pictureDocs } from './answer.routes.js';
import { clampedParameter, switchParameter, wordParameter } from './parameters.routes.js';
import { brandSuggestions, lifetimeOf, SEARCH_COST, searchDocs } from './search.routes.js';

/** Maximum number of suggestions, as in Clearbit's API. */
const SUGGESTIONS = 5;

const company = z
  .object({
    name: z.string().meta({ description: 'Name of the brand.', example: 'Stripe' }),
    domain: z.string().meta({ description: 'Main domain of the brand.', example: 'stripe.com' }),
    logo: z.string().meta({ description: 'URL of the logo on this service.' }),
  })
  .meta({ id: 'ClearbitCompany' });
const name = textParameter(100, { description: 'Start of the name.', example: 'stri' });

export const clearbitRoutes = [
  route('GET /compat/{publishableKey}/clearbit/{domain}', {
    ...COMPAT,
    bucket: ({ format = 'png' }) => bucketOfFormat(format),
    cost: 1,
    replaces: { service: 'Clearbit', address: 'https://logo.clearbit.com/stripe.com?size=80' },
    summary: 'Get a logo, compatible with logo.clearbit.com',
    description: 'Returns a square PNG, or a JPEG on white. An unknown domain returns 404.',
    params: z.strictObject({ publishableKey: keyInPath, domain: domainParameter }),
    query: querySchema(
      {
        size: clampedParameter({
          min: 8,
          max: 2048,
          description: 'Width and height of the picture in px. Default: 128.',
        }),
        format: wordParameter({ png: 'png', jpg: 'jpg' } as const, { description: '`png` (default) or `jpg`.' }),
        greyscale: switchParameter('Converts the picture to grayscale.'),
      },
      [],
    ),
    responses: pictureDocs('png', 'jpg'),
    errors: PICTURE_ERRORS,
    handle: ({ catalog, params, query: { size = 128, format = 'png', greyscale } }, services) =>
      compatPicture({ params, catalog }, services, () => ({
        wanted: { domain: params.domain },
        request: pictureRequest(format, { size, greyscale }),
      })),
  }),
  route('GET /compat/{publishableKey}/clearbit/v1/companies/suggest', {
    ...COMPAT,
    bucket: 'search',
    cost: SEARCH_COST,
    replaces: { service: 'Clearbit', address: 'https://autocomplete.clearbit.com/v1/companies/suggest?query=stri' },
    summary: 'Suggest companies, compatible with autocomplete.clearbit.com',
    description: `Returns at most ${SUGGESTIONS} companies. Brands without a domain are omitted.`,
    params: z.strictObject({ publishableKey: keyInPath }),
    query: querySchema({ query: name }, [{ exactlyOneOf: ['query'] }]),
    responses: searchDocs(company),
    handle: ({ catalog, params, query: { query: q = '' } }, services) =>
      brandSuggestions(
        {
          catalog,
          q,
          atMost: SUGGESTIONS,
          kind: `clearbit ${params.publishableKey}`,
          present: ({ title, domain }) => companyOf({ title, domain }, params.publishableKey, services),
        },
        services,
      ),
  }),
  route('GET /compat/{publishableKey}/clearbit/v1/domains/find', {
    ...COMPAT,
    bucket: 'domain',
    cost: 5,
    replaces: { service: 'Clearbit', address: 'https://company.clearbit.com/v1/domains/find?name=Stripe' },
    summary: "Find a company's domain by name, compatible with Clearbit",
    description: "An unknown name returns 404 with `unknown_record`, which Clearbit's client expects.",
    params: z.strictObject({ publishableKey: keyInPath }),
    query: querySchema({ name }, [{ exactlyOneOf: ['name'] }]),
    responses: { 200: { description: 'The company', schema: company } },
    errors: ['not_found'],
    handle: ({ catalog, params, query: given }, services) => ({
      kind: 'prepared',
      headers: lifetimeOf(catalog),
      async make(reader): Promise<Reply> {
        const outcome = await services.brands.lookup({ name: given.name ?? '' }, catalog, reader);
        const domain = outcome.kind === 'found' ? outcome.entry.domain : null;
        if (outcome.kind !== 'found' || domain === null) return UNKNOWN;
        return json(200, companyOf({ title: outcome.entry.title, domain }, params.publishableKey, services));
      },
    }),
  }),
];

/** Clearbit's client throws a specific error for the type `unknown_record`. */
const UNKNOWN = json(404, {
  error: { type: 'unknown_record', message: 'Unknown record.' },
});

function companyOf(
  { title, domain }: { readonly title: string; readonly domain: string },
  key: string,
  { deployment: { origin } }: Pick<Services, 'deployment'>,
): z.output<typeof company> {
  return { name: title, domain, logo: `${origin}/compat/${key}/clearbit/${domain}` };
}
