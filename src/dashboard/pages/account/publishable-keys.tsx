// The publishable keys: list, create, change, revoke.
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CopyIcon } from '../../components/copy.js';
import { Dialog, DialogButton } from '../../components/dialog.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { Empty, QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { publishableKeys, type PublishableKey } from '../../data/queries.js';
import { formatAgo, formatNumber } from '../../format.js';
import { PublishableKeyDialog } from './publishable-key-dialog.js';

export function PublishableKeys() {
  const query = useQuery(publishableKeys);
  const lead = (
    <p>
      They open pictures only, from the hosts you allow, up to a limit of their own. Each logo of the{' '}
      <a href="/catalog">catalog</a> has the code for your page, with your key in it. Coming from another service? Put
      your key into <a href="/moving">the addresses that you have</a>.
    </p>
  );
  const create = (
    <DialogButton size="small" dialog={(close) => <PublishableKeyDialog onClose={close} />}>
      <Icon name="add" size={15} /> New publishable key
    </DialogButton>
  );
  return (
    <Card title="Publishable keys" lead={lead} action={create}>
      <QueryContent query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty icon="hosts" title="No publishable keys yet">
              <p>Make one to show logos in your pages with a plain &lt;img&gt;.</p>
            </Empty>
          ) : (
            <ul className="list">
              {keys.map((key) => (
                <KeyRow key={key.id} publishable={key} />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </Card>
  );
}

function KeyRow({ publishable }: { readonly publishable: PublishableKey }) {
  const { name, key, origins, dailyLimit, usedToday, lastUsedAt } = publishable;
  const used = `${formatNumber(usedToday)} ${dailyLimit === null ? '' : `of ${formatNumber(dailyLimit)} `}today`;
  return (
    <li>
      <div className="grow">
        <strong>{name}</strong>
        <span className="key-line">
          <code>{key}</code>
          <CopyIcon text={key} label={`publishable key ${name}`} />
        </span>
        <span className="small quiet">
          {origins.length === 0 ? 'Any page' : origins.join(', ')} · <span className="tabular">{used}</span> · last used{' '}
          {formatAgo(lastUsedAt)}
        </span>
      </div>
      <div className="row-actions">
        <DialogButton
          size="small"
          aria-label={`Edit ${name}`}
          dialog={(close) => <PublishableKeyDialog edited={publishable} onClose={close} />}
        >
          Edit
        </DialogButton>
        <DialogButton
          size="small"
          kind="danger"
          aria-label={`Revoke ${name}`}
          dialog={(close) => <RevokeDialog publishable={publishable} onClose={close} />}
        >
          Revoke
        </DialogButton>
      </div>
    </li>
  );
}

interface RevokeProps {
  readonly publishable: PublishableKey;
  readonly onClose: () => void;
}

function RevokeDialog({ publishable: { id, name }, onClose }: RevokeProps) {
  const revoking = useMutation({
    mutationFn: () => callSignedIn('delete', '/auth/publishable-keys/{id}', { params: { id } }),
    onSuccess: async () => {
      await refetch(publishableKeys.queryKey);
      announce(`${name} revoked`);
      onClose();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={`Revoke ${name}`}
      text="Pages with this key show no new pictures from now on. Copies that browsers have stored may still be shown."
    >
      <ErrorNote error={revoking.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Not now</Button>
        <Button kind="danger solid" busy={revoking.isPending} onClick={() => revoking.mutate()}>
          Revoke
        </Button>
      </div>
    </Dialog>
  );
}
