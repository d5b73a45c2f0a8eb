// A stranger becomes a customer: an account, its first key, and the first session.
import type { Account } from '../../domain/account/account.js';
import { newAccount } from '../../domain/account/changes/lifecycle.js';
import { signIn } from '../../domain/account/changes/sessions.js';
import { auditEvents } from '../../domain/account/audit-event.js';
import { HOUR_MS, inWords, SECOND_MS } from '../../domain/time.js';
import { AppError } from '../../errors.js';
import type { AccountStore } from '../../ports/account-store.js';
import type { RateLimits } from '../../ports/rate-limits.js';
import type { Client } from './client-info.js';
import { registrationMailRateLimit } from './email-links.js';
import type { NewPassword } from './new-password.js';
import type { Sessions, SignedIn } from './sessions.js';

const PER_ADDRESS = [{ limit: 100, windowMs: HOUR_MS }] as const;

interface Ports {
  readonly accounts: Pick<AccountStore, 'insert'>;
  readonly passwords: NewPassword;
  readonly rateLimits: RateLimits;
  readonly sessions: Pick<Sessions, 'begin'>;
  /** Told of every new account. */
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
  /** The raw key; nobody can show it again. */
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
      const spent = await rateLimits.consume(rateLimit);
      if (!spent.ok) {
        throw new AppError(
          'rate_limited',
          `At most ${PER_ADDRESS[0].limit} registrations an hour from one address. Try again in ${inWords(spent.retryAfterSeconds * SECOND_MS)}.`,
          { retryAfterSeconds: spent.retryAfterSeconds },
        );
      }
      passwords.assertGood(password, email, 'password');
      const passwordHash = await passwords.hash(password, client.fairnessKey).catch(async (error: unknown) => {
        // Who is told to come back in a moment must be able to.
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
      // Registering and deleting again and again must not fill the inbox of whoever has that address.
      const mail = [registrationMailRateLimit(email)];
      const mayMail = await rateLimits.consume(mail);
      const mailed = mayMail.ok ? account : { ...account, mails: [] };
      const outcome = await accounts.insert(mailed, events).catch(async (error: unknown) => {
        await rateLimits.refund(mayMail.ok ? [...rateLimit, ...mail] : rateLimit);
        throw error;
      });
      if (outcome === 'email_taken') {
        if (mayMail.ok) await rateLimits.refund(mail);
        throw new AppError('email_taken');
      }
      onChange(mailed);
      return { ...sessions.begin(mailed, result, client), apiKey: created.result.apiKey };
    },
  };
}
