// Registration: creates an account with its first API key and session.
import type { Account } from './account.js';
import { newAccount, type NewAccount } from './changes/lifecycle.js';
import { signIn } from './changes/sessions.js';
import { auditEvents } from './audit-event.js';
import { HOUR_MS } from '../platform/time.js';
import { AppError } from '../platform/errors.js';
import type { RateLimit } from './rate-limits.js';
import { strangersTurn, type Client } from './client-info.js';
import { consumeLinkAddress, registrationMailRateLimit } from './email-links.js';
import { consume, refundOnFailure } from './rate-limiting.js';
import type { Sessions, SignedIn } from './sessions.js';
import type { VerifiedRegistration } from './verified-registration.js';
import type { AccountContext } from './context.js';

const PER_ADDRESS = [{ limit: 100, windowMs: HOUR_MS }] as const;

type Ports = Pick<AccountContext, 'accounts' | 'passwords' | 'rateLimits' | 'now'> & {
  readonly sessions: Pick<Sessions, 'begin'>;
  readonly onChange: (account: Account) => void;
  readonly registration: 'open' | 'verified' | 'closed';
  readonly verified: VerifiedRegistration;
};

export interface RegistrationRequest {
  readonly email: string;
  readonly password: string;
  readonly client: Client;
}

export interface Registered extends SignedIn {
  /** Raw API key. It is not stored and cannot be shown again. */
  readonly apiKey: string;
}

export type Registration = ReturnType<typeof createRegistration>;

export function createRegistration(ports: Ports) {
  const { passwords, rateLimits, registration, verified } = ports;

  function assertOpen(): void {
    if (registration === 'closed')
      throw new AppError('forbidden', 'Registration is closed. Ask the operator of this service for an account.');
  }

  return {
    /**
     * Registers an account. Returns `mailed` if the account is created only when the owner follows the mailed link.
     * Throws AppError: `forbidden`, `rate_limited`, `invalid_request`, `busy`, `email_taken`.
     */
    async register({ email, password, client }: RegistrationRequest): Promise<Registered | 'mailed'> {
      assertOpen();
      const rateLimit = [{ key: `register:${client.rateLimitKey}`, rules: PER_ADDRESS }];
      const message = `At most ${PER_ADDRESS[0].limit} registrations per hour are allowed from one IP address.`;
      await consume(rateLimits, rateLimit, message);
      const limited = <Result>(limits: readonly RateLimit[], work: () => Promise<Result>): Promise<Result> =>
        refundOnFailure(rateLimits, limits, work);
      passwords.assertGood(password, email, 'password');
      // If the hasher is busy, the error suggests a retry. The count of the failed attempt is undone, so that the limit
      // does not reject the retry.
      const passwordHash = await limited(rateLimit, () => passwords.hash(password, strangersTurn(client)));
      if (registration === 'verified') {
        await limited(rateLimit, () => verified.request({ email, passwordHash, client }));
        return 'mailed';
      }
      // Limits mails to one address. Otherwise a stranger could fill an inbox by registering and deleting an account
      // repeatedly.
      const mailLimit = [registrationMailRateLimit(email)];
      const mailOutcome = await rateLimits.consume(mailLimit);
      const limits = mailOutcome.ok ? [...rateLimit, ...mailLimit] : rateLimit;
      const created = await limited(limits, () =>
        insertAccount(ports, { email, passwordHash }, { client, mails: mailOutcome.ok ? 'send' : 'drop' }),
      );
      if (created) return created;
      if (mailOutcome.ok) await rateLimits.refund(mailLimit);
      throw new AppError('email_taken');
    },

    /**
     * Creates the account of a registration that was confirmed by a mailed link. Throws AppError: `forbidden`,
     * `rate_limited`, `invalid_request` for an invalid link, `email_taken`.
     */
    async confirm(token: string, client: Client): Promise<Registered> {
      assertOpen();
      await consumeLinkAddress(rateLimits, client);
      const { email, passwordHash } = verified.open(token);
      const created = await insertAccount(ports, { email, passwordHash, emailVerified: true }, { client });
      if (!created) throw new AppError('email_taken');
      return created;
    },
  };
}

/** Returns undefined if an account with this e-mail address exists. */
async function insertAccount(
  { accounts, sessions, onChange, now }: Ports,
  wanted: Omit<NewAccount, 'tier' | 'at'>,
  { client, mails = 'send' }: { readonly client: Client; readonly mails?: 'send' | 'drop' },
): Promise<Registered | undefined> {
  const at = new Date(now());
  const created = newAccount({ ...wanted, tier: 'free', at });
  const signedIn = signIn(
    created.account,
    { passwordVersion: created.account.password.version, origin: client.origin },
    at,
  );
  const account = mails === 'send' ? signedIn.account : { ...signedIn.account, mails: [] };
  const events = auditEvents([...created.facts, ...signedIn.facts], { account, by: client.actor, at });
  if ((await accounts.insert(account, events)) === 'email_taken') return undefined;
  onChange(account);
  return { ...sessions.begin(account, signedIn.result, client), apiKey: created.result.apiKey };
}
