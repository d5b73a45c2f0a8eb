// The page of the link that creates an account: by a click, since mail filters open links too.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/error.js';
import { call } from '../data/call.js';
import { Button } from '../components/button.js';
import { FirstKey } from '../components/first-key.js';
import { FormPage } from '../components/form-page.js';
import { ErrorNote } from '../components/note.js';
import { useLinkToken } from '../hooks/use-link-token.js';
import { begin } from '../session/session.js';

export default function ConfirmRegistrationPage() {
  const { token, forget } = useLinkToken();
  const [key, setKey] = useState<string>();
  if (key !== undefined) return <FirstKey apiKey={key} />;
  return (
    <ConfirmRegistration
      key={token}
      token={token}
      onKey={(made) => {
        setKey(made);
        forget();
      }}
    />
  );
}

function ConfirmRegistration({ token, onKey }: { readonly token: string; readonly onKey: (key: string) => void }) {
  const confirmation = useMutation({
    mutationFn: () => call('post', '/auth/confirm-registration', { body: { token } }),
    onSuccess: (registered) => {
      onKey(registered.apiKey);
      begin(registered);
    },
  });
  const { error } = confirmation;
  if (token === '') return <Unusable text="It is not complete. Copy it from the mail again, as a whole." />;
  if (error instanceof ApiError && error.fieldError('token') !== undefined)
    return <Unusable text="It is not valid, or has expired." />;
  if (error instanceof ApiError && error.code === 'email_taken')
    return (
      <FormPage title="You have an account already" lead="This link was used, or another one for your address.">
        <a className="button primary" href="/sign-in">
          Sign in
        </a>
      </FormPage>
    );
  return (
    <FormPage
      title="Create your account"
      lead="It has the password that was chosen when this link was requested. If that was not you, close this page."
    >
      <div className="form">
        <ErrorNote error={error} />
        <Button kind="primary" busy={confirmation.isPending} onClick={() => confirmation.mutate()}>
          Create account
        </Button>
      </div>
    </FormPage>
  );
}

function Unusable({ text }: { readonly text: string }) {
  return (
    <FormPage title="This link cannot be used" lead={text}>
      <a className="button" href="/register">
        Register again
      </a>
    </FormPage>
  );
}
