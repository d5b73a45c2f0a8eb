// The API key of an account, and its publishable keys.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callSignedIn } from '../data/call.js';
import { queryClient } from '../data/client.js';
import { me, type Account } from '../data/queries.js';
import { Button } from '../components/button.js';
import { Confirm } from '../components/confirm.js';
import { Loaded } from '../components/loaded.js';
import { NewKey } from '../components/new-key.js';
import { PublishableKeys } from '../components/publishable-keys.js';
import { announce } from '../components/toaster.js';
import { formatAgo, formatDateTime } from '../format.js';
import { usePage } from '../hooks/use-page.js';

export default function KeysPage() {
  usePage('Keys');
  const account = useQuery(me);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Keys</h1>
          <p className="lead">The API key is a secret for servers. Publishable keys may stand in pages.</p>
        </div>
      </header>
      <div className="stack">
        <section className="card" aria-labelledby="api-key">
          <div className="card-head">
            <h2 id="api-key">API key</h2>
          </div>
          <Loaded query={account}>{(data) => <ApiKey accountKey={data.key} />}</Loaded>
        </section>
        <PublishableKeys />
      </div>
    </>
  );
}

function ApiKey({ accountKey }: { readonly accountKey: Account['key'] }) {
  const [asks, setAsks] = useState(false);
  const [fresh, setFresh] = useState<string>();
  const replace = async (currentPassword: string): Promise<void> => {
    const { apiKey } = await callSignedIn('post', '/auth/regenerate-key', { body: { currentPassword } });
    setFresh(apiKey);
    await queryClient.invalidateQueries({ queryKey: me.queryKey });
  };
  if (fresh !== undefined)
    return (
      <div className="card-body">
        <NewKey
          apiKey={fresh}
          action="Done"
          onStored={() => {
            setFresh(undefined);
            announce('API key replaced');
          }}
        />
      </div>
    );
  return (
    <>
      <ul className="list">
        <li>
          <div className="grow">
            {accountKey ? (
              <>
                <code>blz_…{accountKey.hint}</code>
                <span className="small quiet">
                  Created {formatDateTime(accountKey.createdAt)} · last used{' '}
                  {accountKey.lastUsedAt === null ? 'never' : formatAgo(accountKey.lastUsedAt)}
                </span>
              </>
            ) : (
              <span>The key was revoked. Requests are rejected until you make a new one.</span>
            )}
          </div>
          <Button kind={accountKey ? 'danger' : 'primary'} onClick={() => setAsks(true)}>
            {accountKey ? 'Replace key' : 'Make a new key'}
          </Button>
        </li>
      </ul>
      {asks && (
        <Confirm
          title={accountKey ? 'Replace the API key' : 'Make a new API key'}
          text={
            accountKey
              ? 'The old key stops at that moment: requests with it are rejected everywhere. You see the new one once.'
              : 'You see it once.'
          }
          action={accountKey ? 'Replace key' : 'Make key'}
          danger={accountKey !== null}
          run={replace}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
}
