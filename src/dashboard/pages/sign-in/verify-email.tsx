// The page of the link that verifies an e-mail address.
import { call } from '../../data/call.js';
import { FormPage } from './form-page.js';
import { LinkPage } from './link-page.js';

export default function VerifyEmailPage() {
  return (
    <LinkPage
      title="Verify your e-mail address"
      lead="Confirm that mails to this address reach you."
      action="Verify address"
      send={({ token }) => call('post', '/auth/verify-email', { body: { token } })}
      done={() => (
        <FormPage title="E-mail address verified" lead="Thank you.">
          <a className="button primary" href="/overview">
            Go to the dashboard
          </a>
        </FormPage>
      )}
      rejected="The link was already used, or has expired. If your address is already verified, you don't need to do anything."
      another={
        <a className="button" href="/account">
          Send another link from your account
        </a>
      }
    />
  );
}
