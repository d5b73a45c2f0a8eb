// What bodies of /auth may say, field by field.
import { z } from 'zod';
import { asEmail, EMAIL_RULE } from '../../domain/email.js';

const NUL_OR_LONE_SURROGATE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export const text = z.string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be text') }).refine((value) => !NUL_OR_LONE_SURROGATE.test(value), { error: 'has a character that cannot be stored' });

const password = text.max(1024, { error: 'too long' });

export const email = asEmail(text).meta({ allowed: EMAIL_RULE, example: 'ada@example.com' });

export const newPassword = password.meta({ allowed: '12 to 256 characters, not a common password', example: 'correct horse battery', format: 'password' });

export const currentPassword = password.meta({ description: 'The password of the account.', allowed: 'the password of the account', example: 'correct horse battery', format: 'password' });

export const linkToken = text.max(256, { error: 'too long' }).meta({ description: "What follows `#token=` in the mail's link.", allowed: 'the token of the newest mail' });

/** What stands for "I am still the one who signed in". */
export const confirmation = z.strictObject({ currentPassword });

/** A route that takes JSON, but has nothing to ask. */
export const nothing = z.strictObject({});
