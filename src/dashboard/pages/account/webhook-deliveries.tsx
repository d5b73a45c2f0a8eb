// The latest deliveries to a webhook endpoint, and buttons that send them again.
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.js';
import { Dialog } from '../../components/dialog.js';
import { ErrorNote } from '../../components/note.js';
import { Empty, QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { deliveriesOf, type Webhook, type WebhookDelivery } from '../../data/queries.js';
import { formatAgo, formatDateTime } from '../../format.js';

interface Props {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function WebhookDeliveries({ webhook: { id, url, enabled }, onClose }: Props) {
  const query = useQuery(deliveriesOf(id));
  const resend = useMutation({
    mutationFn: (deliveryId: string) =>
      callSignedIn('post', '/auth/webhooks/{id}/deliveries/{deliveryId}/replay', { params: { id, deliveryId } }),
    onSuccess: async () => {
      await refetch(deliveriesOf(id).queryKey);
      announce('The event is sent again');
    },
  });
  return (
    <Dialog onClose={onClose} title="Deliveries" text={`The latest events for ${new URL(url).host}`}>
      <QueryContent query={query}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Empty icon="webhooks" title="No events yet">
              <p>Close this list and use “Test” to send the first one.</p>
            </Empty>
          ) : (
            <ul className="list">
              {deliveries.map((delivery) => (
                <li key={delivery.id}>
                  <div className="grow">
                    <strong>{delivery.kind}</strong>
                    <span className="small quiet">
                      {formatDateTime(delivery.createdAt)} · {resultOf(delivery)}
                    </span>
                  </div>
                  {enabled && delivery.status !== 'pending' && (
                    <Button
                      size="small"
                      busy={resend.isPending && resend.variables === delivery.id}
                      aria-label={`Send again: ${delivery.kind}`}
                      onClick={() => resend.mutate(delivery.id)}
                    >
                      Send again
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryContent>
      <ErrorNote error={resend.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

function resultOf({ status, tries, lastTry, nextTryAt }: WebhookDelivery): string {
  const last = lastTry && (lastTry.httpStatus === null ? lastTry.response : `status ${lastTry.httpStatus}`);
  if (status === 'delivered') return `Delivered${last ? ` (${last})` : ''}`;
  const failure = last ? `: ${last}` : '';
  if (status === 'failed') return `Failed after ${tries} ${tries === 1 ? 'request' : 'requests'}${failure}`;
  return tries === 0
    ? 'Waiting to be sent'
    : `Next request ${nextTryAt === null ? 'soon' : formatAgo(nextTryAt)}${failure}`;
}
