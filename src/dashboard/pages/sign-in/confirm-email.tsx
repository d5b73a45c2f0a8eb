// The page of the link that confirms a new e-mail address.
import { call } from '../../data/call.js';
import { refetch } from '../../data/client.js';
import { me } from '../../data/queries.js';
import { FormPage } from './form-page.js';
import { LinkPage } from './link-page.js';

export default function ConfirmEmailPage() {
  return (
    <LinkPage
      title="Confirm your new e-mail address"
      lead="Your sessions and keys stay as they are."
      action="Confirm address"
      send={({ token }) => call('post', '/auth/confirm-email', { body: { token } })}
      onSent={() => void refetch(me.queryKey)}
      done={() => (
        <FormPage title="E-mail address changed" lead="Sign in with the new address from now on.">
          <a className="button primary" href="/account">
            Go to your account
          </a>
        </FormPage>
      )}
      rejected="The link was already used, was replaced by a newer one, or has expired."
      another={
        <a className="button" href="/account">
          Request another link from your account
        </a>
      }
    />
  );
}
