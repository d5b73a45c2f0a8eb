// The sessions of an account: end one, or all of them.
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callSignedIn } from '../data/call.js';
import { queryClient } from '../data/client.js';
import { sessions, type Session } from '../data/queries.js';
import { Button } from '../components/button.js';
import { Confirm } from '../components/confirm.js';
import { Icon } from '../components/icon.js';
import { Loaded } from '../components/loaded.js';
import { ErrorNote } from '../components/note.js';
import { announce } from '../components/toaster.js';
import { deviceName, formatAgo, formatDateTime } from '../format.js';
import { usePage } from '../hooks/use-page.js';
import { end } from '../session/session.js';

export default function SessionsPage() {
  usePage('Sessions');
  const query = useQuery(sessions);
  const [asks, setAsks] = useState(false);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Sessions</h1>
          <p className="lead">Where you are signed in. A session ends 7 days after its last use.</p>
        </div>
        <Button kind="danger" onClick={() => setAsks(true)}>
          <Icon name="sign-out" size={16} /> Sign out everywhere
        </Button>
      </header>
      <section className="card" aria-label="Sessions">
        <Loaded query={query}>
          {(list) => (
            <ul className="list">
              {list.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
          )}
        </Loaded>
      </section>
      {asks && (
        <Confirm
          title="Sign out everywhere"
          text="All sessions end at once, this one too. Your API key goes on working."
          action="Sign out everywhere"
          danger
          run={async (currentPassword) => {
            await callSignedIn('post', '/auth/logout-all', { body: { currentPassword } });
            end();
          }}
          onClose={() => setAsks(false)}
        />
      )}
    </>
  );
}

function SessionRow({
  session: { id, current, userAgent, address, createdAt, lastUsedAt },
}: {
  readonly session: Session;
}) {
  const ending = useMutation({
    mutationFn: () => callSignedIn('delete', '/auth/sessions/{id}', { params: { id } }),
    onSuccess: () => {
      if (current) {
        end();
        return undefined;
      }
      announce('Session ended');
      return queryClient.invalidateQueries({ queryKey: sessions.queryKey });
    },
  });
  const device = deviceName(userAgent);
  return (
    <li>
      <Icon name={/iPhone|Android/.test(device) ? 'phone' : 'computer'} size={22} className="faint" />
      <div className="grow">
        <strong>
          {device} {current && <span className="badge good">This session</span>}
        </strong>
        <span className="small quiet">
          {address ?? 'Unknown network'} · signed in {formatDateTime(createdAt)} · last used {formatAgo(lastUsedAt)}
        </span>
        <ErrorNote error={ending.error} />
      </div>
      <div className="row-actions">
        <Button
          size="small"
          busy={ending.isPending}
          onClick={() => ending.mutate()}
          aria-label={`${current ? 'Sign out' : 'End session'}: ${device}`}
        >
          {current ? 'Sign out' : 'End session'}
        </Button>
      </div>
    </li>
  );
}
