// Registration by a mailed link: the answer is the same whether or not there is an account with this e-mail address.
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
/** Registrations whose mail is not sent yet; beyond, a request is rejected whether or not there is an account. */
const MAX_WAITING = 200;

type Ports = Pick<
  AccountContext,
  'accounts' | 'actors' | 'rateLimits' | 'background' | 'mailer' | 'origin' | 'now' | 'onError'
> & {
  /** The first encrypts, all decrypt. */
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
  // The mails of owners take the same connections to the mail server.
  const sending = pLimit(MAX_SENDING);
  /** Until their mail is sent, or not needed. */
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
     * Makes the same calls before it resolves, whether or not there is an account; the mail is written later. Beyond the
     * address's rate limit there is none. Throws AppError `busy`.
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
    /** Throws AppError `invalid_request` for a bad link. */
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
    ports.onError(undefined, 'the mail server refuses the recipient; the mail is given up', {
      mail: 'confirm-registration',
      reply: delivery.reply,
    });
}
