// GET|POST /auth/publishable-keys, PATCH|DELETE /auth/publishable-keys/{id}: keys for use in web pages.
import { z } from 'zod';
import { MAX_ORIGIN_CHARACTERS, MAX_ORIGINS, ORIGIN_RULE, parseOrigin } from './page-origin.js';
import {
  MAX_DAILY_LIMIT,
  MAX_KEY_NAME_CHARACTERS,
  MAX_PUBLISHABLE_KEYS,
  PUBLISHABLE_KEY_ID_PATTERN,
} from './publishable-key.js';
import { AppError } from '../platform/errors.js';
import type { PublishableKeyView } from './publishable-keys.js';
import { json, noContent, NO_STORE } from '../platform/http/response/reply.js';
import { route, type Route } from '../platform/http/route.js';
import { count, type Presented } from '../platform/http/openapi/times-and-counts.js';
import { text } from './fields.routes.js';
import { CHANGE_ERRORS, presentPublishableKey, publishableKeyResponse } from './schemas.routes.js';

const NAME_RULE = `1 to ${MAX_KEY_NAME_CHARACTERS} characters`;
const LIMIT_RULE = `a whole number from 1 to ${MAX_DAILY_LIMIT}, or null for no limit`;
const LIMIT_ERROR = { error: `must be a whole number from 1 to ${MAX_DAILY_LIMIT}, or null` };

const nameField = text
  .transform((name) => name.trim())
  .refine((name) => name !== '', { error: 'is empty' })
  .refine((name) => name.length <= MAX_KEY_NAME_CHARACTERS, { error: 'too long' })
  .meta({
    description: 'Display name, to tell keys apart.',
    allowed: NAME_RULE,
    example: 'Website',
    override: { minLength: 1, maxLength: MAX_KEY_NAME_CHARACTERS },
  });

const originField = text
  .max(4 * MAX_ORIGIN_CHARACTERS, { error: 'too long' })
  .transform((value, context) => {
    const parsed = parseOrigin(value);
    if ('origin' in parsed) return parsed.origin;
    context.addIssue({ code: 'custom', message: parsed.reason });
    return z.NEVER;
  })
  .meta({ example: '*.example.com' });

const originsField = z
  .array(originField, { error: 'must be a list' })
  .max(MAX_ORIGINS, { error: `has more than ${MAX_ORIGINS} items` })
  .transform((origins) => [...new Set(origins)])
  .meta({
    description:
      'Hosts of the pages that can use the key, on any port. `*.example.com` allows all subdomains, but not ' +
      '`example.com` itself. If empty, the key works on all pages and in requests without a page.',
    allowed: `at most ${MAX_ORIGINS} items, each of them ${ORIGIN_RULE}`,
  });

const limitField = z
  .int(LIMIT_ERROR)
  .min(1, LIMIT_ERROR)
  .max(MAX_DAILY_LIMIT, LIMIT_ERROR)
  .nullable()
  .meta({
    description:
      'Requests per UTC day across all picture buckets. Null: only the limits of the account apply. A key with a daily ' +
      'limit cannot use the last tenth of each bucket, which is reserved for the API key.',
    allowed: LIMIT_RULE,
    example: 10_000,
  });

const newKeyBody = z.strictObject({
  name: nameField,
  origins: originsField.optional(),
  dailyLimit: limitField.optional().meta({
    description:
      'Requests per UTC day across all picture buckets. Null: only the limits of the account apply. Default: ' +
      "half of the tier's daily pictures.",
  }),
});

const editBody = z.strictObject({
  name: nameField.optional(),
  origins: originsField.optional(),
  dailyLimit: limitField.optional(),
});

const keyId = text.max(64, { error: 'too long' }).meta({
  description: '`id` of a publishable key, as listed.',
  allowed: 'the id of a publishable key',
  example: '9f86d081884c7d65',
  override: { pattern: PUBLISHABLE_KEY_ID_PATTERN.source },
});

const keySchema = publishableKeyResponse
  .extend({ usedToday: count.meta({ description: 'Counted requests of the current UTC day.' }) })
  .meta({ id: 'PublishableKey', description: 'Key for use in pages. It gives access to pictures only.' });
const oneKey = z.object({ publishableKey: keySchema });

export const publishableKeyRoutes: readonly Route[] = [
  route('GET /auth/publishable-keys', {
    auth: 'bearer',
    summary: 'List publishable keys',
    description: 'Oldest first.',
    responses: {
      200: {
        description: 'All publishable keys of the account',
        schema: z.object({
          publishableKeys: z
            .array(keySchema)
            .max(MAX_PUBLISHABLE_KEYS)
            .meta({ description: 'All publishable keys of the account.' }),
        }),
      },
    },
    handle: async ({ caller }, { publishableKeys }) =>
      json(200, { publishableKeys: (await publishableKeys.list(caller)).map(present) }, NO_STORE),
  }),
  route('POST /auth/publishable-keys', {
    auth: 'bearer',
    summary: 'Create a publishable key',
    description:
      'For use in pages, as `?key=`. It gives access to pictures only (`/v1/svg`, `/v1/png`, `/v1/webp`, ' +
      '`/v1/logo`, `/v1/strip`, `/v1/favicon`, `/iconify` and `/compat`). An account can have at most ' +
      `${MAX_PUBLISHABLE_KEYS}.`,
    body: newKeyBody,
    responses: { 201: { description: 'The key', schema: oneKey } },
    errors: ['rate_limited', ...CHANGE_ERRORS],
    handle: async ({ body: { name, origins = [], dailyLimit }, caller, client }, { publishableKeys }) => {
      const settings = { name, origins, ...(dailyLimit !== undefined && { dailyLimit }) };
      const created = await publishableKeys.create({ caller, client }, settings);
      return json(201, { publishableKey: present(created) }, NO_STORE);
    },
  }),
  route('PATCH /auth/publishable-keys/{id}', {
    auth: 'bearer',
    summary: 'Update a publishable key',
    description: 'Omitted fields keep their values. The change applies to every request after this response.',
    params: z.strictObject({ id: keyId }),
    body: editBody,
    responses: { 200: { description: 'The updated key', schema: oneKey } },
    errors: ['not_found', 'rate_limited', ...CHANGE_ERRORS],
    handle: async ({ params: { id }, body: { name, origins, dailyLimit }, caller, client }, { publishableKeys }) => {
      const settings = {
        ...(name !== undefined && { name }),
        ...(origins !== undefined && { origins }),
        ...(dailyLimit !== undefined && { dailyLimit }),
      };
      const edited = await publishableKeys.edit({ caller, client }, id, settings);
      if (!edited) throw noSuchKey();
      return json(200, { publishableKey: present(edited) }, NO_STORE);
    },
  }),
  route('DELETE /auth/publishable-keys/{id}', {
    auth: 'bearer',
    summary: 'Revoke a publishable key',
    description:
      'The key is rejected in every request after this response. Browsers and CDNs may still show pictures from ' +
      'their caches.',
    params: z.strictObject({ id: keyId }),
    responses: { 204: { description: 'The key is revoked' } },
    errors: ['not_found', ...CHANGE_ERRORS],
    handle: async ({ params: { id }, caller, client }, { publishableKeys }) => {
      if (!(await publishableKeys.revoke({ caller, client }, id))) throw noSuchKey();
      return noContent();
    },
  }),
];

const noSuchKey = (): AppError => new AppError('not_found', 'There is no such publishable key.');

function present({ key, usedToday }: PublishableKeyView): Presented<typeof keySchema> {
  return { ...presentPublishableKey(key), usedToday };
}
