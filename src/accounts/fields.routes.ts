// Schemas of request body fields under /auth.
import { z } from 'zod';
import { asEmail, EMAIL_RULE } from './email.js';
import { LINK_TOKEN_PATTERN } from './email-link.js';
import { REGISTRATION_TOKEN_PATTERN } from './pending-registration.js';
import { PASSWORD_MAX_CHARACTERS, passwordRule } from './password-policy.js';

const UNSTORABLE = { error: 'has a character that cannot be stored' };
const NUL = String.raw`\u0000`;
const WITHOUT_NUL = new RegExp(`^[^${NUL}]*$`);
/** Matches an unpaired surrogate. With the flag `u`, a surrogate pair is one character and does not match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

export const text = z
  .string({ error: ({ input }) => (input === undefined ? 'is missing' : 'must be text') })
  .regex(WITHOUT_NUL, UNSTORABLE)
  .refine((value) => !LONE_SURROGATE.test(value), UNSTORABLE);

const password = text.max(1024, { error: 'too long' });

export const email = asEmail(text).meta({
  description:
    'E-mail address, case-insensitive. An internationalized domain (`bücher.example`) is stored in its ASCII ' +
    'form (`xn--bcher-kva.example`).',
  allowed: EMAIL_RULE,
  example: 'ada@example.com',
});

/** Returns the schema of a new password. The schema only documents the policy. `new-password.ts` enforces it. */
export function newPasswordField(minCharacters: number) {
  return password.meta({
    description:
      `${minCharacters} (the minimum of this deployment) to ${PASSWORD_MAX_CHARACTERS} characters. Rejected: ` +
      'common passwords and pass phrases, in any case, spacing or punctuation; passwords made of the e-mail ' +
      'address or the name Blazon; one repeated character.',
    allowed: passwordRule(minCharacters),
    example: 'purple tangerine staircase',
    format: 'password',
    override: { minLength: minCharacters, maxLength: PASSWORD_MAX_CHARACTERS },
  });
}

export const currentPassword = password.meta({
  description: 'Password of the account.',
  allowed: 'the password of the account',
  example: 'correct horse battery',
  format: 'password',
});

export const endOldest = z
  .boolean({ error: 'must be true or false' })
  .default(false)
  .meta({
    description:
      'What happens if the account already has 100 active sessions. `true`: the session that has been unused for the ' +
      'longest time ends. `false`: the request gets `session_limit`.',
    allowed: 'true or false',
  });

export const linkTokenField = text.max(256, { error: 'too long' }).meta({
  description: 'Token of the link in the e-mail: the part after `#token=`.',
  allowed: 'the token of the latest e-mail',
  example: '7hGk2LmNp4Qrp3VnX0wQ7sLk2RtYw1pQf0aJ7mXcT4uVbN8sKdE2gHyLr5oZi6BqCtM3xWj',
  override: { pattern: LINK_TOKEN_PATTERN.source },
});

export const registrationToken = text.max(2048, { error: 'too long' }).meta({
  description: 'Token of the link in the e-mail: the part after `#token=`.',
  allowed: 'the token of the e-mail',
  example: `reg_${'Xk3'.repeat(60)}`,
  override: { pattern: REGISTRATION_TOKEN_PATTERN.source },
});

export const confirmation = z.strictObject({ currentPassword });

/** Body of a route that requires JSON but has no fields. */
export const nothing = z.strictObject({});
