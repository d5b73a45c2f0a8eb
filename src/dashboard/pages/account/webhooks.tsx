// The webhook endpoints of an account, and e-mails about its quotas.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Dialog, DialogButton } from '../../components/dialog.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Empty, QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { alerts, webhooks, type Webhook } from '../../data/queries.js';
import { PageHead } from './page-head.js';
import { WebhookDeliveries } from './webhook-deliveries.js';
import { RotateSecretDialog, WebhookDialog, WebhookSecretDialog } from './webhook-dialogs.js';

const DISABLED_TEXTS: Readonly<Record<NonNullable<Webhook['disabledReason']>, string>> = {
  owner: 'Disabled',
  operator: 'Disabled by the operator',
  gone: 'Disabled, because the endpoint responded with status 410',
  failing: 'Disabled, because every request failed for 5 days',
};

export default function WebhooksPage() {
  const query = useQuery(webhooks);
  const [secret, showSecret] = useState<string>();
  const add = (kind: 'primary' | 'plain') => (
    <DialogButton kind={kind} size="small" dialog={(close) => <WebhookDialog onClose={close} onSecret={showSecret} />}>
      <Icon name="add" size={15} /> Add endpoint
    </DialogButton>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        lead="Get an e-mail, or a request to your server, when something changes in your account."
      />
      <div className="stack">
        <QuotaAlerts />
        <Card
          title="Endpoints"
          lead={
            <p>
              Events are sent as signed requests. See the <a href="/docs/guides/webhooks">guide to webhooks</a>.
            </p>
          }
          action={query.data?.length !== 0 && add('plain')}
        >
          <QueryContent query={query}>
            {(list) =>
              list.length === 0 ? (
                <Empty icon="webhooks" title="Receive events on your server">
                  <p>Add the URL of your server, and choose the events that it receives.</p>
                  {add('primary')}
                </Empty>
              ) : (
                <ul className="list">
                  {list.map((webhook) => (
                    <EndpointRow key={webhook.id} webhook={webhook} onSecret={showSecret} />
                  ))}
                </ul>
              )
            }
          </QueryContent>
        </Card>
      </div>
      {secret !== undefined && <WebhookSecretDialog secret={secret} onClose={() => showSecret(undefined)} />}
    </>
  );
}

function QuotaAlerts() {
  const query = useQuery(alerts);
  const change = useMutation({
    mutationFn: (quota: boolean) => callSignedIn('patch', '/auth/alerts', { body: { quota } }),
    onSuccess: async (_, quota) => {
      await refetch(alerts.queryKey);
      announce(quota ? 'Quota e-mails are on' : 'Quota e-mails are off');
    },
  });
  return (
    <Card title="E-mails">
      <QueryContent query={query} lines={1}>
        {({ quota }) => (
          <div className="card-body stack">
            <label className="check">
              <input
                type="checkbox"
                checked={quota}
                disabled={change.isPending}
                onChange={(event) => change.mutate(event.target.checked)}
              />
              Send an e-mail when 80 % of a daily quota is used, and when it is used up
            </label>
            <ErrorNote error={change.error} />
          </div>
        )}
      </QueryContent>
    </Card>
  );
}

interface RowProps {
  readonly webhook: Webhook;
  readonly onSecret: (secret: string) => void;
}

function EndpointRow({ webhook, onSecret }: RowProps) {
  const { id, url, enabled } = webhook;
  const { host } = new URL(url);
  const testing = useMutation({
    mutationFn: () => callSignedIn('post', '/auth/webhooks/{id}/test', { params: { id } }),
    onSuccess: () => announce(`Test event sent to ${host}`),
  });
  return (
    <li>
      <div className="grow">
        <strong>{url}</strong>
        <EndpointFacts {...webhook} />
        <ErrorNote error={testing.error} />
      </div>
      <div className="row-actions">
        {enabled && (
          <Button
            size="small"
            busy={testing.isPending}
            aria-label={`Send a test event to ${host}`}
            onClick={() => testing.mutate()}
          >
            Test
          </Button>
        )}
        <DialogButton
          size="small"
          aria-label={`Deliveries to ${host}`}
          dialog={(close) => <WebhookDeliveries webhook={webhook} onClose={close} />}
        >
          Deliveries
        </DialogButton>
        <DialogButton
          size="small"
          aria-label={`Edit ${host}`}
          dialog={(close) => <WebhookDialog edited={webhook} onClose={close} onSecret={onSecret} />}
        >
          Edit
        </DialogButton>
        <DialogButton
          size="small"
          aria-label={`Replace the secret of ${host}`}
          dialog={(close) => <RotateSecretDialog webhook={webhook} onClose={close} onSecret={onSecret} />}
        >
          Replace secret
        </DialogButton>
        <DialogButton
          size="small"
          kind="danger"
          aria-label={`Remove ${host}`}
          dialog={(close) => <RemoveDialog id={id} host={host} onClose={close} />}
        >
          Remove
        </DialogButton>
      </div>
    </li>
  );
}

function EndpointFacts({ kinds, description, enabled, disabledReason }: Webhook) {
  return (
    <span className="small quiet">
      {!enabled && <span className="badge warn">{DISABLED_TEXTS[disabledReason ?? 'owner']}</span>}{' '}
      {description !== '' && `${description} · `}
      {kinds.length === 1 ? kinds[0] : `${kinds.length} kinds of events`}
    </span>
  );
}

interface RemoveProps {
  readonly id: string;
  readonly host: string;
  readonly onClose: () => void;
}

function RemoveDialog({ id, host, onClose }: RemoveProps) {
  const removing = useMutation({
    mutationFn: () => callSignedIn('delete', '/auth/webhooks/{id}', { params: { id } }),
    onSuccess: async () => {
      await refetch(webhooks.queryKey);
      announce(`Endpoint at ${host} removed`);
      onClose();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Remove the endpoint at ${host}`}
      text="It receives no more events. Its list of deliveries is deleted."
    >
      <ErrorNote error={removing.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger solid" busy={removing.isPending} onClick={() => removing.mutate()}>
          Remove
        </Button>
      </div>
    </Dialog>
  );
}
