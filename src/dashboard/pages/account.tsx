// The account: address, password, activity, its data, its end.
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../api/error.js';
import { callSignedIn, sendSignedIn } from '../data/call.js';
import { queryClient } from '../data/client.js';
import { activity, me } from '../data/queries.js';
import { Button } from '../components/button.js';
import { ChangeEmailDialog } from '../components/change-email-dialog.js';
import { Confirm } from '../components/confirm.js';
import { PasswordField } from '../components/field.js';
import { Loaded } from '../components/loaded.js';
import { ErrorNote, Note } from '../components/note.js';
import { NewPasswordField } from '../components/password-rule.js';
import { announce } from '../components/toaster.js';
import { VerifyNote } from '../components/verify-note.js';
import { formatDate, formatDateTime } from '../format.js';
import { usePage } from '../hooks/use-page.js';
import { saveFile } from '../save-file.js';
import { end } from '../session/session.js';

export default function AccountPage() {
  usePage('Account');
  const { data: account } = useQuery(me);
  return (
    <>
      <header className="page-head">
        <div>
          <h1>Account</h1>
          <p className="lead">Your address, your password and your data.</p>
        </div>
      </header>
      <div className="stack">
        <EmailAddress />
        <ChangePassword email={account?.email ?? ''} />
        <Activity />
        <Data />
      </div>
    </>
  );
}

function EmailAddress() {
  const account = useQuery(me);
  const [isOpen, setOpen] = useState(false);
  const [sentTo, setSentTo] = useState<string>();
  return (
    <section className="card" aria-labelledby="address">
      <div className="card-head">
        <h2 id="address">E-mail address</h2>
        <Button size="small" onClick={() => setOpen(true)}>
          Change address
        </Button>
      </div>
      <Loaded query={account}>
        {({ email, emailVerified, createdAt }) => (
          <div className="card-body stack">
            <p>
              {email} {emailVerified && <span className="badge good">Verified</span>}
            </p>
            {sentTo !== undefined && sentTo !== email && (
              <Note>A mail with a link is on its way to {sentTo}. Your address changes when you confirm it there.</Note>
            )}
            {!emailVerified && <VerifyNote />}
            <p className="small quiet">Account created on {formatDate(createdAt)}.</p>
          </div>
        )}
      </Loaded>
      {isOpen && (
        <ChangeEmailDialog email={account.data?.email ?? ''} onSent={setSentTo} onClose={() => setOpen(false)} />
      )}
    </section>
  );
}

function ChangePassword({ email }: { readonly email: string }) {
  const [currentPassword, setCurrent] = useState('');
  const [newPassword, setNew] = useState('');
  const changing = useMutation({
    mutationFn: () => callSignedIn('post', '/auth/change-password', { body: { currentPassword, newPassword } }),
    onSuccess: () => {
      setCurrent('');
      setNew('');
      void queryClient.invalidateQueries({ queryKey: activity.queryKey });
      announce('Password changed. All other sessions have ended.');
    },
  });
  const fieldError = changing.error instanceof ApiError ? changing.error.fieldError('newPassword') : undefined;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!changing.isPending) changing.mutate();
  };
  return (
    <section className="card" aria-labelledby="password-title">
      <div className="card-head">
        <h2 id="password-title">Change password</h2>
      </div>
      <form className="card-body form limited" onSubmit={submit}>
        {fieldError === undefined && <ErrorNote error={changing.error} />}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Current password"
          name="current-password"
          autoComplete="current-password"
          value={currentPassword}
          onValue={setCurrent}
        />
        <NewPasswordField
          label="New password"
          name="new-password"
          value={newPassword}
          onValue={setNew}
          error={fieldError}
        />
        <div>
          <Button type="submit" busy={changing.isPending}>
            Change password
          </Button>
        </div>
      </form>
    </section>
  );
}

function Activity() {
  const query = useInfiniteQuery(activity);
  return (
    <section className="card" aria-labelledby="activity">
      <div className="card-head">
        <h2 id="activity">Activity</h2>
      </div>
      <Loaded query={query}>
        {({ pages }) => (
          <ul className="list">
            {pages
              .flatMap(({ events }) => events)
              .map(({ id, message, at, address, by }) => (
                <li key={id}>
                  <div className="grow">
                    <span>{message}</span>
                    <span className="small quiet">
                      {formatDateTime(at)}
                      {address !== null && ` · ${address}`}
                      {by !== 'customer' && ` · by ${by === 'operator' ? 'the operator' : 'the service'}`}
                    </span>
                  </div>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
      {query.hasNextPage && (
        <div className="card-body">
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </section>
  );
}

function Data() {
  const [asked, setAsked] = useState<'export' | 'delete'>();
  const close = (): void => setAsked(undefined);
  return (
    <section className="card" aria-labelledby="data">
      <div className="card-head">
        <h2 id="data">Your data</h2>
      </div>
      <ul className="list">
        <li>
          <div className="grow">
            <strong>Export</strong>
            <span className="small quiet">Everything that is kept about this account, as JSON.</span>
          </div>
          <Button onClick={() => setAsked('export')}>Export data</Button>
        </li>
        <li>
          <div className="grow">
            <strong>Delete account</strong>
            <span className="small quiet">
              Keys stop at that moment, and a subscription is canceled. It cannot be undone.
            </span>
          </div>
          <Button kind="danger" onClick={() => setAsked('delete')}>
            Delete account
          </Button>
        </li>
      </ul>
      {asked === 'export' && (
        <Confirm
          title="Export your data"
          text="You get one JSON file."
          action="Export"
          run={exportData}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <Confirm
          title="Delete this account"
          text="All of its data is removed, and requests with its keys are rejected at once. It cannot be undone."
          action="Delete for good"
          word="delete"
          danger
          run={deleteAccount}
          onClose={close}
        />
      )}
    </section>
  );
}

async function exportData(currentPassword: string): Promise<void> {
  const response = await sendSignedIn('/auth/export', { method: 'POST', body: { currentPassword } });
  saveFile('blazon-export.json', await response.blob());
}

async function deleteAccount(currentPassword: string): Promise<void> {
  await callSignedIn('delete', '/auth/account', { body: { currentPassword } });
  end();
}
