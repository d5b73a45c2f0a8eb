// The page of the link that confirms a new address: by a click, since mail filters open links too.
import { useMutation } from '@tanstack/react-query';
import { ApiError } from '../api/error.js';
import { call } from '../data/call.js';
import { queryClient } from '../data/client.js';
import { me } from '../data/queries.js';
import { Button } from '../components/button.js';
import { FormPage } from '../components/form-page.js';
import { ErrorNote } from '../components/note.js';
import { useLinkToken } from '../hooks/use-link-token.js';

export default function ConfirmEmailPage() {
  const { token, forget } = useLinkToken();
  return <ConfirmEmail key={token} token={token} onDone={forget} />;
}

function ConfirmEmail({ token, onDone }: { readonly token: string; readonly onDone: () => void }) {
  const confirmation = useMutation({
    mutationFn: () => call('post', '/auth/confirm-email', { body: { token } }),
    onSuccess: () => {
      onDone();
      void queryClient.invalidateQueries({ queryKey: me.queryKey });
    },
  });
  const { error } = confirmation;
  if (confirmation.isSuccess)
    return (
      <FormPage title="E-mail address changed" lead="Sign in with the new address from now on.">
        <a className="button primary" href="/account">
          Go to your account
        </a>
      </FormPage>
    );
  if (token === '') return <Unusable text="It is not complete. Copy it from the mail again, as a whole." />;
  if (error instanceof ApiError && error.fieldError('token') !== undefined)
    return <Unusable text="It was used already, was replaced by a newer one, or has expired." />;
  return (
    <FormPage title="Confirm your new e-mail address" lead="Your sessions and keys stay as they are.">
      <div className="form">
        <ErrorNote error={error} />
        <Button kind="primary" busy={confirmation.isPending} onClick={() => confirmation.mutate()}>
          Confirm address
        </Button>
      </div>
    </FormPage>
  );
}

function Unusable({ text }: { readonly text: string }) {
  return (
    <FormPage title="This link cannot be used" lead={text}>
      <a className="button" href="/account">
        Request another from your account
      </a>
    </FormPage>
  );
}
