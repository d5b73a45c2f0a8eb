// Registration that is confirmed by a mailed link. The response to a registration request does not reveal whether an
// account with the address exists.
import pLimit from 'p-limit';
import { emailIdentity } from './account.js';
import { noteRegistration } from './changes/status.js';
import {
  openRegistration,
  REGISTRATION_LINK_MS,
  sealRegistration,
  type PendingRegistration,
} from './pending-registration.js';
import { AppError } from '../platform/errors.js';
import type { RateLimit } from './rate-limits.js';
import type { Client } from './client-info.js';
import { registrationMail } from './templates.mail.js';
import { badLink, registrationMailRateLimit } from './email-links.js';
import type { AccountContext } from './context.js';

const MAX_SENDING = 2;
/**
 * Maximum number of registrations with unsent mails. Further requests are rejected, whether or not an account with the
 * address exists.
 */
const MAX_WAITING = 200;

type Ports = Pick<
  AccountContext,
  'accounts' | 'actors' | 'rateLimits' | 'background' | 'mailer' | 'origin' | 'now' | 'onError'
> & {
  /**
   * Secrets of link tokens. The first secret encrypts new tokens. Tokens encrypted with any of the secrets are
   * accepted.
   */
  readonly secrets: readonly [string, ...string[]];
};

interface RegistrationClaim {
  readonly email: string;
  readonly passwordHash: string;
  readonly client: Client;
}

export type VerifiedRegistration = ReturnType<typeof createVerifiedRegistration>;

export function createVerifiedRegistration(ports: Ports) {
  const { rateLimits, background, secrets, now } = ports;
  // At most MAX_SENDING registrations use the mail server at once, so that connections remain for mails to existing
  // accounts.
  const sending = pLimit(MAX_SENDING);
  let waiting = 0;

  async function send(claim: RegistrationClaim, limit: readonly RateLimit[]): Promise<void> {
    try {
      await sending(() => sendMail(ports, claim));
    } catch (error) {
      await rateLimits.refund(limit).catch(() => undefined);
      throw error;
    } finally {
      waiting--;
    }
  }

  return {
    /**
     * Requests a registration. The mail is written after the call resolves. Otherwise, the duration of the call would
     * reveal whether an account exists. If the rate limit of the address is used up, sends no mail. Throws AppError
     * `busy`.
     */
    async request(claim: RegistrationClaim): Promise<void> {
      const limit = [registrationMailRateLimit(claim.email)];
      const outcome = await rateLimits.consume(limit);
      if (!outcome.ok) return;
      if (waiting < MAX_WAITING && background.defer(() => send(claim, limit))) {
        waiting++;
        return;
      }
      await rateLimits.refund(limit).catch(() => undefined);
      throw new AppError('busy');
    },
    /** Decrypts the registration of a link. Throws AppError `invalid_request` for an invalid link. */
    open(token: string): PendingRegistration {
      const pending = openRegistration(token, { secrets, at: new Date(now()) });
      if (!pending) throw badLink();
      return pending;
    },
  };
}

async function sendMail(ports: Ports, { email, passwordHash, client }: RegistrationClaim): Promise<void> {
  const { accounts, actors, mailer, origin, secrets, now } = ports;
  const account = await accounts.findByEmail(emailIdentity(email));
  if (account && !account.deleting) {
    await actors.run(account.id, client.actor, noteRegistration);
    return;
  }
  const expiresAt = new Date(now() + REGISTRATION_LINK_MS);
  const token = sealRegistration({ email, passwordHash, expiresAt }, secrets[0]);
  const delivery = await mailer.send(registrationMail(origin, { email, token, expiresAt }));
  if (!delivery.accepted)
    ports.onError(undefined, 'the mail server rejected the recipient; the e-mail will not be sent again', {
      mail: 'confirm-registration',
      reply: delivery.reply,
    });
}
