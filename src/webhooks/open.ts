// Opens webhooks: endpoints, the dispatcher, and the listeners to changes of accounts and to quotas.
import type { ChangeListener } from '../accounts/change-listener.js';
import { deploymentSecrets, derivedSecrets } from '../accounts/derived-secrets.js';
import { waitAtMost } from '../platform/concurrency/deadline.js';
import { isCode } from '../platform/errors.js';
import type { Opening } from '../platform/feature.js';
import { openOutgoing } from '../platform/outgoing/outgoing.js';
import { originExceptions } from '../platform/outgoing/target.js';
import { createDispatcher } from './dispatcher.js';
import { webhooksOf, withEvents } from './endpoint.js';
import { createWebhookEndpoints } from './endpoints.js';
import { eventsOf, quotaEvents } from './event.js';
import { sendDelivery } from './receiver.js';

const CLOSE_LIMIT_MS = 2000;

export function openWebhooks({ env, stores, services, metrics, now, onError }: Opening) {
  const exceptions = originExceptions(env.WEBHOOK_ORIGINS);
  const outgoing = openOutgoing({ userAgent: `Blazon/${env.VERSION} (webhooks)`, proxy: env.HTTPS_PROXY, exceptions });
  const signingSecrets = derivedSecrets(deploymentSecrets(env, stores), 'webhook secrets');
  const context = services.accountContext;
  const dispatcher = createDispatcher({
    ...context,
    send: (...sent) => sendDelivery({ outgoing, signingSecrets, now }, ...sent),
    onTry: (outcome, seconds) => metrics?.webhookTry(outcome, seconds),
    onError: (error) => {
      if (!isCode(error, 'unavailable')) onError(error, 'sending webhooks failed; trying again');
    },
  });
  metrics?.gauge('webhooks_sending', dispatcher.sending);
  const changeListener: ChangeListener = {
    record: ({ account, facts, at }) => withEvents(account, eventsOf(account, facts), at),
    saved: (account) => {
      if (webhooksOf(account).events.length > 0) dispatcher.wake();
    },
  };
  services.quotaReports.listen((account, report, at) => withEvents(account, quotaEvents(report), at));
  return {
    services: {
      changeListener,
      webhooks: createWebhookEndpoints({ ...context, signingSecrets, exceptions, wake: dispatcher.wake }),
      webhookDispatcher: dispatcher,
    },
    startJobs: () => dispatcher.start(),
    async close(): Promise<void> {
      await waitAtMost(CLOSE_LIMIT_MS, dispatcher.close());
      await outgoing.close();
    },
  };
}
