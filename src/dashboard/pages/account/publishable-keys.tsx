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
import { formatNumber, lastUse } from '../../format.js';
import { PublishableKeyDialog } from './publishable-key-dialog.js';

export function PublishableKeys() {
  const query = useQuery(publishableKeys);
  const lead = (
    <p>
      Publishable keys give access to pictures only. Copy the code of a logo from the <a href="/catalog">catalog</a>, or{' '}
      <a href="/migration">migrate the URLs of another service</a>.
    </p>
  );
  const create = (kind: 'primary' | 'plain') => (
    <DialogButton kind={kind} size="small" dialog={(close) => <PublishableKeyDialog onClose={close} />}>
      <Icon name="add" size={15} /> Create publishable key
    </DialogButton>
  );
  return (
    <Card title="Publishable keys" lead={lead} action={query.data?.length !== 0 && create('plain')}>
      <QueryContent query={query}>
        {(keys) =>
          keys.length === 0 ? (
            <Empty icon="hosts" title="Show logos on your website">
              <p>Web pages use a publishable key in the URL of an &lt;img&gt;. You can restrict it to your domains.</p>
              {create('primary')}
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
          {origins.length === 0 ? 'Any website' : origins.join(', ')} · <span className="tabular">{used}</span> ·{' '}
          {lastUse(lastUsedAt)}
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
      text="Web pages can no longer load pictures with this key. Browsers may still show stored copies."
    >
      <ErrorNote error={revoking.error} />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger solid" busy={revoking.isPending} onClick={() => revoking.mutate()}>
          Revoke
        </Button>
      </div>
    </Dialog>
  );
}
