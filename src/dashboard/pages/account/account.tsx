// The account: e-mail address, password, activity, data, and deletion.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { end } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { DialogButton } from '../../components/dialog.js';
import { NewPasswordField } from '../../components/field.js';
import { Form, useForm } from '../../components/form.js';
import { Note } from '../../components/note.js';
import { QueryContent } from '../../components/query-states.js';
import { Select } from '../../components/select.js';
import { announce } from '../../components/toasts.js';
import { callSignedIn, sendSignedIn } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { ACTIVITY_KEY, ACTIVITY_TOPICS, activityOf, me, pendingEmail, type ActivityTopic } from '../../data/queries.js';
import { formatDate, formatDateTime } from '../../format.js';
import { settings } from '../../settings.js';
import { saveFile } from '../../save-file.js';
import type { DeletedAccount } from '../sign-in/account-deleted.js';
import { ChangeEmailDialog } from './change-email-dialog.js';
import { CurrentPasswordField } from './current-password-field.js';
import { PageHead } from './page-head.js';
import { PasswordButton } from './password-button.js';
import { VerifyNote } from './verify-note.js';

export default function AccountPage() {
  return (
    <>
      <PageHead title="Account" lead="Your address, your password and your data." />
      <div className="stack">
        <EmailAddress />
        <ChangePassword />
        <Activity />
        <Data />
      </div>
    </>
  );
}

function EmailAddress() {
  const account = useQuery(me);
  const { data: newEmail = null } = useQuery(pendingEmail);
  const change = (
    <DialogButton size="small" dialog={(close) => <ChangeEmailDialog onClose={close} />}>
      Change address
    </DialogButton>
  );
  return (
    <Card title="E-mail address" action={change}>
      <QueryContent query={account}>
        {({ email, emailVerified, createdAt }) => (
          <div className="card-body stack">
            <p>
              {email} {emailVerified && <span className="badge good">Verified</span>}
            </p>
            {newEmail !== null && newEmail !== email && (
              <Note>
                {settings.mail === 'on' ? `We sent a link to ${newEmail}.` : 'The operator has the link.'} Your address
                changes to {newEmail} when you open the link.
              </Note>
            )}
            {!emailVerified && <VerifyNote />}
            <p className="small quiet">Account created on {formatDate(createdAt)}.</p>
          </div>
        )}
      </QueryContent>
    </Card>
  );
}

function ChangePassword() {
  const form = useForm(
    { currentPassword: '', newPassword: '' },
    (body) => callSignedIn('post', '/auth/change-password', { body }),
    () => {
      form.clear();
      void refetch(ACTIVITY_KEY);
      announce('Password changed. All other sessions have ended.');
    },
  );
  return (
    <Card title="Change password">
      <Form form={form} action="Change password" kind="plain" className="card-body limited">
        <CurrentPasswordField label="Current password" name="current-password" {...form.field('currentPassword')} />
        <NewPasswordField label="New password" name="new-password" {...form.field('newPassword')} />
      </Form>
    </Card>
  );
}

function Activity() {
  const [topic, choose] = useState<ActivityTopic>('account');
  const query = useInfiniteQuery(activityOf(topic));
  return (
    <Card
      title="Activity"
      action={
        <Select
          aria-label="Events about"
          value={topic}
          options={ACTIVITY_TOPICS}
          onValue={(value) => choose(ACTIVITY_TOPICS.find(([name]) => name === value)?.[0] ?? 'account')}
        />
      }
    >
      <QueryContent query={query}>
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
      </QueryContent>
      {query.hasNextPage && (
        <div className="card-body">
          <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Card>
  );
}

function Data() {
  const [, navigate] = useLocation();
  const account = useQuery(me);
  const deleteAccount = async (currentPassword: string): Promise<void> => {
    await callSignedIn('delete', '/auth/account', { body: { currentPassword } });
    // Navigates before the session ends, because without a session, pages of the account redirect to the sign-in page.
    const state: DeletedAccount = { deletedEmail: account.data?.email ?? 'its address' };
    navigate('/account-deleted', { replace: true, state });
    end();
  };
  return (
    <Card title="Your data">
      <ul className="list">
        <li>
          <div className="grow">
            <strong>Export</strong>
            <span className="small quiet">All stored data about this account, as JSON.</span>
          </div>
          <PasswordButton title="Export your data" text="You download one JSON file." action="Export" run={exportData}>
            Export data
          </PasswordButton>
        </li>
        <li>
          <div className="grow">
            <strong>Delete account</strong>
            <span className="small quiet">Deletes all data and stops all keys. This cannot be undone.</span>
          </div>
          <PasswordButton
            kind="danger"
            title="Delete this account"
            text="All data is deleted, and all keys stop working immediately. This cannot be undone."
            action="Delete account"
            word="delete"
            run={deleteAccount}
          >
            Delete account
          </PasswordButton>
        </li>
      </ul>
    </Card>
  );
}

async function exportData(currentPassword: string): Promise<void> {
  const response = await sendSignedIn('/auth/export', { method: 'POST', body: { currentPassword } });
  saveFile('blazon-export.json', await response.blob());
}
