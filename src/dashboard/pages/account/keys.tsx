// The API key of an account, and its publishable keys.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../components/card.js';
import { NewKey } from '../../components/new-key.js';
import { QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { me, type Account } from '../../data/queries.js';
import { formatDateTime, lastUse } from '../../format.js';
import { PageHead } from './page-head.js';
import { PasswordButton } from './password-button.js';
import { PublishableKeys } from './publishable-keys.js';

export default function KeysPage() {
  const account = useQuery(me);
  return (
    <>
      <PageHead title="Keys" lead="Use the API key on servers, and publishable keys in web pages." />
      <div className="stack">
        <Card title="API key">
          <QueryContent query={account}>{({ key }) => <ApiKey present={key} />}</QueryContent>
        </Card>
        <PublishableKeys />
      </div>
    </>
  );
}

/** `present` is null after the key was revoked. */
function ApiKey({ present }: { readonly present: Account['key'] }) {
  const [newKey, setNewKey] = useState<string>();
  const replace = async (currentPassword: string): Promise<void> => {
    const { apiKey } = await callSignedIn('post', '/auth/regenerate-key', { body: { currentPassword } });
    setNewKey(apiKey);
    await refetch(me.queryKey);
  };
  const endView = (): void => {
    setNewKey(undefined);
    announce('API key replaced');
  };
  if (newKey !== undefined)
    return (
      <div className="card-body">
        <NewKey apiKey={newKey} action="Done" onStored={endView} />
      </div>
    );
  return (
    <ul className="list">
      <li>
        <div className="grow">
          {present ? (
            <>
              <code>blz_…{present.hint}</code>
              <span className="small quiet">
                Created {formatDateTime(present.createdAt)} · {lastUse(present.lastUsedAt)}
              </span>
            </>
          ) : (
            <span>The key was revoked. Requests are rejected until you create a new one.</span>
          )}
        </div>
        <PasswordButton {...(present ? REPLACE : MAKE)} run={replace}>
          {present ? 'Replace key' : 'Create key'}
        </PasswordButton>
      </li>
    </ul>
  );
}

const REPLACE = {
  kind: 'danger',
  title: 'Replace the API key',
  text: 'The old key stops working immediately. The new key is shown once.',
  action: 'Replace key',
} as const;
const MAKE = {
  kind: 'primary',
  title: 'Create an API key',
  text: 'The key is shown once.',
  action: 'Create key',
} as const;
