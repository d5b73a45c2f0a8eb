// Page to request a link that resets the password.
import { FormPage } from './form-page.js';
import { RequestLink } from './request-link.js';

export default function ForgotPasswordPage() {
  return (
    <FormPage
      title="Forgot your password?"
      lead="Enter the address of your account. You get a mail with a link to choose a new password."
      foot={<a href="/sign-in">Back to sign-in</a>}
    >
      <RequestLink action="Send link" />
    </FormPage>
  );
}
