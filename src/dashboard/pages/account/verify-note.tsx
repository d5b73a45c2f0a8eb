// Note that the e-mail address is not verified, with a button that sends another link.
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../api/error.js';
import { Note } from '../../components/note.js';
import { callSignedIn } from '../../data/call.js';

export function VerifyNote() {
  const resend = useMutation({ mutationFn: () => callSignedIn('post', '/auth/resend-verification', { body: {} }) });
  return (
    <Note kind="warn">
      <p>Your e-mail address is not verified yet. Open the link in the mail that was sent to it.</p>
      <div role="status">
        {resend.isSuccess ? (
          'A mail with a link is on its way.'
        ) : (
          <button
            type="button"
            className="link-button"
            aria-disabled={resend.isPending}
            onClick={() => resend.mutate()}
          >
            Send the link again
          </button>
        )}
        {resend.error && <p>{errorText(resend.error)}</p>}
      </div>
    </Note>
  );
}
