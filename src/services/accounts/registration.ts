// Registration: a new account with its first API key and session.
import type { Account } from '../../domain/account/account.js';
import { newAccount } from '../../domain/account/changes/lifecycle.js';
import { signIn } from '../../domain/account/changes/sessions.js';
import { auditEvents } from '../../domain/account/audit-event.js';
import { HOUR_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import type { AccountStore } from '../../ports/account-store.js';
import type { RateLimits } from '../../ports/rate-limits.js';
import type { Client } from './client-info.js';
import { strangersTurn } from './hash-turns.js';
import { registrationMailRateLimit } from './email-links.js';
import { rateLimitedError } from './rate-limited-error.js';
import type { NewPassword } from './new-password.js';
import type { Sessions, SignedIn } from './sessions.js';

const PER_ADDRESS = [{ limit: 100, windowMs: HOUR_MS }] as const;

interface Ports {
  readonly accounts: Pick<AccountStore, 'insert'>;
  readonly passwords: NewPassword;
  readonly rateLimits: RateLimits;
  readonly sessions: Pick<Sessions, 'begin'>;
  /** Called with every new account. */
  readonly onChange: (account: Account) => void;
  /** ms since the epoch */
  readonly now: () => number;
  readonly registration: 'open' | 'closed';
}

export interface RegistrationRequest {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

export interface Registered extends SignedIn {
  /** The raw key, which is not stored and cannot be shown again. */
  readonly apiKey: string;
}

export interface Registration {
  /** Throws AppError: `forbidden`, `rate_limited`, `invalid_request`, `busy`, `email_taken`. */
  register(request: RegistrationRequest): Promise<Registered>;
}

export function createRegistration({
  accounts,
  passwords,
  rateLimits,
  sessions,
  onChange,
  now,
  registration,
}: Ports): Registration {
  return {
    async register({ email, password, client }) {
      if (registration === 'closed') throw new AppError('forbidden', 'Registration is closed on this service.');
      const rateLimit = [{ key: `register:${client.rateLimitKey}`, rules: PER_ADDRESS }];
      const outcome = await rateLimits.consume(rateLimit);
      if (!outcome.ok)
        throw rateLimitedError(
          `At most ${PER_ADDRESS[0].limit} registrations an hour from one network address.`,
          outcome.retryAfterSeconds,
        );
      passwords.assertGood(password, email, 'password');
      const passwordHash = await passwords.hash(password, strangersTurn(client)).catch(async (error: unknown) => {
        // The hasher was busy: the retry that its error suggests must not meet this limit.
        await rateLimits.refund(rateLimit);
        throw error;
      });
      const at = new Date(now());
      const created = newAccount({ email, passwordHash, tier: 'free', at });
      const { account, facts, result } = signIn(
        created.account,
        { passwordVersion: created.account.password.version, origin: client.origin },
        at,
      );
      const events = auditEvents([...created.facts, ...facts], { account, by: client.actor, at });
      // Repeated registration and deletion must not fill the inbox of that address.
      const mailLimit = [registrationMailRateLimit(email)];
      const mailOutcome = await rateLimits.consume(mailLimit);
      const saved = mailOutcome.ok ? account : { ...account, mails: [] };
      const inserted = await accounts.insert(saved, events).catch(async (error: unknown) => {
        await rateLimits.refund(mailOutcome.ok ? [...rateLimit, ...mailLimit] : rateLimit);
        throw error;
      });
      if (inserted === 'email_taken') {
        if (mailOutcome.ok) await rateLimits.refund(mailLimit);
        throw new AppError('email_taken');
      }
      onChange(saved);
      return { ...sessions.begin(saved, result, client), apiKey: created.result.apiKey };
    },
  };
}
