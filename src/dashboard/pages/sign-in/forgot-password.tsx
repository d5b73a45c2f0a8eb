// Page to request a link that resets the password.
import { settings } from '../../settings.js';
import { FormPage } from './form-page.js';
import { RequestLink } from './request-link.js';

export default function ForgotPasswordPage() {
  return (
    <FormPage
      title="Forgot your password?"
      lead={
        settings.mail === 'on'
          ? 'Enter the e-mail address of your account. We send you a link to choose a new password.'
          : 'This service sends no e-mail. Request a link here, then ask the operator of this service for it.'
      }
      foot={<a href="/sign-in">Back to sign-in</a>}
    >
      <RequestLink action={settings.mail === 'on' ? 'Send link' : 'Request link'} />
    </FormPage>
  );
}
