// Message that the e-mail address is not verified, with a button that sends another link.
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../api/error.js';
import { Note } from '../../components/note.js';
import { callSignedIn } from '../../data/call.js';
import { settings } from '../../settings.js';

export function VerifyNote() {
  const resend = useMutation({ mutationFn: () => callSignedIn('post', '/auth/resend-verification', { body: {} }) });
  return (
    <Note kind="warn">
      <p>
        Your e-mail address is not verified.{' '}
        {settings.mail === 'on'
          ? 'Open the link that we sent you.'
          : 'This service sends no e-mail, so ask its operator for the link.'}
      </p>
      <div role="status">
        {resend.isSuccess ? (
          settings.mail === 'on' ? (
            'We sent you a new link.'
          ) : (
            'The operator has a new link for you.'
          )
        ) : (
          <button
            type="button"
            className="link-button"
            aria-disabled={resend.isPending}
            onClick={() => resend.mutate()}
          >
            {settings.mail === 'on' ? 'Send the link again' : 'Request a new link'}
          </button>
        )}
        {resend.error && <p>{errorText(resend.error)}</p>}
      </div>
    </Note>
  );
}
