// The page of the link that verifies an address: by a click, since mail filters open links too.
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../api/error.js';
import { call } from '../data/call.js';
import { Button } from '../components/button.js';
import { FormPage } from '../components/form-page.js';
import { ErrorNote } from '../components/note.js';
import { useLinkToken } from '../hooks/use-link-token.js';

export default function VerifyEmailPage() {
  const { token, forget } = useLinkToken();
  return <VerifyEmail key={token} token={token} onDone={forget} />;
}

function VerifyEmail({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const verification = useMutation({
    mutationFn: () => call('post', '/auth/verify-email', { body: { token } }),
    onSuccess: onDone,
  });
  const { error } = verification;
  if (verification.isSuccess)
    return (
      <FormPage title="E-mail address verified" lead="Thank you.">
        <a className="button primary" href="/overview">
          Go to the dashboard
        </a>
      </FormPage>
    );
  if (token === '') return <Unusable text="It is not complete. Copy it from the mail again, as a whole." />;
  if (error instanceof ApiError && error.fieldError('token') !== undefined)
    return (
      <Unusable text="It was used already, or has expired. If you verified your address before, you need do nothing." />
    );
  return (
    <FormPage title="Verify your e-mail address" lead="Confirm that mails to this address reach you.">
      <div className="form">
        <ErrorNote error={error} />
        <Button kind="primary" busy={verification.isPending} onClick={() => verification.mutate()}>
          Verify address
        </Button>
      </div>
    </FormPage>
  );
}

function Unusable({ text }: { readonly text: string }) {
  return (
    <FormPage title="This link cannot be used" lead={text}>
      <a className="button" href="/account">
        Send another from your account
      </a>
    </FormPage>
  );
}
