// The sessions of an account. The user can end one session or all sessions.
import { useMutation, useQuery } from '@tanstack/react-query';
import { end } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { Icon } from '../../components/icon.js';
import { ErrorNote } from '../../components/note.js';
import { QueryContent } from '../../components/query-states.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { sessions, type Session } from '../../data/queries.js';
import { deviceName, formatAgo, formatDateTime } from '../../format.js';
import { PageHead } from './page-head.js';
import { PasswordButton } from './password-button.js';

export default function SessionsPage() {
  const query = useQuery(sessions);
  return (
    <>
      <PageHead
        title="Sessions"
        lead="These devices are signed in to your account. A session ends 7 days after its last use."
      >
        <PasswordButton
          kind="danger"
          title="Sign out everywhere"
          text="This ends all sessions, including this one. Your API keys keep working."
          action="Sign out everywhere"
          run={signOutEverywhere}
        >
          <Icon name="sign-out" size={16} /> Sign out everywhere
        </PasswordButton>
      </PageHead>
      <section className="card" aria-label="Sessions">
        <QueryContent query={query}>
          {(list) => (
            <ul className="list">
              {list.map((session) => (
                <SessionRow key={session.id} {...session} />
              ))}
            </ul>
          )}
        </QueryContent>
      </section>
    </>
  );
}

async function signOutEverywhere(currentPassword: string): Promise<void> {
  await callSignedIn('post', '/auth/logout-all', { body: { currentPassword } });
  end();
}

function SessionRow({ id, current, userAgent, address, createdAt, lastUsedAt }: Session) {
  const ending = useMutation({
    mutationFn: () => callSignedIn('delete', '/auth/sessions/{id}', { params: { id } }),
    onSuccess: async () => {
      if (current) {
        end();
        return;
      }
      announce('Session ended');
      await refetch(sessions.queryKey);
    },
  });
  const device = deviceName(userAgent);
  const action = current ? 'Sign out' : 'End session';
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
          aria-label={`${action}: ${device}`}
        >
          {action}
        </Button>
      </div>
    </li>
  );
}
