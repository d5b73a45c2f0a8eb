// Webhook endpoints of a signed-in customer: adds, changes and tests them, lists and replays their deliveries.
import type { AccountActors } from '../accounts/account-actors.js';
import type { AccountStore } from '../accounts/account-store.js';
import type { Account } from '../accounts/account.js';
import type { Change } from '../accounts/changes/change.js';
import { assertStillSignedIn } from '../accounts/changes/reauthentication.js';
import type { AccountContext } from '../accounts/context.js';
import type { SignedInClient } from '../accounts/publishable-keys.js';
import { withinDailyLimit } from '../accounts/rate-limiting.js';
import { AppError } from '../platform/errors.js';
import {
  addEndpoint,
  editEndpoint,
  enabledEndpoint,
  existingEndpoint,
  removeEndpoint,
  rotateSecret,
  testEndpoint,
  type EndpointEdit,
} from './changes.js';
import { replayed, SHOWN_DELIVERIES, type Delivery, type DeliveryState } from './delivery.js';
import { accountOfEndpoint, endpointIn, type Endpoint, type NewEndpoint } from './endpoint.js';
import { newSecret, type SigningSecrets } from './signing-secret.js';
import type { WebhookDeliveries } from './webhook-deliveries.js';

/**
 * Maximum number of changes, tests and replays per account and day. Changes are security events, tests and replays send
 * requests.
 */
const A_DAY = 500;

type Ports = Pick<AccountContext, 'rateLimits'> & {
  readonly actors: Pick<AccountActors, 'run'>;
  readonly deliveries: WebhookDeliveries;
  readonly signingSecrets: SigningSecrets;
  /** Returns the normalized URL of an endpoint. Throws AppError `invalid_request` if it is not allowed. */
  readonly readUrl: (text: string) => string;
  /** Sends due deliveries, in the background. */
  readonly wake: () => void;
  /** Time in ms since the epoch. */
  readonly now: () => number;
};

interface DeliveryListing {
  readonly limit: number;
  /** Id of the last delivery of the previous page. */
  readonly cursor: string | undefined;
  readonly status: DeliveryState | undefined;
}

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

/**
 * All methods throw AppError `not_found` if the account has no endpoint with this id. Methods that change something
 * also throw `invalid_token`, `account_suspended`, `rate_limited`, `busy`, `conflict`.
 */
export function createWebhookEndpoints(ports: Ports) {
  const { actors, deliveries, signingSecrets, readUrl } = ports;

  /** Changes the account of a customer who is still signed in. */
  const change = <Result>(
    { caller: { account, session }, client }: SignedInClient,
    decide: (current: Account, at: Date) => Change<Result>,
  ): Promise<Result> =>
    actors.run(account.id, client.actor, (current, at) => {
      assertStillSignedIn(current, session.id, at);
      return decide(current, at);
    });

  const limitedChange: typeof change = (who, decide) => limited(ports, who, () => change(who, decide));

  return {
    /** Adds an endpoint. The secret is shown once. */
    async add(who: SignedInClient, settings: NewEndpoint) {
      const checked = { ...settings, url: readUrl(settings.url) };
      const { secret, stored } = newSecret(signingSecrets);
      const endpoint = await limitedChange(who, (account, at) => addEndpoint(account, checked, stored, at));
      return { endpoint, secret };
    },

    async edit(who: SignedInClient, id: string, edit: Omit<EndpointEdit, 'by'>): Promise<Endpoint> {
      const checked = { ...edit, url: edit.url === undefined ? undefined : readUrl(edit.url), by: 'owner' as const };
      const endpoint = await limitedChange(who, (account, at) => editEndpoint(account, id, checked, at));
      if (edit.enabled === true) await deliveries.forgetFailures(id);
      return endpoint;
    },

    /** Replaces the secret. The old secret also signs for 24 hours. */
    async rotate(who: SignedInClient, id: string) {
      const { secret, stored } = newSecret(signingSecrets);
      const endpoint = await limitedChange(who, (account, at) => rotateSecret(account, id, stored, at));
      return { endpoint, secret };
    },

    /** Removes an endpoint and its deliveries. */
    async remove(who: SignedInClient, id: string): Promise<void> {
      await change(who, (account, at) => removeEndpoint(account, id, at));
      // If a crash prevents this call, the dispatcher removes the deliveries when the queue is due.
      await deliveries.remove(id);
    },

    /** Sends `webhook.test`. Throws `conflict` if the endpoint is disabled. */
    test: (who: SignedInClient, id: string): Promise<Endpoint> =>
      limited(ports, who, () => change(who, (account, at) => testEndpoint(account, id, at))),

    ...deliveryMethods(ports),
  };
}

