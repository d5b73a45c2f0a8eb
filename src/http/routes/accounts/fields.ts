// What bodies of /auth may say, field by field.
import { z } from 'zod';
import { asEmail, EMAIL_RULE } from '../../../domain/account/email.js';
import { PASSWORD_MAX_CHARACTERS, passwordRule } from '../../../domain/account/password-policy.js';

const NUL_OR_LONE_SURROGATE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

export const text = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be text') })
  .refine((value) => !NUL_OR_LONE_SURROGATE.test(value), { error: 'has a character that cannot be stored' });

const password = text.max(1024, { error: 'too long' });

export const email = asEmail(text).meta({ allowed: EMAIL_RULE, example: 'ada@example.com' });

/** What makes one good is asked of the service; here it is only told. */
export function newPasswordField(minCharacters: number) {
  return password.meta({
    description: `At least ${minCharacters} characters by this deployment's configuration, at most ${PASSWORD_MAX_CHARACTERS}; not a common password.`,
    allowed: passwordRule(minCharacters),
    example: 'correct horse battery',
    format: 'password',
  });
}

export const currentPassword = password.meta({
  description: 'The password of the account.',
  allowed: 'the password of the account',
  example: 'correct horse battery',
  format: 'password',
});

export const linkToken = text
  .max(256, { error: 'too long' })
  .meta({ description: "What follows `#token=` in the mail's link.", allowed: 'the token of the newest mail' });

/** What stands for "I am still the one who signed in". */
export const confirmation = z.strictObject({ currentPassword });

/** A route that takes JSON, but has nothing to ask. */
export const nothing = z.strictObject({});
