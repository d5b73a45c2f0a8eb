// Change of the e-mail address: requested with the password, and confirmed by a link mailed to the new address.
import { mapNotFound } from './account-actors.js';
import { emailIdentity } from './account.js';
import { assertOtherEmail, confirmEmailChange, requestEmailChange } from './changes/email-change.js';
import { AppError } from '../platform/errors.js';
import type { Client } from './client-info.js';
import type { Confirmed, Credentials } from './credentials.js';
import { accountOfLink, badLink, consumeLinkAddress, MAILS_PER_OWNER } from './email-links.js';
import { strangersOf } from './password-rate-limits.js';
import { consume, refundOnFailure } from './rate-limiting.js';
import type { AccountContext } from './context.js';

type Ports = Pick<AccountContext, 'accounts' | 'actors' | 'rateLimits' | 'linkSecrets' | 'now' | 'onError'> & {
  readonly credentials: Pick<Credentials, 'prove'>;
};

export type EmailChange = ReturnType<typeof createEmailChange>;

export function createEmailChange(ports: Ports) {
  const { actors, credentials, linkSecrets: secrets, rateLimits } = ports;
  const linkActors = mapNotFound(badLink, actors);
  const ownActors = mapNotFound(() => new AppError('invalid_token'), actors);

  return {
    /**
     * Mails a link to the new address and a notice to the old address. Does not reveal whether another account has the
     * new address. Throws AppError `invalid_request` for the account's current address, `rate_limited`, and the errors
     * that all methods of `Credentials` have.
     */
    async request(confirmed: Confirmed, newEmail: string): Promise<void> {
      const { account } = confirmed.caller;
      assertOtherEmail(account, newEmail);
      const proof = await credentials.prove(confirmed);
      const identity = emailIdentity(newEmail);
      const limits = [`email-change:${account.id}`, `email-change-mail:${identity}`].map((key) => ({
        key,
        rules: MAILS_PER_OWNER,
      }));
      await consume(rateLimits, limits, 'At most five of these e-mails are sent per half hour.');
      await refundOnFailure(rateLimits, limits, () =>
        ownActors.runPrepared(account.id, confirmed.client.actor, {
          // Uses `passwordOf`, because its duration does not reveal whether an account with the new address exists.
          prepare: async () => (await ports.accounts.passwordOf(identity))?.deleting === false,
          decide: (current, at, isTaken) => requestEmailChange(current, { proof, newEmail, isTaken }, at),
        }),
      );
    },

    /** Throws AppError: `invalid_request` for a bad link, `email_taken`, `account_suspended`, `rate_limited`. */
    async confirm(token: string, client: Client): Promise<void> {
      await consumeLinkAddress(rateLimits, client);
      const { id } = await accountOfLink(ports, token, 'confirm-email');
      const email = await linkActors.run(id, client.actor, (current, at) =>
        confirmEmailChange(current, { token, secrets }, at),
      );
      if (email === undefined) throw badLink();
      // Resets the limit of wrong passwords for this address, because strangers may have used it up. Otherwise the new
      // owner could not sign in.
      await rateLimits
        .reset(strangersOf(email))
        .catch((error: unknown) => ports.onError(error, 'resetting a sign-in limit failed'));
    },
  };
}
