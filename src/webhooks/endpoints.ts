// Webhook endpoints of a signed-in customer: lists, adds, changes and tests them, and replays their deliveries.
import type { AccountActors } from '../accounts/account-actors.js';
import type { AccountContext } from '../accounts/context.js';
import type { SignedInClient } from '../accounts/publishable-keys.js';
import { withinDailyLimit } from '../accounts/rate-limiting.js';
import { addEndpoint, disabledError, editEndpoint, removeEndpoint, rotateSecret, testEndpoint } from './changes.js';
import { replayed, SHOWN_DELIVERIES, type Delivery, type DeliveryState } from './delivery.js';
import { endpointIn, type Endpoint, type EndpointSettings } from './endpoint.js';
import { newSecret, type SigningSecrets } from './signing-secret.js';
import type { WebhookDeliveries } from './webhook-deliveries.js';

/** Maximum number of changes of endpoints per account and day. Each change is a security event. */
const CHANGED_A_DAY = 200;
/** Maximum number of tests and replays per account and day. Each of them sends requests. */
const SENT_A_DAY = 500;

type Ports = Pick<AccountContext, 'rateLimits'> & {
  readonly actors: Pick<AccountActors, 'run'>;
  readonly deliveries: WebhookDeliveries;
  readonly signingSecrets: SigningSecrets;
  /** Sends due deliveries, in the background. */
  readonly wake: () => void;
  /** Time in ms since the epoch. */
  readonly now: () => number;
};

export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  /** Shown once. */
  readonly secret: string;
}

export interface DeliveryListing {
  readonly limit: number;
  /** Id of the last delivery of the previous page. */
  readonly cursor?: string | undefined;
  readonly status?: DeliveryState | undefined;
}

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>;

/**
 * Methods that change something throw AppError `invalid_token`, `account_suspended`, `rate_limited`, `busy`,
 * `conflict`. They return undefined if the account has no endpoint or delivery with this id.
 */
export function createWebhookEndpoints(ports: Ports) {
  const { actors, deliveries, signingSecrets } = ports;

  const limited = <Result>(
    { caller: { account } }: SignedInClient,
    what: 'changed' | 'sent',
    run: () => Promise<Result>,
  ): Promise<Result> => {
    const [limit, message] =
      what === 'changed'
        ? [CHANGED_A_DAY, `Webhook endpoints are changed at most ${CHANGED_A_DAY} times in a day.`]
        : [SENT_A_DAY, `Tests and replays of webhooks are sent at most ${SENT_A_DAY} times in a day.`];
    return withinDailyLimit(ports.rateLimits, { accountId: account.id, what: `webhooks-${what}`, limit, message }, run);
  };

  return {
    /** Adds an endpoint. Also throws `conflict` if there are already five. */
    add: (who: SignedInClient, settings: EndpointSettings): Promise<EndpointWithSecret> =>
      limited(who, 'changed', async () => {
        const { secret, stored } = newSecret(signingSecrets);
        const { account, session } = who.caller;
        const endpoint = await actors.run(account.id, who.client.actor, (current, at) =>
          addEndpoint(current, { session: session.id, settings, secret: stored }, at),
        );
        return { endpoint, secret };
      }),

    edit: (who: SignedInClient, id: string, settings: Partial<EndpointSettings>): Promise<Endpoint | undefined> =>
      limited(who, 'changed', async () => {
        const { account, session } = who.caller;
        const endpoint = await actors.run(account.id, who.client.actor, (current, at) =>
          editEndpoint(current, { proof: session.id, id, settings }, at),
        );
        if (endpoint && settings.enabled === true) await deliveries.forgetFailures(id);
        return endpoint;
      }),

    /** Replaces the secret. The old secret also signs for 24 hours. */
    rotate: (who: SignedInClient, id: string): Promise<EndpointWithSecret | undefined> =>
      limited(who, 'changed', async () => {
        const { secret, stored } = newSecret(signingSecrets);
        const { account, session } = who.caller;
        const endpoint = await actors.run(account.id, who.client.actor, (current, at) =>
          rotateSecret(current, { session: session.id, id, secret: stored }, at),
        );
        return endpoint && { endpoint, secret };
      }),

    /** Removes an endpoint and its deliveries. Returns false if none has this id. */
    async remove({ caller: { account, session }, client }: SignedInClient, id: string): Promise<boolean> {
      const isRemoved = await actors.run(account.id, client.actor, (current, at) =>
        removeEndpoint(current, { session: session.id, id }, at),
      );
      // If a crash prevents this call, the dispatcher removes the deliveries when the queue is due.
      if (isRemoved) await deliveries.removeEndpoint(id);
      return isRemoved;
    },

    /** Sends `webhook.test`. Throws `conflict` if the endpoint is disabled. */
    test: (who: SignedInClient, id: string): Promise<Endpoint | undefined> =>
      limited(who, 'sent', () => {
        const { account, session } = who.caller;
        return actors.run(account.id, who.client.actor, (current, at) =>
          testEndpoint(current, { session: session.id, id }, at),
        );
      }),

    ...deliveryMethods(ports, limited),
  };
}

type Limited = <Result>(who: SignedInClient, what: 'sent', run: () => Promise<Result>) => Promise<Result>;

/** Throws `conflict` for a disabled endpoint. */
function enabledEndpoint({ caller: { account } }: SignedInClient, id: string): Endpoint | undefined {
  const endpoint = endpointIn(account, id);
  if (endpoint && !endpoint.enabled) throw disabledError();
  return endpoint;
}

function deliveryMethods({ deliveries, wake, now }: Ports, limited: Limited) {
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
    ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null } | undefined> {
      if (!endpointIn(account, id)) return undefined;
      const all = (await last(id)).filter((one) => status === undefined || one.status === status);
      const rest = cursor === undefined ? all : all.filter((one) => one.id < cursor);
      const page = rest.slice(0, limit);
      return { deliveries: page, next: rest.length > limit ? (page.at(-1)?.id ?? null) : null };
    },

    /** Sends a delivery again. Throws `conflict` if the endpoint is disabled. */
    replay: (who: SignedInClient, id: string, deliveryId: string): Promise<Delivery | undefined> =>
      limited(who, 'sent', async () => {
        if (!enabledEndpoint(who, id)) return undefined;
        const delivery = await deliveries.get(deliveryId);
        if (delivery?.endpointId !== id) return undefined;
        await replay(delivery);
        wake();
        return delivery;
      }),

    /** Replays the failed deliveries among the last 100 that were created since this time. Returns their number. */
    replayFailed: (who: SignedInClient, id: string, since: Date): Promise<number | undefined> =>
      limited(who, 'sent', async () => {
        if (!enabledEndpoint(who, id)) return undefined;
        const failed = (await last(id)).filter(({ status, createdAt }) => status === 'failed' && createdAt >= since);
        // Oldest first, so that the deliveries are tried in the order of their events.
        for (const delivery of failed.toReversed()) await replay(delivery);
        wake();
        return failed.length;
      }),
  };
}
