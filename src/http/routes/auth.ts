// POST /auth/register
import { z } from 'zod';
import type { Account } from '../../domain/account.js';
import { TIERS } from '../../domain/plan.js';
import type { Registration } from '../../services/registration.js';
import { clientOf } from '../../services/client.js';
import { budgetAddress } from '../client-address.js';
import { json } from '../reply.js';
import { openRoute, type Route } from '../route.js';

const NUL_OR_LONE_SURROGATE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const text = z.string({ error: 'must be text' }).refine((value) => !NUL_OR_LONE_SURROGATE.test(value), { error: 'has a character that cannot be stored' });

const credentials = z.strictObject({
  email: text
    .trim()
    .max(254, { error: 'longer than 254 characters' })
    .pipe(z.email({ error: 'not an e-mail address' }))
    .meta({ allowed: 'an e-mail address of at most 254 characters', example: 'ada@example.com' }),
  password: text
    .max(1024, { error: 'too long' })
    .meta({ allowed: '12 to 256 characters, not a common password', example: 'correct horse battery', format: 'password' }),
});

const accountSchema = z
  .object({
    id: z.string().meta({ example: '7hGk2LmNp4Qr' }),
    email: z.string(),
    emailVerified: z.boolean(),
    tier: z.enum(TIERS),
    createdAt: z.iso.datetime(),
    key: z.object({ hint: z.string().meta({ example: '9fK2' }), createdAt: z.iso.datetime(), lastUsedAt: z.iso.datetime().nullable() }).nullable(),
  })
  .meta({ id: 'Account' });

export function authRoutes({ registration }: { registration: Registration }): Route[] {
  return [
    openRoute({
      method: 'POST',
      path: '/auth/register',
      tag: 'Account',
      summary: 'Register and get an API key',
      description:
        'The key is shown in this answer only; it is stored as a hash. Passwords have 12 to 256 characters and are not on the list of common ones. At most 100 registrations an hour from one address.',
      body: credentials,
      responses: {
        201: { description: 'The new account and its key', schema: z.object({ account: accountSchema, apiKey: z.string() }).meta({ id: 'Registered' }) },
      },
      errors: ['forbidden', 'email_taken', 'rate_limited', 'busy'],
      handle: async ({ body, clientAddress }) => {
        const { account, apiKey } = await registration.register({ ...body, client: clientOf({ address: clientAddress, budgetAddress: budgetAddress(clientAddress), userAgent: undefined, deviceToken: undefined }) });
        return json(201, { account: presentAccount(account), apiKey }, { 'Cache-Control': 'no-store' });
      },
    }),
  ];
}

function presentAccount({ id, email, emailVerified, tier, createdAt, key }: Account): z.input<typeof accountSchema> {
  return {
    id,
    email,
    emailVerified,
    tier,
    createdAt: createdAt.toISOString(),
    key: key && { hint: key.hint, createdAt: key.createdAt.toISOString(), lastUsedAt: key.lastUsedAt?.toISOString() ?? null },
  };
}
