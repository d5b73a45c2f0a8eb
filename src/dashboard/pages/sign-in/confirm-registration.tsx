// The page of the link that creates an account.
import { useState } from 'react';
import { isApiError } from '../../api/error.js';
import { begin } from '../../api/session.js';
import { call } from '../../data/call.js';
import { FirstKey } from './first-key.js';
import { FormPage } from './form-page.js';
import { LinkPage } from './link-page.js';

export default function ConfirmRegistrationPage() {
  const [key, setKey] = useState<string>();
  if (key !== undefined) return <FirstKey apiKey={key} />;
  return (
    <LinkPage
      title="Create your account"
      lead="The account has the password that was chosen when this link was requested. If you did not request the link, close this page."
      action="Create account"
      send={({ token }) => call('post', '/auth/confirm-registration', { body: { token } })}
      onSent={(registered) => {
        setKey(registered.apiKey);
        begin(registered);
      }}
      done={() => null}
      errorPage={(error) =>
        isApiError(error, 'email_taken') && (
          <FormPage
            title="You have an account already"
            lead="This link, or another link that was sent to your address, has already been used."
          >
            <a className="button primary" href="/sign-in">
              Sign in
            </a>
          </FormPage>
        )
      }
      rejected="The link is not valid, or has expired."
      another={
        <a className="button" href="/register">
          Register again
        </a>
      }
    />
  );
}
