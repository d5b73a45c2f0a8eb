// Webhook endpoints of a signed-in customer: adds, changes and tests them, lists and replays their deliveries.
import type { AccountContext } from '../accounts/context.js';
import { withinDailyLimit } from '../accounts/rate-limiting.js';
import type { Caller } from '../accounts/sessions.js';
import { changeSignedIn, type DecideChange, type SignedInClient } from '../accounts/signed-in-change.js';
import { AppError } from '../platform/errors.js';
import { readPublicUrl } from '../platform/outgoing/public-url.js';
import type { Exceptions } from '../platform/outgoing/target.js';
import { replayed, SHOWN_DELIVERIES, type Delivery } from './delivery.js';
import {
  addEndpoint,
  editEndpoint,
  enabledEndpoint,
  existingEndpoint,
  removeEndpoint,
  rotateSecret,
  testEndpoint,
  type EndpointEdit,
  type NewEndpoint,
} from './endpoint.js';
import { newSecret, type SigningSecrets } from './signing-secret.js';

/** Maximum number of changes, tests and replays per account and day. Each adds a security event or sends requests. */
const A_DAY = 500;

interface Ports extends Pick<AccountContext, 'actors' | 'rateLimits' | 'webhookDeliveries' | 'now'> {
  readonly signingSecrets: SigningSecrets;
  readonly exceptions: Exceptions;
  /** Sends due deliveries, in the background. */
  readonly wake: () => void;
}

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

/**
 * All methods throw AppError `not_found` if the account has no endpoint with this id. Methods that change something
 * also throw `invalid_token`, `account_suspended`, `rate_limited`, `busy`, `conflict`.
 */
export function createWebhookEndpoints(ports: Ports) {
  const { actors, webhookDeliveries: deliveries, signingSecrets, exceptions } = ports;

  const change = <Result>(who: SignedInClient, decide: DecideChange<Result>): Promise<Result> =>
    limited(ports, who, () => changeSignedIn(actors, who, decide));

  /** Makes the deliveries that `find` returns due again. Throws `conflict` if the endpoint is disabled. */
  const replay = (who: SignedInClient, id: string, find: () => Promise<readonly Delivery[]>): Promise<number> =>
    limited(ports, who, async () => {
      enabledEndpoint(who.caller.account, id);
      const found = await find();
      for (const delivery of found) {
        const at = new Date(ports.now());
        // If a try of this delivery has just ended, its stored result already has the version number that `replayed`
        // sets. `save` then writes nothing, and the result of the try stays.
        await deliveries.save(replayed(delivery, at));
        await deliveries.wake(id, at);
      }
      ports.wake();
      return found.length;
    });

  return {
    /** Adds an endpoint. The secret is shown once. */
    async add(who: SignedInClient, settings: NewEndpoint) {
      const checked = { ...settings, url: readPublicUrl(settings.url, exceptions) };
      const { secret, stored } = newSecret(signingSecrets);
      const endpoint = await change(who, (account, at) => addEndpoint(account, checked, stored, at));
      return { endpoint, secret };
    },

    async edit(who: SignedInClient, id: string, edit: Omit<EndpointEdit, 'by'>) {
      const url = edit.url === undefined ? undefined : readPublicUrl(edit.url, exceptions);
      const endpoint = await change(who, (account, at) => editEndpoint(account, id, { ...edit, url, by: 'owner' }, at));
      if (edit.enabled === true) await deliveries.forgetFailures(id);
      return endpoint;
    },

    /** Replaces the secret. For 24 hours, requests are signed with both the new and the old secret. */
    async rotate(who: SignedInClient, id: string) {
      const { secret, stored } = newSecret(signingSecrets);
      const endpoint = await change(who, (account, at) => rotateSecret(account, id, stored, at));
      return { endpoint, secret };
    },

    async remove(who: SignedInClient, id: string): Promise<void> {
      await changeSignedIn(actors, who, (account, at) => removeEndpoint(account, id, at));
      // If the process crashes before this call, the dispatcher removes the deliveries when the endpoint's queue is
      // due.
      await deliveries.remove(id);
    },

    /** Sends `webhook.test`. Throws `conflict` if the endpoint is disabled. */
    test: (who: SignedInClient, id: string) => change(who, (account, at) => testEndpoint(account, id, at)),

    /** Returns the last 100 deliveries, newest first. */
    async deliveries({ account }: Caller, id: string): Promise<readonly Delivery[]> {
      existingEndpoint(account, id);
      return deliveries.list(id, { limit: SHOWN_DELIVERIES });
    },

    replay: (who: SignedInClient, id: string, deliveryId: string) =>
      replay(who, id, async () => {
        const delivery = await deliveries.get(deliveryId);
        if (delivery?.endpointId !== id) throw new AppError('not_found', 'There is no such delivery.');
        return [delivery];
      }),

    /**
     * Replays deliveries that have failed, if they are among the last 100 and were created since this time. Returns
     * their number.
     */
    replayFailed: (who: SignedInClient, id: string, since: Date) =>
      replay(who, id, async () => {
        const found = await deliveries.list(id, { limit: SHOWN_DELIVERIES });
        // Oldest first, so that the deliveries are tried in the order of their events.
        return found.filter(({ status, createdAt }) => status === 'failed' && createdAt >= since).toReversed();
      }),
  };
}

function limited<Result>({ rateLimits }: Ports, { caller }: SignedInClient, run: () => Promise<Result>) {
  const message = `Webhook endpoints are changed, tested and replayed at most ${A_DAY} times in a day.`;
  const limit = { accountId: caller.account.id, what: 'webhooks', limit: A_DAY, message };
  return withinDailyLimit(rateLimits, limit, run);
}
