// The page of the link that resets a password.
import { useMutation } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { ApiError } from '../api/error.js';
import { send } from '../api/transport.js';
import { Button } from '../components/button.js';
import { FormPage } from '../components/form-page.js';
import { ErrorNote, Note } from '../components/note.js';
import { NewPasswordField } from '../components/password-rule.js';
import { RequestLink } from '../components/request-link.js';
import { formatDateTime } from '../format.js';
import { useLinkToken } from '../hooks/use-link-token.js';

export default function ResetPasswordPage() {
  const { token, forget } = useLinkToken();
  return <ResetPassword key={token} token={token} onDone={forget} />;
}

function ResetPassword({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const [password, setPassword] = useState('');
  const reset = useMutation({
    mutationFn: () => send('/auth/reset-password', { method: 'POST', body: { token, newPassword: password } }),
    onSuccess: onDone,
  });
  const fieldError = (field: string) => (reset.error instanceof ApiError ? reset.error.fieldError(field) : undefined);
  if (reset.data) return <Done headers={reset.data.headers} />;
  if (token === '') return <Unusable text="It is not complete. Copy it from the mail again, as a whole." />;
  if (fieldError('token') !== undefined) return <Unusable text="It was used already, or has expired." />;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!reset.isPending) reset.mutate();
  };
  return (
    <FormPage title="Reset your password" lead="You will be signed out everywhere.">
      <form className="form" onSubmit={submit}>
        {fieldError('newPassword') === undefined && <ErrorNote error={reset.error} />}
        <NewPasswordField
          label="New password"
          name="new-password"
          value={password}
          onValue={setPassword}
          error={fieldError('newPassword')}
        />
        <Button type="submit" kind="primary" busy={reset.isPending}>
          Reset password
        </Button>
      </form>
    </FormPage>
  );
}

function Unusable({ text }: { readonly text: string }) {
  return (
    <FormPage title="This link cannot be used" lead={text} foot={<a href="/sign-in">Back to sign-in</a>}>
      <RequestLink action="Send another link" />
    </FormPage>
  );
}

/** A reset does not replace the API key, which another person may know who registered this address. */
function Done({ headers }: { readonly headers: Headers }) {
  const hint = headers.get('X-Blazon-Key-Hint');
  const createdAt = headers.get('X-Blazon-Key-Created-At');
  return (
    <FormPage title="Your password was reset" lead="Sign in with your new password.">
      <div className="stack">
        {hint !== null && createdAt !== null && (
          <Note>
            Your API key still works: it ends in {hint} and was created on {formatDateTime(createdAt)}. If you do not
            recognize it, replace it.
          </Note>
        )}
        <a className="button primary" href="/sign-in">
          Sign in
        </a>
      </div>
    </FormPage>
  );
}