function limited<Result>(
  { rateLimits }: Pick<Ports, 'rateLimits'>,
  { caller: { account } }: SignedInClient,
  run: () => Promise<Result>,
): Promise<Result> {
  const message = `Webhook endpoints are changed, tested and replayed at most ${A_DAY} times in a day.`;
  return withinDailyLimit(rateLimits, { accountId: account.id, what: 'webhooks', limit: A_DAY, message }, run);
}

function deliveryMethods(ports: Ports) {
  const { deliveries, wake, now } = ports;
  const last = (id: string): Promise<readonly Delivery[]> => deliveries.list(id, { limit: SHOWN_DELIVERIES });

  async function replay(delivery: Delivery): Promise<void> {
    const at = new Date(now());
    // If a try of this delivery ends at the same time, its result has a newer version. This save then does nothing, and
    // the result stays.
    await deliveries.save({ ...replayed(delivery, at), version: delivery.version + 1 });
    await deliveries.wake(delivery.endpointId, at);
  }

  return {
    /**
     * Returns a page of the last 100 deliveries, newest first, and the cursor of the next page; null if there is none.
     */
    async deliveries(
      { caller: { account } }: Pick<SignedInClient, 'caller'>,
      id: string,
      { limit, cursor, status }: DeliveryListing,
    ): Promise<{ readonly page: readonly Delivery[]; readonly next: string | null }> {
      existingEndpoint(account, id);
      const rest = (await last(id)).filter(
        (one) => (status === undefined || one.status === status) && (cursor === undefined || one.id < cursor),
      );
      const page = rest.slice(0, limit);
      return { page, next: rest.length > limit ? (page.at(-1)?.id ?? null) : null };
    },

    /** Sends a delivery again. Throws `conflict` if the endpoint is disabled. */
    replay: (who: SignedInClient, id: string, deliveryId: string): Promise<void> =>
      limited(ports, who, async () => {
        enabledEndpoint(who.caller.account, id);
        const delivery = await deliveries.get(deliveryId);
        if (delivery?.endpointId !== id) throw new AppError('not_found', 'There is no such delivery.');
        await replay(delivery);
        wake();
      }),

    /**
     * Replays the failed deliveries among the last 100 that were created since this time. Returns their number. Throws
     * `conflict` if the endpoint is disabled.
     */
    replayFailed: (who: SignedInClient, id: string, since: Date): Promise<number> =>
      limited(ports, who, async () => {
        enabledEndpoint(who.caller.account, id);
        const failed = (await last(id)).filter(({ status, createdAt }) => status === 'failed' && createdAt >= since);
        // Oldest first, so that the deliveries are tried in the order of their events.
        for (const delivery of failed.toReversed()) await replay(delivery);
        wake();
        return failed.length;
      }),
  };
}

/** Returns an endpoint and its account, or undefined if there is none with this id. */
export async function findEndpoint(
  accounts: Pick<AccountStore, 'find'>,
  id: string,
): Promise<{ readonly account: Account; readonly endpoint: Endpoint } | undefined> {
  const accountId = accountOfEndpoint(id);
  const account = accountId && (await accounts.find(accountId));
  const endpoint = account && !account.deleting ? endpointIn(account, id) : undefined;
  return account && endpoint && { account, endpoint };
}
