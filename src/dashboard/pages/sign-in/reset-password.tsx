// The page of the link that resets a password.
import { send } from '../../api/transport.js';
import { NewPasswordField } from '../../components/field.js';
import { Note } from '../../components/note.js';
import { formatDateTime } from '../../format.js';
import { FormPage } from './form-page.js';
import { LinkPage } from './link-page.js';
import { RequestLink } from './request-link.js';

export default function ResetPasswordPage() {
  return (
    <LinkPage
      title="Reset your password"
      lead="You will be signed out everywhere."
      action="Reset password"
      password={(state) => <NewPasswordField label="New password" name="new-password" {...state} />}
      send={(body) => send('/auth/reset-password', { method: 'POST', body })}
      done={({ headers }) => <Done headers={headers} />}
      rejected="The link was already used, or has expired."
      another={<RequestLink action="Send another link" />}
      anotherFoot={<a href="/sign-in">Back to sign-in</a>}
    />
  );
}

/**
 * States that a reset does not replace the API key. Another person who registered this e-mail address may know the key.
 */
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
